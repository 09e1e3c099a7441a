/**
 * `manifest.json` of an index that was written out: what it is, and of which pieces. It is the last
 * thing that is written and the first that is read, and vouches for everything beside it.
 */
import { join } from 'node:path'
import canonicalize from 'canonicalize'
import type { IndexStatus } from '../../model/code-index.ts'
import { EDGE_KINDS } from '../../model/index-record.ts'
import type { Files } from '../../platform/files.ts'
import { sha256 } from '../../platform/hash.ts'
import { z } from '../../platform/schema.ts'
import type { Poured } from './pour.ts'
import { artifactTrouble } from './trouble.ts'

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
export type Piece = Manifest['pieces'][number]
export type Backend = Manifest['backend']

export function manifestOf(
  { status, corpus }: Poured,
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
  return { ...rest, sha256: digestOf(rest) }
}

/** For people too: one line each, the keys in order. */
export function writeManifest(files: Files, folder: string, manifest: Manifest): void {
  const text = `${JSON.stringify(JSON.parse(canonical(manifest)), null, 2)}\n`
  writeWhole(files, join(folder, MANIFEST_NAME), Buffer.from(text))
}

/** Made durable with its folder, when that gets its place. */
export function writeWhole(files: Files, path: string, bytes: Uint8Array): void {
  const file = files.replace(path)
  try {
    file.write(bytes)
    file.commit()
  } catch (error) {
    file.discard()
    throw error
  }
}

/** Throws where there is none, or one that is not whole, not ours or of another version. */
export function readManifest(files: Files, folder: string): Manifest {
  const path = join(folder, MANIFEST_NAME)
  const value = parsed(textOf(files, path), path)
  const head = z.object({ format: z.literal(FORMAT), formatVersion: z.number() }).safeParse(value)
  if (!head.success) throw artifactTrouble('foreign', `${path} is not that of an index of dossier`)
  if (head.data.formatVersion !== FORMAT_VERSION) {
    throw artifactTrouble(
      'version',
      `${path} is of version ${head.data.formatVersion}, and ${FORMAT_VERSION} can be read`,
    )
  }
  const manifest = manifestSchema.safeParse(value)
  if (!manifest.success) {
    throw artifactTrouble('corrupt', `${path} is damaged: ${z.prettifyError(manifest.error)}`)
  }
  const { sha256: digest, ...rest } = manifest.data
  if (digestOf(rest) !== digest) throw artifactTrouble('corrupt', `${path} was changed`)
  return manifest.data
}

export function statusOf(manifest: Manifest, builtAt: string): Omit<IndexStatus, 'supports'> {
  const { meta, totals, indexSignature } = manifest
  return {
    ...totals,
    ...meta,
    skipped: meta.skipped as IndexStatus['skipped'],
    builtAt,
    signature: indexSignature,
  }
}

export function canonical(value: unknown): string {
  return canonicalize(value) ?? ''
}

function digestOf(rest: Omit<Manifest, 'sha256'>): string {
  return sha256(canonical(rest))
}

function textOf(files: Files, path: string): string {
  try {
    return new TextDecoder().decode(files.read(path))
  } catch (error) {
    throw artifactTrouble('missing', `there is no ${path}`, error)
  }
}

function parsed(text: string, path: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw artifactTrouble('corrupt', `${path} is damaged: it is no JSON`, error)
  }
}
