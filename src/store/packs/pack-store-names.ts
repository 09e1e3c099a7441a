/** Names of the files that store context packs. */
import type { Files } from '../../platform/files.ts'

const NAME_PREFIX = 'context_packs.'
export const MANIFEST_NAME = `${NAME_PREFIX}manifest.json`
export const META_NAME = `${NAME_PREFIX}meta.json`
export const WHOLE_NAME = `${NAME_PREFIX}jsonl`
export const PART_NAME = /^context_packs\.part-\d{4,}\.jsonl$/

export function formatPartName(number: number): string {
  return `${NAME_PREFIX}part-${String(number).padStart(4, '0')}.jsonl`
}

/** Whether there may be stored packs; avoids loading the reader if there are none. */
export function hasStoredPacks(files: Files, folder: string): boolean {
  try {
    return files.list(folder).some((it) => it.name.startsWith(NAME_PREFIX))
  } catch {
    return false
  }
}
