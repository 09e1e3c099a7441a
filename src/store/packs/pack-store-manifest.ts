/**
 * `context_packs.manifest.json`: which packs are stored, in which file, and the hash of each line.
 * It is written last; if it is missing, it is rebuilt from the files.
 */
import { join } from 'node:path'
import canonicalize from 'canonicalize'
import type { Files } from '../../platform/files.ts'
import { sha256 } from '../../platform/hash.ts'
import { z } from '../../platform/schema.ts'
import { MANIFEST_NAME, PART_NAME, WHOLE_NAME } from './pack-store-names.ts'

const FORMAT = 'dossier-context-packs'

const count = z.int().check(z.minimum(0))

const pieceSchema = z.strictObject({
  name: z.string(),
  records: count,
  bytes: count,
  sha256: z.string(),
})

const keptSchema = z.strictObject({
  packId: z.string(),
  indexSignature: z.string(),
  /** The generator: another version may build another pack for the same request. */
  generator: z.string(),
  piece: z.string(),
  offset: count,
  bytes: count,
  sha256: z.string(),
})

const manifestSchema = z.strictObject({
  format: z.literal(FORMAT),
  formatVersion: z.literal(1),
  pieces: z.array(pieceSchema),
  /** In the order in which they were stored; of two with the same id the later one is used. */
  packs: z.array(keptSchema),
  sha256: z.string(),
})

export type PackStoreFile = z.infer<typeof pieceSchema>
export type StoredPackEntry = z.infer<typeof keptSchema>

export interface PackStoreState {
  readonly pieces: readonly PackStoreFile[]
  readonly packs: readonly StoredPackEntry[]
}

/** The pieces that lie in a folder, in their order. */
export function listPackStoreFiles(files: Files, folder: string): readonly string[] {
  let names: readonly string[]
  try {
    names = files.list(folder).flatMap((it) => (it.isFile() ? [it.name] : []))
  } catch {
    return []
  }
  const parts = names.filter((it) => PART_NAME.test(it)).toSorted()
  // A whole file beside its parts is a leftover: the parts were made from it.
  return parts.length === 0 && names.includes(WHOLE_NAME) ? [WHOLE_NAME] : parts
}

/** Undefined if there is no valid manifest. */
export function readManifest(files: Files, folder: string): PackStoreState | undefined {
  try {
    const text = new TextDecoder().decode(files.read(join(folder, MANIFEST_NAME)))
    const manifest = manifestSchema.safeParse(JSON.parse(text))
    if (!manifest.success) return undefined
    const { sha256: digest, ...rest } = manifest.data
    return digest === computeDigest(rest) ? rest : undefined
  } catch {
    return undefined
  }
}

export function formatManifest(state: PackStoreState): string {
  const rest = { format: FORMAT, formatVersion: 1, ...state }
  return `${JSON.stringify({ ...rest, sha256: computeDigest(rest) }, null, 1)}\n`
}

/** The sidecar of a store in several files, for readers that do not know our manifest. */
export function formatMeta({ pieces }: PackStoreState, maxShardBytes: number): string {
  const meta = {
    schema: 'ContextPack',
    schemaVersion: '1.0.0',
    maxShardBytes,
    records: pieces.reduce((sum, it) => sum + it.records, 0),
    bytes: pieces.reduce((sum, it) => sum + it.bytes, 0),
    parts: pieces.map(({ name, records, bytes }) => ({ name, records, bytes })),
  }
  return `${JSON.stringify(meta, null, 1)}\n`
}

function computeDigest(rest: object): string {
  return sha256(canonicalize(rest) ?? '')
}
