/** Detects the kind of a Tana file from its first bytes. */
import { closeSync, openSync } from 'node:fs'
import { type FileHead, readHead } from './describe-file.ts'

export type TanaKind = 'tana-export' | 'tana-intermediate'

/** Undefined for other files and unreadable ones. */
export function detectTanaKind(path: string): TanaKind | undefined {
  let file: number
  try {
    file = openSync(path, 'r')
  } catch {
    return undefined
  }
  try {
    return classifyHead(readHead(file))
  } catch {
    // A folder can be opened but not read.
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

function classifyHead({ text, keys }: FileHead): TanaKind | undefined {
  if (keys === undefined) return undefined
  if (keys.includes('version') && INTERMEDIATE.test(text)) return 'tana-intermediate'
  if (keys.some((key) => EXPORT_KEYS.has(key))) return 'tana-export'
  return keys.includes('nodes') && keys.includes('summary') ? 'tana-intermediate' : undefined
}
