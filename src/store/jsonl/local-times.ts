/**
 * `local.jsonl`: the times of the machine that built the index. It is not part of the manifest, so
 * that the rest is the same on every machine, and may be omitted when an index is copied.
 */
import { join } from 'node:path'
import type { Files } from '../../platform/files.ts'
import { sha256 } from '../../platform/hash.ts'
import { createArtifactError } from '../flat/artifact-errors.ts'
import { canonicalJson, writeNewFile } from '../flat/manifest.ts'

export const LOCAL_NAME = 'local.jsonl'

export interface LocalTimes {
  readonly builtAt: string
  /** In the order of the files. */
  readonly mtimes: readonly number[]
  /** Of all of it. */
  readonly sha256: string
}

/** Time zero for everything, so that no existing file counts as older. */
const NO_TIMES: LocalTimes = { builtAt: new Date(0).toISOString(), mtimes: [], sha256: '' }

interface TimesHeader {
  readonly builtAt: string
  readonly indexSignature: string
  readonly sha256: string
}

interface TimesLocation {
  readonly files: Files
  readonly folder: string
  readonly indexSignature: string
}

export function writeLocalTimes(
  { files, folder, indexSignature }: TimesLocation,
  times: Omit<LocalTimes, 'sha256'>,
): void {
  const body = times.mtimes.map((it) => `${canonicalJson(it)}\n`).join('')
  const head: TimesHeader = { builtAt: times.builtAt, indexSignature, sha256: sha256(body) }
  writeNewFile(files, join(folder, LOCAL_NAME), Buffer.from(`${canonicalJson(head)}\n${body}`))
}

export function readLocalTimes({ files, folder, indexSignature }: TimesLocation): LocalTimes {
  const path = join(folder, LOCAL_NAME)
  if (!files.list(folder).some((it) => it.name === LOCAL_NAME)) return NO_TIMES
  const text = new TextDecoder().decode(files.read(path))
  const past = text.indexOf('\n') + 1
  const head = parseHeader(text.slice(0, past))
  const body = text.slice(past)
  if (head?.indexSignature !== indexSignature || head.sha256 !== sha256(body)) {
    throw createArtifactError('corrupt', `${path} is damaged, or belongs to another index`)
  }
  const mtimes = body.split('\n').slice(0, -1).map(Number)
  return { builtAt: head.builtAt, mtimes, sha256: sha256(text) }
}

function parseHeader(line: string): TimesHeader | undefined {
  try {
    return JSON.parse(line) as TimesHeader
  } catch {
    return undefined
  }
}
