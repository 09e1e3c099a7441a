/**
 * `local.jsonl`: what an index knows of the machine that made it, which is when. It is no part of
 * the manifest, so that the rest is the same everywhere, and may be left out when it is sent around.
 */
import { join } from 'node:path'
import type { Files } from '../../platform/files.ts'
import { sha256 } from '../../platform/hash.ts'
import { canonical, writeWhole } from '../flat/manifest.ts'
import { artifactTrouble } from '../flat/trouble.ts'

export const LOCAL_NAME = 'local.jsonl'

export interface LocalTimes {
  readonly builtAt: string
  /** In the order of the files. */
  readonly mtimes: readonly number[]
  /** Of all of it. */
  readonly sha256: string
}

/** As if everything had been made when time began, so nothing that is there is taken for older. */
const NO_TIMES: LocalTimes = { builtAt: new Date(0).toISOString(), mtimes: [], sha256: '' }

interface Head {
  readonly builtAt: string
  readonly indexSignature: string
  readonly sha256: string
}

interface Place {
  readonly files: Files
  readonly folder: string
  readonly indexSignature: string
}

export function writeLocalTimes(
  { files, folder, indexSignature }: Place,
  times: Omit<LocalTimes, 'sha256'>,
): void {
  const body = times.mtimes.map((it) => `${canonical(it)}\n`).join('')
  const head: Head = { builtAt: times.builtAt, indexSignature, sha256: sha256(body) }
  writeWhole(files, join(folder, LOCAL_NAME), Buffer.from(`${canonical(head)}\n${body}`))
}

export function readLocalTimes({ files, folder, indexSignature }: Place): LocalTimes {
  const path = join(folder, LOCAL_NAME)
  if (!files.list(folder).some((it) => it.name === LOCAL_NAME)) return NO_TIMES
  const text = new TextDecoder().decode(files.read(path))
  const past = text.indexOf('\n') + 1
  const head = headOf(text.slice(0, past))
  const body = text.slice(past)
  if (head?.indexSignature !== indexSignature || head.sha256 !== sha256(body)) {
    throw artifactTrouble('corrupt', `${path} is damaged, or that of another index`)
  }
  const mtimes = body.split('\n').slice(0, -1).map(Number)
  return { builtAt: head.builtAt, mtimes, sha256: sha256(text) }
}

function headOf(line: string): Head | undefined {
  try {
    return JSON.parse(line) as Head
  } catch {
    return undefined
  }
}
