/** Real source texts, and random ones made of their lines; what holds of chunks of any text. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import type { Facts } from '../../src/model/facts.ts'
import { type Chunk, cutCode } from '../../src/sources/code/chunks.ts'
import { languageOf } from '../../src/sources/code/languages.ts'
import { readFacts } from '../../src/sources/code/read-facts.ts'

export interface CodeFile {
  readonly path: string
  readonly text: string
}

export interface CutFile extends CodeFile {
  readonly facts: Facts
  readonly chunks: readonly Chunk[]
}

const ROOT = join(import.meta.dirname, '..', '..')

/** Files of this project in each language that is understood and at hand. */
export const SAMPLES: readonly CodeFile[] = [
  'src/sources/markdown',
  'src/base',
  'tests/golden/code',
]
  .flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .toSorted()
      .map((name) => `${folder}/${name.replaceAll('\\', '/')}`),
  )
  .filter((path) => languageOf(path, '')?.grammar !== undefined)
  .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }))

/** Lines of real files of one language, at random, with any ending, cut off anywhere. */
export const anyCode: fc.Arbitrary<CodeFile> = fc
  .record({
    sources: fc.uniqueArray(fc.constantFrom(...SAMPLES), { minLength: 1, maxLength: 3 }),
    cuts: fc.array(fc.tuple(fc.nat(400), fc.integer({ min: 1, max: 60 })), { maxLength: 12 }),
    ending: fc.constantFrom('\n', '\r\n', '\r'),
    extra: fc.constantFrom(
      '',
      '\n',
      '\n\n \t\n',
      '// 𝒳𝒴 🎉 漢字',
      '\u00a0\n\u2003x',
      `a${'𝒳'.repeat(5000)}`,
    ),
    end: fc.nat(20_000),
  })
  .map(({ sources, cuts, ending, extra, end }) => {
    const name = sources[0]?.path.split('/').at(-1) ?? ''
    const lines = sources.flatMap((it) => it.text.split('\n'))
    const picked = cuts.flatMap(([from, count]) => lines.slice(from, from + count))
    const text = [...picked, extra].join(ending).slice(0, end)
    return { path: `any/${name}`, text }
  })

export async function cutFile(file: CodeFile): Promise<CutFile> {
  const language = languageOf(file.path, file.text)
  if (language === undefined) throw new Error(`no language for ${file.path}`)
  const read = await readFacts(file, language)
  if (read === undefined) throw new Error(`${file.path} cannot be parsed`)
  return { ...file, facts: read.facts, chunks: cutCode({ text: file.text, ...read }) }
}

/** What is wrong with chunks of a text, in words; empty when all is well. */
export function chunkProblems(text: string, chunks: readonly Chunk[]): readonly string[] {
  const problems: string[] = []
  const say = (what: string, it: Chunk): void => {
    problems.push(`${what}: ${it.start}-${it.end} ${it.kind} ${it.title}`)
  }
  let end = 0
  for (const it of chunks) {
    if (it.start < end) say('overlaps', it)
    if (it.end > text.length) say('beyond the end', it)
    if (text.slice(it.start, it.end).trim() === '') say('blank', it)
    if (text.slice(end, it.start).trim() !== '') say('text is lost before', it)
    if (isInsidePair(text, it.start) || isInsidePair(text, it.end)) say('splits a character', it)
    if (it.title === '' || it.title.length > 220 || /[\r\n]/.test(it.title)) say('bad title', it)
    end = it.end
  }
  if (text.slice(end).trim() !== '') problems.push(`lost at the end: ${text.slice(end, end + 40)}`)
  return problems
}

function isInsidePair(text: string, at: number): boolean {
  return /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(at - 1, at + 1))
}
