/** Reads and validates a pack file, which another program may have written. */
import type { DocsPack } from '../../model/docs-pack.ts'
import { DOCS_PACK_SCHEMA_VERSION } from '../../model/docs-pack.ts'
import { EngineError } from '../../model/engine-error.ts'
import { z } from '../../platform/schema.ts'
import type { PackPaths } from './open-index.ts'
import { formatSyncCommand } from './pack-commands.ts'

const count = z.number().check(z.int(), z.nonnegative())
const placed = {
  id: z.string().check(z.minLength(1)),
  title_path: z.array(z.string()),
  source_path: z.string(),
  heading_level: count.check(z.maximum(6)),
  char_count: count,
  line_count: count,
  start_line: count,
  end_line: count,
  part: z.optional(count),
}

const PACK = z.looseObject({
  schema_version: z.literal(DOCS_PACK_SCHEMA_VERSION),
  segment: z.string(),
  created_at: z.string(),
  generator_version: z.string(),
  source_files: z.array(
    z.looseObject({
      path: z.string(),
      sha256: z.string(),
      mtime: z.number(),
      chars: count,
      size: count,
    }),
  ),
  chunking: z.looseObject({ method: z.string(), max_chars: count }),
  docs: z.array(
    z.looseObject({
      doc: z.string(),
      file: z.string(),
      sha256: z.string(),
      chunk_count: count,
      total_chars: count,
    }),
  ),
  digest: z.array(
    z.looseObject({ doc: z.string(), summary: z.string(), source_chunk_ids: z.array(z.string()) }),
  ),
  index: z.array(
    z.looseObject({ ...placed, doc: z.string(), preview: z.string(), token_est: count }),
  ),
  chunks: z.array(z.looseObject({ ...placed, text: z.optional(z.string()) })),
})

/** A parsed pack: the texts may be only in context.db. */
export type ParsedPack = Omit<DocsPack, 'chunks'> & {
  readonly chunks: readonly (Omit<DocsPack['chunks'][number], 'text'> & {
    readonly text?: string
  })[]
}

type ReadPaths = Pick<PackPaths, 'pack' | 'options'>

export function parsePack(bytes: Uint8Array, paths: ReadPaths): ParsedPack {
  const { pack: path } = paths
  const value = parseJson(bytes, paths)
  const version = readVersion(value)
  if (typeof version === 'number' && version !== DOCS_PACK_SCHEMA_VERSION) {
    throw new EngineError(
      'POC_E_CONTRACT_VERSION',
      `${path} has schema version ${version}; this program reads version ${DOCS_PACK_SCHEMA_VERSION}`,
      { hint: `update dossier, or replace the pack with \`${formatSyncCommand(paths)} --force\`` },
    )
  }
  const parsed = PACK.safeParse(value)
  if (parsed.success) return parsed.data as ParsedPack
  const issue = parsed.error.issues[0]
  const place =
    issue === undefined ? '' : ` at ${issue.path.join('.') || 'the top'}: ${issue.message}`
  throw createCorruptError(paths, `is not a context pack${place}`, parsed.error)
}

function parseJson(bytes: Uint8Array, paths: ReadPaths): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (error) {
    throw createCorruptError(
      paths,
      `cannot be read as JSON: ${error instanceof Error ? error.message : ''}`,
      error,
    )
  }
}

function createCorruptError(paths: ReadPaths, what: string, cause: unknown): EngineError {
  return new EngineError('POC_E_PACK_CORRUPT', `${paths.pack} ${what}`, {
    hint: `\`${formatSyncCommand(paths)}\` rebuilds it from the documents`,
    cause,
  })
}

function readVersion(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'schema_version' in value
    ? value.schema_version
    : undefined
}

export interface PackOrigin {
  readonly schemaVersion: number
  readonly generator: string
}

/** Reads who wrote the file from its first bytes. */
export function parseOrigin(head: string): PackOrigin | undefined {
  const version = /"schema_version"\s*:\s*(\d+)/.exec(head)?.[1]
  const generator = /"generator_version"\s*:\s*"([^"]*)"/.exec(head)?.[1]
  return version === undefined
    ? undefined
    : { schemaVersion: Number(version), generator: generator ?? '' }
}
