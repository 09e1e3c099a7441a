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

/** Files of code, each with calls of the one before it: some seconds of work for an index. */
export function writeSources(folder: string, files: number): void {
  mkdirSync(folder, { recursive: true })
  for (let at = 0; at < files; at += 1) {
    const before = Math.max(0, at - 1)
    const steps = Array.from(
      { length: 40 },
      (_, step) =>
        `export function step${step}of${at}(value: number): number {\n  return step0of${before}(value) + ${step}\n}\n`,
    )
    const head = at === 0 ? '' : `import { step0of${before} } from './file${before}.ts'\n`
    writeFileSync(join(folder, `file${at}.ts`), head + steps.join(''))
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
