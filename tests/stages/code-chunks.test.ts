/** Chunks of code: J1 every line that is not blank lies in one, J2 where they begin and end. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cutPlain } from '../../src/sources/code/chunks.ts'
import { cutMarkdown } from '../../src/sources/code/cut-markdown.ts'
import { anyCode, chunkProblems, cutFile, SAMPLES } from '../support/code-files.ts'
import { anyDocument } from '../support/documents.ts'
import { runs } from '../support/property.ts'

/** `kind name | first line … last line`, for each chunk. */
async function cut(path: string, text: string): Promise<readonly string[]> {
  const { chunks } = await cutFile({ path, text })
  expect(chunkProblems(text, chunks)).toEqual([])
  return chunks.map((it) => {
    const lines = text.slice(it.start, it.end).split('\n')
    const name = it.name === '' ? '' : ` ${it.name}`
    return `${it.kind}${name} | ${lines[0]?.trim()} … ${lines.at(-1)?.trim()}`
  })
}

/** A function body of about so many characters, 30 to a line. */
function filler(characters: number, indent = '  '): string {
  const count = Math.ceil(characters / 30)
  return Array.from(
    { length: count },
    (_, at) => `${indent}call(${'x'.repeat(15)}${1000 + at})`,
  ).join('\n')
}

function member(name: string, size: number): string {
  return `  /** Does ${name}. */\n  ${name}() {\n${filler(size, '    ')}\n  }\n`
}

describe('J1 coverage', () => {
  test('J1 every file of this project is covered', async () => {
    expect(SAMPLES.length).toBeGreaterThan(50)
    for (const file of SAMPLES) {
      const { text, chunks } = await cutFile(file)
      expect({ path: file.path, problems: chunkProblems(text, chunks) }).toEqual({
        path: file.path,
        problems: [],
      })
    }
  })

  test('J1 lines of real files in any order, cut off anywhere, with any line ending', async () => {
    await fc.assert(
      fc.asyncProperty(anyCode, async (file) => {
        const { text, chunks } = await cutFile(file)
        expect(chunkProblems(text, chunks)).toEqual([])
        for (const it of chunks) expect(it.end - it.start).toBeLessThanOrEqual(4200)
      }),
      runs(150),
    )
  })

  test('J1 plain text and Markdown of any kind', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          anyCode.map((it) => it.text),
          fc.string({ unit: 'binary' }),
        ),
        (text) => {
          expect(chunkProblems(text, cutPlain(text))).toEqual([])
        },
      ),
      runs(200),
    )
    fc.assert(
      fc.property(anyDocument, ({ text }) => {
        expect(chunkProblems(text, cutMarkdown(text))).toEqual([])
      }),
      runs(200),
    )
  })

  test('J1 a line of a megabyte is cut between characters', async () => {
    const line = `const data = "${'𝒳'.repeat(500_000)}"`
    const { text, chunks } = await cutFile({ path: 'a.js', text: line })
    expect(chunkProblems(text, chunks)).toEqual([])
    expect(chunks.length).toBeGreaterThan(200)
    const minified = 'a=b(c,d);function e(f){return f};'.repeat(6000)
    const other = await cutFile({ path: 'b.js', text: minified })
    expect(chunkProblems(minified, other.chunks)).toEqual([])
    const ends = other.chunks.slice(0, -1).map((it) => minified[it.end - 1])
    expect(ends.filter((it) => !',;}'.includes(it ?? '?'))).toEqual([])
  })

  test.each(['', ' \n\t\n', '\n\n'])('J1 nothing is made of %j', async (text) => {
    expect((await cutFile({ path: 'a.ts', text })).chunks).toEqual([])
    expect(cutPlain(text)).toEqual([])
    expect(cutMarkdown(text)).toEqual([])
  })
})

