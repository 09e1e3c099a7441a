/**
 * `context_packs.manifest.json`: which packs are kept, in which piece each stands, and the hash that
 * its line must have. It is written last; where it is lost, it is made anew from the pieces.
 */
import { join } from 'node:path'
import canonicalize from 'canonicalize'
import type { Files } from '../../platform/files.ts'
import { sha256 } from '../../platform/hash.ts'
import { z } from '../../platform/schema.ts'
import { MANIFEST_NAME, PART, WHOLE_NAME } from './shelf-names.ts'

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
  /** Who made it: another version may make another pack of the same request. */
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
  /** In the order that they were kept in; of two with one id the later holds. */
  packs: z.array(keptSchema),
  sha256: z.string(),
})

export type Piece = z.infer<typeof pieceSchema>
export type KeptPack = z.infer<typeof keptSchema>

export interface ShelfState {
  readonly pieces: readonly Piece[]
  readonly packs: readonly KeptPack[]
}

/** The pieces that lie in a folder, in their order. */
export function pieceNames(files: Files, folder: string): readonly string[] {
  let names: readonly string[]
  try {
    names = files.list(folder).flatMap((it) => (it.isFile() ? [it.name] : []))
  } catch {
    return []
  }
  const parts = names.filter((it) => PART.test(it)).toSorted()
  // One that is left beside its parts is what they were made of.
  return parts.length === 0 && names.includes(WHOLE_NAME) ? [WHOLE_NAME] : parts
}

/** Undefined where there is none that can be believed. */
export function readManifest(files: Files, folder: string): ShelfState | undefined {
  try {
    const text = new TextDecoder().decode(files.read(join(folder, MANIFEST_NAME)))
    const manifest = manifestSchema.safeParse(JSON.parse(text))
    if (!manifest.success) return undefined
    const { sha256: digest, ...rest } = manifest.data
    return digest === digestOf(rest) ? rest : undefined
  } catch {
    return undefined
  }
}

export function manifestText(state: ShelfState): string {
  const rest = { format: FORMAT, formatVersion: 1, ...state }
  return `${JSON.stringify({ ...rest, sha256: digestOf(rest) }, null, 1)}\n`
}

/** The sidecar of a shelf in parts, for readers that know nothing of our manifest. */
export function metaText({ pieces }: ShelfState, maxShardBytes: number): string {
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

function digestOf(rest: object): string {
  return sha256(canonicalize(rest) ?? '')
}
