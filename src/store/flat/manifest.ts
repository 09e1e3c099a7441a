/**
 * `manifest.json` of an index that was written out: its properties and its pieces with checksums.
 * It is written last and read first.
 */
import { join } from 'node:path'
import canonicalize from 'canonicalize'
import type { IndexStatus } from '../../model/code-index.ts'
import { EDGE_KINDS } from '../../model/index-record.ts'
import type { Files } from '../../platform/files.ts'
import { sha256 } from '../../platform/hash.ts'
import { z } from '../../platform/schema.ts'
import { createArtifactError } from './artifact-errors.ts'
import type { CopiedIndex } from './copy-index.ts'

export const MANIFEST_NAME = 'manifest.json'
const FORMAT = 'dossier-index'
export const FORMAT_VERSION = 1

const count = z.int().check(z.minimum(0))
const diagnostic = z.object({ code: z.string(), path: z.string(), message: z.string() })

const manifestSchema = z.object({
  format: z.literal(FORMAT),
  formatVersion: z.literal(FORMAT_VERSION),
  backend: z.enum(['jsonl', 'lmdb']),
  generator: z.string(),
  indexSignature: z.string(),
  meta: z.object({
    extractorVersion: z.string(),
    options: z.string(),
    skipped: z.array(diagnostic),
  }),
  totals: z.object({
    files: count,
    bytes: count,
    lines: count,
    chunks: count,
    symbols: count,
    edges: z.record(z.enum(EDGE_KINDS), count),
    unresolved: count,
    languages: z.array(z.object({ language: z.string(), files: count })),
  }),
  corpus: z.object({ chunks: count, lengths: z.array(count) }),
  pieces: z.array(
    z.object({
      name: z.string(),
      kind: z.string(),
      records: count,
      bytes: count,
      sha256: z.string(),
    }),
  ),
  /** Of the rest of the manifest, as canonical JSON. */
  sha256: z.string(),
})

export type Manifest = z.infer<typeof manifestSchema>
export type IndexPiece = Manifest['pieces'][number]
export type Backend = Manifest['backend']

export function createManifest(
  { status, corpus }: CopiedIndex,
  own: Pick<Manifest, 'backend' | 'generator' | 'pieces'>,
): Manifest {
  const { files, bytes, lines, chunks, symbols, edges, unresolved, languages } = status
  const { extractorVersion, options, skipped } = status
  const counts = { files, bytes, lines, chunks, symbols, edges: { ...edges }, unresolved }
  const rest: Omit<Manifest, 'sha256'> = {
    format: FORMAT,
    formatVersion: FORMAT_VERSION,
    ...own,
    indexSignature: status.signature,
    meta: { extractorVersion, options, skipped: [...skipped] },
    totals: { ...counts, languages: [...languages] },
    corpus: { chunks: corpus.chunks, lengths: [...corpus.lengths] },
  }
  return { ...rest, sha256: computeDigest(rest) }
}

/** Readable for people: one line per key, in order. */
export function writeManifest(files: Files, folder: string, manifest: Manifest): void {
  const text = `${JSON.stringify(JSON.parse(canonicalJson(manifest)), null, 2)}\n`
  writeNewFile(files, join(folder, MANIFEST_NAME), Buffer.from(text))
}

/** Made durable together with its folder, when that is moved into place. */
export function writeNewFile(files: Files, path: string, bytes: Uint8Array): void {
  const file = files.replace(path)
  try {
    file.write(bytes)
    file.commit()
  } catch (error) {
    file.discard()
    throw error
  }
}

/** Throws if the manifest is missing, damaged, foreign or of another version. */
export function readManifest(files: Files, folder: string): Manifest {
  const path = join(folder, MANIFEST_NAME)
  const value = parseJson(readText(files, path), path)
  const head = z.object({ format: z.literal(FORMAT), formatVersion: z.number() }).safeParse(value)
  if (!head.success)
    throw createArtifactError('foreign', `${path} is not the manifest of a dossier index`)
  if (head.data.formatVersion !== FORMAT_VERSION) {
    throw createArtifactError(
      'version',
      `${path} has format version ${head.data.formatVersion}; this program reads version ${FORMAT_VERSION}`,
    )
  }
  const manifest = manifestSchema.safeParse(value)
  if (!manifest.success) {
    throw createArtifactError('corrupt', `${path} is damaged: ${z.prettifyError(manifest.error)}`)
  }
  const { sha256: digest, ...rest } = manifest.data
  if (computeDigest(rest) !== digest)
    throw createArtifactError('corrupt', `${path} does not match its checksum`)
  return manifest.data
}

export function toIndexStatus(manifest: Manifest, builtAt: string): Omit<IndexStatus, 'supports'> {
  const { meta, totals, indexSignature } = manifest
  return {
    ...totals,
    ...meta,
    skipped: meta.skipped as IndexStatus['skipped'],
    builtAt,
    signature: indexSignature,
  }
}

export function canonicalJson(value: unknown): string {
  return canonicalize(value) ?? ''
}

function computeDigest(rest: Omit<Manifest, 'sha256'>): string {
  return sha256(canonicalJson(rest))
}

function readText(files: Files, path: string): string {
  try {
    return new TextDecoder().decode(files.read(path))
  } catch (error) {
    throw createArtifactError('missing', `${path} does not exist`, error)
  }
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw createArtifactError('corrupt', `${path} is damaged: it is not JSON`, error)
  }
}
