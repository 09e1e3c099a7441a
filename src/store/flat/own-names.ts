/** The names of the files that an index is written out to: a folder with others in it is not ours. */
import { MANIFEST_NAME } from './manifest.ts'

const PIECE = /^[a-z]+-\d{4,}\.jsonl$/
const OTHERS = [MANIFEST_NAME, 'local.jsonl', 'index.mdb', 'index.mdb-lock']

export function isOurs(name: string): boolean {
  return OTHERS.includes(name) || PIECE.test(name)
}
