/**
 * What an index was made from, in one hash: the same for every order in which files came, and on
 * every machine. Files are hashed in buckets by their paths, so one changed file costs one bucket.
 */
import type { DatabaseSync } from 'node:sqlite'
import { sha256 } from '../../platform/hash.ts'

export const BUCKETS = 1024
const EMPTY = sha256('')

export interface SignedFile {
  readonly path: string
  readonly sha256: string
}

export interface SignedBy {
  readonly extractorVersion: string
  readonly options: string
}

/** The first ten bits of the path's hash. */
export function bucketOf(path: string): number {
  return Number.parseInt(sha256(path).slice(0, 3), 16) >> 2
}

export function bucketDigest(files: readonly SignedFile[]): string {
  return sha256(
    files
      .map((it) => `${it.path}\0${it.sha256}\n`)
      .toSorted()
      .join(''),
  )
}

/** Of all buckets, in order. */
export function signatureOf(by: SignedBy, digests: readonly string[]): string {
  return sha256(`${by.extractorVersion}\0${by.options}\0${digests.join('\n')}`)
}

/** Of files at hand, without an index. */
export function signatureOfFiles(by: SignedBy, files: readonly SignedFile[]): string {
  const buckets = Array.from({ length: BUCKETS }, () => [] as SignedFile[])
  for (const file of files) buckets[bucketOf(file.path)]?.push(file)
  return signatureOf(by, buckets.map(bucketDigest))
}

/** Brings the digests of these buckets up to date. */
export function updateBuckets(connection: DatabaseSync, touched: Iterable<number>): void {
  const files = connection.prepare('SELECT path, sha256 FROM files WHERE bucket = ?')
  const put = connection.prepare('INSERT OR REPLACE INTO buckets VALUES (?, ?)')
  for (const bucket of touched) {
    put.run(bucket, bucketDigest(files.all(bucket) as unknown as SignedFile[]))
  }
}

export function storedSignature(connection: DatabaseSync, by: SignedBy): string {
  const digests = Array.from({ length: BUCKETS }, () => EMPTY)
  for (const row of connection.prepare('SELECT n, digest FROM buckets').iterate()) {
    digests[Number(row['n'])] = String(row['digest'])
  }
  return signatureOf(by, digests)
}
