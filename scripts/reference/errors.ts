/** What each error code means, beside the exit status that the command line gives it. */
import { ERROR_CODES, type ErrorCode } from '../../src/model/engine-error.ts'
import {
  EXIT_STATUS,
  INTERNAL_ERROR_STATUS,
  TERMINATED_STATUS,
} from '../../src/surfaces/cli/exit-status.ts'
import { code, table } from './markdown.ts'

/** Total: a new code does not compile until it has a meaning here. */
const MEANINGS: Readonly<Record<ErrorCode, string>> = {
  POC_E_REQUEST_INVALID: 'An argument, an option or an input is missing, unknown or not valid.',
  POC_E_SEGMENT_MISSING: 'The folder of documents or the repository does not exist.',
  POC_E_SEGMENT_OUTSIDE_ROOT: 'The folder of documents is outside of `--repo-root`.',
  POC_E_NO_DOCUMENTS: 'The folder has no Markdown document that can be read.',
  POC_E_INDEX_MISSING: 'There is no index of this repository, or no copy of this workspace.',
  POC_E_PACK_MISSING: 'There is no docs pack in this folder, or no stored pack with this id.',
  POC_E_PACK_CORRUPT: 'An index, a pack or a database is damaged.',
  POC_E_PACK_FOREIGN: 'The file or folder was written by another program, or is not a pack.',
  POC_E_PACK_STALE: 'Files have changed since the stored pack was made.',
  POC_E_CONTRACT_VERSION: 'The index or the pack has a format that this version does not read.',
  POC_E_CHUNK_UNKNOWN: 'No chunk has this id.',
  POC_E_BUDGET_EXCEEDED:
    'The budget is too small for any result, or over a hard cap in strict mode.',
  POC_E_READ_FAILED: 'A file, a server or the history of the repository could not be read.',
  POC_E_WRITE_FAILED: 'A file could not be written.',
  POC_E_BUSY: 'Another process holds the lock.',
  POC_E_OUT_OF_MEMORY: 'There is not enough memory.',
  POC_E_NOT_SUPPORTED: 'The index, the backend or this machine cannot do what was requested.',
  POC_E_CANCELLED: 'Cancelled by Ctrl-C or by the client.',
  POC_E_CONFIG_INVALID: 'The configuration file or an environment variable is not valid.',
  POC_E_WORKSPACE_UNKNOWN: 'No workspace of notes has this name.',
  POC_E_SOURCE_INVALID: 'The source of the notes is missing, empty or in an unknown format.',
  POC_E_UNAUTHORIZED: 'The server refused the key or the token.',
  POC_E_FLOW_MISSING: 'No flow has this name, or no flow is in use.',
  POC_E_SELECTOR_INVALID: 'The evidence selector is not valid or matches nothing.',
  POC_E_TARGET_UNKNOWN: 'No part of the flow has this name or rank.',
  POC_E_TARGET_AMBIGUOUS: 'Several parts of the flow match the name.',
}

const STATUSES = [
  ['0', 'The request was met.'],
  ['1', 'The request was met in part, or `ctx validate` found a problem.'],
  [String(INTERNAL_ERROR_STATUS), 'A bug in dossier; the message asks you to report it.'],
  [String(TERMINATED_STATUS), 'Stopped by SIGTERM.'],
] as const

const HEAD = `## Errors and exit status

An error has a code, a message and a hint.
The command line prints them on standard error, or as \`{ "error": { "code", "message", "hint" } }\` on standard output with \`--json\`.
MCP returns the same object in \`structuredContent\`; the library throws an \`EngineError\` with these fields.
`

export function describeErrors(): string {
  const rows = ERROR_CODES.map((it) => [code(it), String(EXIT_STATUS[it]), MEANINGS[it]])
  return [
    HEAD,
    ...table(['code', 'exit status', 'meaning'], rows),
    '',
    ...table(['other exit status', 'meaning'], STATUSES),
    '',
  ].join('\n')
}
