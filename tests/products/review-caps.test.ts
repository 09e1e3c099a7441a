/** Packs about random changes of generated repositories: DF2, DF3, DF6. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { packText } from '../../src/format/pack-text.ts'
import type { ContextPack } from '../../src/model/context-pack.ts'
import { RENDERINGS } from '../../src/model/pack-request.ts'
import { canonicalPack } from '../../src/packs/context/pack-id.ts'
import { GitRepository, hasGit } from '../support/git-repository.ts'
import { itemsOf, tokensOf } from '../support/packed.ts'
import { writeFile } from '../support/project.ts'
import { runs } from '../support/property.ts'
import { ON_DISK, reviewPack } from '../support/review.ts'

const FILES = 8
const FUNCTIONS = 6

/** Each function calls one of the next file. */
function sourceOf(file: number, values: readonly number[]): string {
  const imports = file + 1 < FILES ? `import * as next from './part-${file + 1}.ts'\n\n` : ''
  const functions = values.map((value, at) => {
    const call = file + 1 < FILES ? `next.f${file + 1}x${at}()` : '0'
    const lines = Array.from({ length: value % 7 }, (_, line) => `  const v${line} = ${value}\n`)
    return `/** Number ${at}. */\nexport function f${file}x${at}(): number {\n${lines.join('')}  return ${call} + ${value}\n}\n`
  })
  return imports + functions.join('\n')
}

const values = fc.array(fc.array(fc.nat(60), { minLength: FUNCTIONS, maxLength: FUNCTIONS }), {
  minLength: FILES,
  maxLength: FILES,
})

const request = fc.record({
  tokens: fc.integer({ min: 250, max: 6000 }),
  chars: fc.integer({ min: 1200, max: 30_000 }),
  items: fc.integer({ min: 1, max: 80 }),
  rendering: fc.constantFrom(...RENDERINGS),
  fill: fc.boolean(),
  intent: fc.constantFrom('review', 'impact', 'answer'),
})

test.skipIf(!hasGit)(
  'DF6 no cap is ever exceeded, and every changed definition is shown, named or counted',
  async () => {
    const repository = new GitRepository()
    const { folder } = repository
    const write = (all: readonly (readonly number[])[]): void => {
      for (const [file, own] of all.entries())
        writeFile(folder, `src/part-${file}.ts`, sourceOf(file, own))
    }
    const first = Array.from({ length: FILES }, () => Array.from({ length: FUNCTIONS }, () => 3))
    write(first)
    repository.commit('Begin', {})
    await fc.assert(
      fc.asyncProperty(values, fc.nat(FILES), request, async (all, changed, asked) => {
        write(first.map((own, file) => (file < changed ? (all[file] ?? own) : own)))
        const wish = {
          intent: asked.intent,
          rendering: asked.rendering,
          fill: asked.fill,
          budgets: {
            maxTotalTokens: asked.tokens,
            maxTotalChars: asked.chars,
            maxItems: asked.items,
          },
        } as const
        const pack = await reviewPack(folder, ON_DISK, { wish })
        const text = packText(pack, asked.rendering)
        expect(await tokensOf(pack)).toBeLessThanOrEqual(asked.tokens)
        expect(text.length).toBeLessThanOrEqual(asked.chars)
        expect(pack.stats).toMatchObject({ tokens: await tokensOf(pack), chars: text.length })
        expect(itemsOf(pack).length).toBeLessThanOrEqual(asked.items)
        checkNames(pack, all, { first, changed })
        checkMarks(pack, folder)
        const again = await reviewPack(folder, ON_DISK, { wish })
        expect(canonicalPack(again)).toBe(canonicalPack(pack))
      }),
      runs(12),
    )
  },
  120_000,
)

interface Expected {
  readonly first: readonly (readonly number[])[]
  readonly changed: number
}

function checkNames(
  { changes }: ContextPack,
  all: readonly (readonly number[])[],
  { first, changed }: Expected,
): void {
  const names = all
    .slice(0, changed)
    .flatMap((own, file) =>
      own.flatMap((it, at) => (it === first[file]?.[at] ? [] : [`f${file}x${at}`])),
    )
  expect(changes?.counts.symbols).toBe(names.length)
  const paths = new Set(names.map((it) => `src/part-${/\d+/.exec(it)?.[0]}.ts`))
  expect(changes?.counts.files).toBe(paths.size)
  const named = (changes?.files ?? []).flatMap((it) => it.symbols)
  const isComplete = changes?.files.length === changes?.counts.files
  if (isComplete) expect(named.toSorted()).toEqual(names.toSorted())
  else expect(names).toEqual(expect.arrayContaining([...named]))
  for (const { path, lines, to } of changes?.referrers ?? []) {
    expect(names).toContain(to)
    for (const line of lines) expect(lineOf(path, line)).toContain(to)
  }
}

let top = ''

function lineOf(path: string, line: number): string | undefined {
  return readFileSync(join(top, path), 'utf8').split('\n')[line - 1]
}

/** Marks are those of git, and all changed lines of a shown item are shown. */
function checkMarks(pack: ContextPack, folder: string): void {
  top = folder
  for (const { changes, excerpt, fileRelPath, lines } of itemsOf(pack)) {
    if (changes === undefined) continue
    const added = addedLines(folder, fileRelPath).filter(
      (it) => lines.start <= it && it <= lines.end,
    )
    const marked = changes.lines.flatMap(({ start, end }) =>
      Array.from({ length: end - start + 1 }, (_, at) => start + at),
    )
    expect(marked).toEqual(added)
    if (excerpt.level === 'title') continue
    const isShown = (line: number): boolean =>
      excerpt.parts.some((it) => it.lines.start <= line && line <= it.lines.end)
    expect(added.filter((it) => !isShown(it))).toEqual([])
  }
}

/** By git itself. */
function addedLines(folder: string, path: string): readonly number[] {
  const diff = execFileSync('git', ['diff', '-U0', 'HEAD', '--', path], {
    cwd: folder,
    encoding: 'utf8',
  })
  return [...diff.matchAll(/^@@ -\S+ \+(\d+)(?:,(\d+))? @@/gm)].flatMap(([, start, count = '1']) =>
    Array.from({ length: Number(count) }, (_, at) => Number(start) + at),
  )
}
