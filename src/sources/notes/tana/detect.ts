/** Which of Tana's files one is, told from its first bytes alone. */
import { closeSync, openSync } from 'node:fs'
import { type Head, readHead } from './looks-like.ts'

export type TanaKind = 'tana-export' | 'tana-intermediate'

/** Undefined for every other file, and for one that cannot be read. */
export function tanaKindOf(path: string): TanaKind | undefined {
  let file: number
  try {
    file = openSync(path, 'r')
  } catch {
    return undefined
  }
  try {
    return kindOf(readHead(file))
  } catch {
    // A folder can be opened and not read.
    return undefined
  } finally {
    closeSync(file)
  }
}

const EXPORT_KEYS: ReadonlySet<string> = new Set([
  'storeData',
  'docs',
  'formatVersion',
  'editors',
  'lastTxid',
  'lastFbKey',
  'optimisticTransIds',
  'currentWorkspaceId',
])

const INTERMEDIATE = /"version"\s*:\s*"TanaIntermediateFile/

function kindOf({ text, keys }: Head): TanaKind | undefined {
  if (keys === undefined) return undefined
  if (keys.includes('version') && INTERMEDIATE.test(text)) return 'tana-intermediate'
  if (keys.some((key) => EXPORT_KEYS.has(key))) return 'tana-export'
  return keys.includes('nodes') && keys.includes('summary') ? 'tana-intermediate' : undefined
}
