/** File names of an exported index: a folder with other files is not one of ours. */
import { MANIFEST_NAME } from './manifest.ts'

const PIECE = /^[a-z]+-\d{4,}\.jsonl$/
const OTHERS = [MANIFEST_NAME, 'local.jsonl', 'index.mdb', 'index.mdb-lock']

export function isExportedFileName(name: string): boolean {
  return OTHERS.includes(name) || PIECE.test(name)
}
