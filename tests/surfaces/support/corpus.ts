/** Documents out of nothing: as many and as large as a test needs. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface CorpusSize {
  readonly files: number
  readonly bytesPerFile: number
}

/** Every document has a word of its own, `topic7`, and every section one too, `topic7x3`. */
export function writeCorpus(folder: string, size: CorpusSize): void {
  mkdirSync(folder, { recursive: true })
  for (let at = 0; at < size.files; at += 1) {
    writeFileSync(join(folder, `page-${at}.md`), page(at, size.bytesPerFile))
  }
}

function page(number: number, bytes: number): string {
  const parts = [`# Topic ${number}\n\nAll about topic${number}.\n`]
  let length = 0
  for (let at = 0; length < bytes; at += 1) {
    const line = `Word topic${number}x${at} goes with getValue${at} and the token budget.\n`
    const section = `\n## Section ${at}\n\n${line.repeat(6)}`
    parts.push(section)
    length += section.length
  }
  return parts.join('')
}
