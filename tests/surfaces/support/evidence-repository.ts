/** A repository of shell scripts, as the contract of the evidence workspace names them. */
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { newFolder, removeFolder, write } from './folder.ts'
import type { RunOptions } from './program.ts'

/** 16 January 2025, 12:34:56: the time in the names of flows. */
const EPOCH = '1737030896'
export const FLOW_ID = 'fix-parser-20250116T123456'

const STATES = ['new', 'select', 'assemble', 'submit', 'apply', 'validate', 'done', 'fail']

/** Long enough for lines 100 to 200. */
const FLOW = `#!/usr/bin/env bash
# A flow is one task, from its start to its end.
source "$(dirname "$0")/state_manager.sh"

function flow_create() {
  state_write "$1" new
}

${Array.from({ length: 25 }, (_, at) => {
  const state = STATES[at % STATES.length]
  return `# The step ${at + 1} of a flow leads to the state ${state}.
function flow_step_${at + 1}() {
  local name="$1" note="step ${at + 1}"
  printf '%s: %s\\n' "$name" "$note"
  [ -d "$name" ] || return ${at + 1}
  state_write "$name" ${state}
}
`
}).join('\n')}`

/** The call is on line 38, which is line 42 of the evidence file. */
const ASSEMBLER = `#!/usr/bin/env bash
source "$(dirname "$0")/flow.sh"
${Array.from({ length: 31 }, (_, at) => `# Note ${at + 1} on how parts are put together.`).join('\n')}
function assemble_context() {
  local name="$1"

  # A context belongs to a flow.
  flow_create "$name"
  cat "$name"/ctx/*.md
}
`

export const SCRIPTS: Readonly<Record<string, string>> = {
  'core/flow.sh': FLOW,
  'core/assembler.sh': ASSEMBLER,
  'core/state_manager.sh': `#!/usr/bin/env bash
# Where a task stands is kept in a file.
function state_write() {
  printf '%s\\n' "$2" > "$1.state"
}
`,
  'core/error_handler.sh': `#!/usr/bin/env bash
# Error handling: every error ends here.
function handle_error() {
  printf 'error: %s\\n' "$1" >&2
  exit 1
}
`,
  'tests/test_flow.sh': `#!/usr/bin/env bash
flow_create demo
[ "$(cat demo.state)" = new ]
`,
  'tests/test_errors.sh': `#!/usr/bin/env bash
# Tests of the error handling.
( handle_error boom ) && exit 1
printf 'ok\\n'
`,
  'examples/example.sh': '#!/usr/bin/env bash\n# An example.\nflow_create first\n',
  'examples/example': 'A linked example.\n',
  'docs/example.md': '# An example\n\nHow to begin:\n\n```sh\nflow_create first\n```\n',
  'auth/login.sh': `#!/usr/bin/env bash
# Authentication: who is it?
function authenticate_user() {
  check_token "$1"
}
`,
  'auth/tokens.sh': `#!/usr/bin/env bash
# Tokens for authentication.
function check_token() {
  grep -q "$1" tokens.txt
}
`,
}

export interface ScriptsRepository extends RunOptions {
  /** The folder of its flow. */
  readonly flow: string
}

/** Gone when the test is. */
export function scriptsRepository(): ScriptsRepository {
  const it = newScriptsRepository()
  onTestFinished(() => removeFolder(it.cwd))
  return it
}

/** The caller removes the folder. Nobody's home, and a time that does not pass. */
export function newScriptsRepository(): ScriptsRepository {
  const cwd = newFolder()
  write(cwd, SCRIPTS)
  const env = { DOSSIER_HOME: join(cwd, '.home'), SOURCE_DATE_EPOCH: EPOCH }
  return { cwd, env, flow: join(cwd, '.dossier/flows', FLOW_ID) }
}
