/** Shortened texts: TX2, TX3, and the filling of a budget. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fill } from '../../src/budget/fill.ts'
import { bar } from '../../src/format/bar.ts'
import { excerpt } from '../../src/format/excerpt.ts'
import { skeleton } from '../../src/format/skeleton.ts'
import { anyDocument, fencedDocument } from '../support/documents.ts'
import { openFences } from '../support/markdown-truth.ts'
import { runs } from '../support/property.ts'

describe('TX2 an excerpt', () => {
  test('TX2 keeps indentation', () => {
    const text = '# A\n\n    code\n\t- item\n  two'
    expect(excerpt(text)).toEqual({ text, isCut: false })
  })

  test('TX2 closes a fence that it cuts, with the fence’s own mark', () => {
    expect(excerpt('a\n~~~~ js\n  one\n  two\n~~~~\n', 3)).toEqual({
      text: 'a\n~~~~ js\n  one\n~~~~',
      isCut: true,
    })
    expect(excerpt('> ```\n> a\n> b\n> ```\n', 2).text).toBe('> ```\n> a\n> ```')
  })

  test('TX2 does not end in blank lines', () => {
    expect(excerpt('a\n\n\nb\n', 3)).toEqual({ text: 'a', isCut: true })
  })

  test('TX2 shortens a line of megabytes, never inside a character', () => {
    const { text, isCut } = excerpt('🎉'.repeat(1_000_000))
    expect(isCut).toBe(true)
    expect(text.length).toBeLessThan(500)
    expect(text.isWellFormed()).toBe(true)
  })

  test('TX2 of any document is its beginning, line by line, and says whether it was cut', () => {
    fc.assert(
      fc.property(anyDocument, fc.integer({ min: 1, max: 30 }), ({ text }, most) => {
        const lines = text.split(/\r\n|\r|\n/)
        const cut = excerpt(text, most)
        const given = cut.text.split('\n')
        expect(given.length).toBeLessThanOrEqual(most + 1)
        for (const [at, line] of given.slice(0, most).entries()) {
          const source = lines[at] ?? ''
          const isEnd = at === given.length - 1 && /^[>\s]*(?:`{3,}|~{3,})$/.test(line)
          expect(isEnd || line === source || source.startsWith(line.replace(/…$/, ''))).toBe(true)
        }
        if (!cut.isCut) expect(given.slice(0, lines.length)).toEqual(lines)
      }),
      runs(500),
    )
  })

  test('TX2 leaves no fence open', () => {
    fc.assert(
      fc.property(fencedDocument, fc.integer({ min: 1, max: 30 }), (text, most) => {
        fc.pre(openFences(text).length === 0)
        expect(openFences(excerpt(text, most).text)).toEqual([])
      }),
      runs(500),
    )
  })
})

const ARTICLE = `# Logging

Harbor logs every request. There is more to say about that.
It goes on here.

- First item. With a second sentence.
- Second item

Sub title
---------

No full stop at the end of this

\`\`\`ts
import { x } from 'y'

export async function login(user: string) {
  const inner = 1
  return user
}
class Session {}
\`\`\`

\`\`\`
$ harbor start
started
\`\`\`
`

describe('TX3 a skeleton', () => {
  test('TX3 keeps headings, first sentences and signatures', () => {
    expect(skeleton(ARTICLE)).toMatchInlineSnapshot(`
      "# Logging
      Harbor logs every request.
      - First item.
      - Second item
      Sub title
      ---------
      No full stop at the end of this
      \`\`\`ts
      export async function login(user: string) {
        const inner = 1
      class Session {}
      \`\`\`
      \`\`\`
      $ harbor start
      \`\`\`"
    `)
  })

  test('TX3 a heading in code is code', () => {
    expect(skeleton('```sh\n# comment\nls\n```')).toBe('```sh\n# comment\n```')
  })

  test('TX3 leaves no fence open', () => {
    fc.assert(
      fc.property(fencedDocument, (text) => {
        fc.pre(openFences(text).length === 0)
        expect(openFences(skeleton(text))).toEqual([])
      }),
      runs(500),
    )
  })

  test('TX3 of any document holds only what the document holds, and every heading of it', () => {
    fc.assert(
      fc.property(fencedDocument, (text) => {
        const bones = skeleton(text)
        const squeezed = text.replace(/\s+/g, '')
        for (const line of bones.split('\n')) {
          expect(squeezed).toContain(line.replace(/…$/, '').replace(/\s+/g, ''))
        }
        expect(bones.length).toBeLessThanOrEqual(text.length + 10)
      }),
      runs(500),
    )
  })
})

function count(text: string): number {
  return text.length
}

function render(kept: readonly (readonly [number, number])[], left: readonly unknown[]): string {
  return kept.map(([, size]) => 'x'.repeat(size)).join('') + (left.length > 0 ? '!' : '')
}

describe('TX4 filling a budget', () => {
  const items = fc.uniqueArray(fc.tuple(fc.nat(99), fc.nat(30)), { selector: (it) => it[0] })

  test('TX4 is never over it, unless nothing at all fits', () => {
    fc.assert(
      fc.property(items, fc.nat(200), (list, budget) => {
        const filling = fill({ items: list, budget, count, render })
        expect(filling.tokens).toBe(count(filling.text))
        if (filling.kept.length > 0) expect(filling.tokens).toBeLessThanOrEqual(budget)
      }),
      runs(300),
    )
  })

  test('TX4 every item is either kept or left, in order', () => {
    fc.assert(
      fc.property(items, fc.nat(200), (list, budget) => {
        const { kept, left } = fill({ items: list, budget, count, render })
        expect(list.filter((it) => kept.includes(it))).toEqual(kept)
        expect(list.filter((it) => !kept.includes(it))).toEqual(left)
      }),
      runs(300),
    )
  })

  test('TX4 nothing that is left would still fit', () => {
    fc.assert(
      fc.property(items, fc.integer({ min: 1, max: 200 }), (list, budget) => {
        const { kept, left } = fill({ items: list, budget, count, render })
        for (const it of left) {
          const more = list.filter((each) => each === it || kept.includes(each))
          const others = list.filter((each) => !more.includes(each))
          expect(count(render(more, others))).toBeGreaterThan(budget)
        }
      }),
      runs(300),
    )
  })
})

describe('a bar', () => {
  test('is as long as its share, and anything above nothing can be seen', () => {
    expect([bar(0, 4), bar(0.5, 4), bar(1, 4), bar(2, 4)]).toEqual(['    ', '██  ', '████', '████'])
    expect(bar(0.0001, 4).trim()).toBe('▏')
  })
})