describe('J2 boundaries', () => {
  test('J2 what leads up to a declaration belongs to it', async () => {
    const body = filler(300)
    const text = `import { a } from './a'
import { b } from './b-${'x'.repeat(200)}'

/** Adds. */
// Twice.
export function add() {
${body}
}

// About the class.
@Sealed()
export class Small {
${filler(250).replaceAll('call', '  x = call')}
}
`
    expect(await cut('a.ts', text)).toEqual([
      "imports | import { a } from './a' … " + text.split('\n')[1],
      'function add | /** Adds. */ … }',
      'class Small | // About the class. … }',
    ])
  })

  test('J2 in Python, decorators too; a comment after a blank line stays where it is', async () => {
    const text = `# A licence, which is long enough to stand alone. ${'x'.repeat(200)}

# Runs.
@decorated
def run():
${filler(300, '    ')}
# ends

@other
def walk():
${filler(300, '    ')}
`
    expect(await cut('a.py', text)).toEqual([
      expect.stringMatching(/^block \| # A licence/),
      expect.stringMatching(/^function run \| # Runs\. … # ends$/),
      expect.stringMatching(/^function walk \| @other … call/),
    ])
  })

  test('J2 a small class stays whole, a larger one becomes a head and its members', async () => {
    const small = `class A {\n${member('one', 250)}${member('two', 250)}}\n`
    expect(await cut('a.ts', small)).toEqual(['class A | class A { … }'])
    const large = `class A {\n  x = 1\n${member('one', 900)}\n${member('two', 900)}}\n`
    expect(await cut('a.ts', large)).toEqual([
      'class A | class A { … x = 1',
      'method A.one | /** Does one. */ … }',
      'method A.two | /** Does two. */ … }',
    ])
  })

  test('J2 short members next to each other are one chunk', async () => {
    const short = ['a', 'b', 'c'].map((it) => `  ${it}() {\n    return 1\n  }`).join('\n')
    const text = `class A {\n${filler(300).replaceAll('call', 'x = call')}\n  big() {\n${filler(1500)}\n  }\n${short}\n}\n`
    const { chunks } = await cutFile({ path: 'a.ts', text })
    expect(chunks.map((it) => `${it.kind} ${it.name}`)).toEqual([
      'class A',
      'method A.big',
      'method A.a',
    ])
    expect(chunks[2]?.title).toBe('a(); b(); c()')
  })

  test('J2 overloads stay with the function', async () => {
    const text = `export function f(a: string): void\nexport function f(a: number): void\nexport function f(a: unknown) {\n${filler(600)}\n}\n`
    expect(await cut('a.ts', text)).toEqual(['function f | export function f(a: string): void … }'])
  })

  test('J2 what is huge is split between statements, each part with its definition', async () => {
    const statement = `  if (ready) {\n${filler(400, '    ')}\n  }`
    const text = `function huge() {\n${Array.from({ length: 25 }, () => statement).join('\n')}\n}\n`
    const { chunks } = await cutFile({ path: 'a.ts', text })
    expect(chunkProblems(text, chunks)).toEqual([])
    expect(chunks.length).toBeGreaterThan(2)
    expect(new Set(chunks.map((it) => `${it.kind} ${it.name} ${it.definition}`)).size).toBe(1)
    expect(chunks.map((it) => it.title)).toEqual(
      chunks.map((_, at) => `function huge()${at === 0 ? '' : ` (part ${at + 1})`}`),
    )
    for (const it of chunks.slice(1)) {
      expect(text.slice(it.start, it.end)).toMatch(/^ {2}if \(ready\) \{/)
    }
    for (const it of chunks) expect(it.end - it.start).toBeLessThanOrEqual(4000)
  })

  test('J2 a large function inside a huge one has its own chunk', async () => {
    const text = `function outer() {\n${filler(2500)}\n  function inner() {\n${filler(1500, '    ')}\n  }\n${filler(900)}\n}\n`
    const { chunks } = await cutFile({ path: 'a.ts', text })
    expect(chunks.map((it) => `${it.name} | ${it.title}`)).toEqual([
      'outer | function outer()',
      'outer.inner | function inner()',
      'outer | function outer() (part 2)',
    ])
  })

  test('J2 the title is the signature, in one line, without its body', async () => {
    const text = `@Injectable()
export default class Router<T>
  extends Base<T>
{
${filler(300).replaceAll('call', 'x = call')}
}
export const handle = async (
  context: Context,
  next = () => { return 1 },
): Promise<void> => {
${filler(300)}
}
${'const y = 1; '.repeat(30)}
`
    const { chunks } = await cutFile({ path: 'a.ts', text })
    expect(chunks.map((it) => it.title)).toEqual([
      'export default class Router<T> extends Base<T>',
      'export const handle = async ( context: Context, next = () => { return 1 }, ): Promise<void>',
      expect.stringMatching(/^const y = 1; .{180,}…$/),
    ])
  })

  test('J2 a member that is given from outside is named by what receives it', async () => {
    const text = `function Router() {\n${filler(300)}\n}\nRouter.prototype.add = function () {\n${filler(300)}\n}\n`
    const { chunks } = await cutFile({ path: 'a.js', text })
    expect(chunks.map((it) => it.name)).toEqual(['Router', 'Router.add'])
  })

  test('J2 plain text is cut after blank lines', () => {
    const paragraph = `${'word '.repeat(80)}\n${'word '.repeat(80)}\n`
    const chunks = cutPlain(Array.from({ length: 12 }, () => paragraph).join('\n'))
    expect(chunks.length).toBeGreaterThan(2)
    for (const it of chunks) {
      expect(it.kind).toBe('block')
      expect(it.end - it.start).toBeLessThanOrEqual(3000)
    }
    const whole = chunks.map((it) => (it.end - it.start + 2) / (paragraph.length + 1))
    for (const it of whole) expect(Math.abs(it - Math.round(it))).toBeLessThan(0.01)
  })

  test('J2 Markdown is cut at its headings, front matter apart', () => {
    const text = '---\ntitle: T\n---\nBefore.\n\n# One\n\ntext\n\n## Two\n\nmore\n'
    const found = cutMarkdown(text).map((it) => [it.kind, it.title, text.slice(it.start, it.end)])
    expect(found).toEqual([
      ['front-matter', 'front matter', '---\ntitle: T\n---'],
      ['section', 'Before.', 'Before.'],
      ['section', 'One', '# One\n\ntext'],
      ['section', 'One > Two', '## Two\n\nmore'],
    ])
  })
})
