/** What the files of a shelf of packs are called; all that is known of a shelf without reading it. */
import type { Files } from '../../platform/files.ts'

const BEGINNING = 'context_packs.'
export const MANIFEST_NAME = `${BEGINNING}manifest.json`
export const META_NAME = `${BEGINNING}meta.json`
export const WHOLE_NAME = `${BEGINNING}jsonl`
export const PART = /^context_packs\.part-\d{4,}\.jsonl$/

export function partName(number: number): string {
  return `${BEGINNING}part-${String(number).padStart(4, '0')}.jsonl`
}

/** Whether there may be a pack: without any, nobody has to load what reads them. */
export function hasShelf(files: Files, folder: string): boolean {
  try {
    return files.list(folder).some((it) => it.name.startsWith(BEGINNING))
  } catch {
    return false
  }
}
