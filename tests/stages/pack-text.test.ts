/** F4 to F6: a pack as text, in parts that can be summed, and never broken by what it holds. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { blocksOf } from '../../src/format/pack-blocks.ts'
import { packParts, packText, SECTION_TITLES } from '../../src/format/pack-text.ts'
import type { ContextItem, ContextPack, ContextSection } from '../../src/model/context-pack.ts'
import { SECTION_TYPES } from '../../src/model/context-pack.ts'
import { DEFAULT_BUDGETS, RENDERINGS } from '../../src/model/pack-request.ts'
import { item, MAIN, PARSE, shown } from '../support/context-items.ts'
import { parseOutside } from '../support/markdown-truth.ts'
import { runs } from '../support/property.ts'
import { realTokens } from '../support/world.ts'

function pack(
  sections: readonly ContextSection[],
  changes: Partial<ContextPack> = {},
): ContextPack {
  return {
    formatVersion: 1,
    schema: 'ContextPack',
    schemaVersion: '1.0.0',
    indexSignature: 'sha256:0123456789abcdef0123',
    packId: '00',
    createdAt: '2020-01-01T00:00:00.000Z',
    request: {
      repoId: 'harbor',
      indexRoot: '/nowhere',
      indexSignature: 'sha256:0123456789abcdef0123',
      query: 'who parses\nthe text?',
      seedMode: 'mixed',
      seedProvider: 'hybrid',
      intent: 'answer',
      focus: {},
      expansion: {
        maxHops: 2,
        edgeTypes: ['call'],
        direction: 'both',
        includeSameFileNeighbors: false,
        includeImports: true,
        includeExports: true,
        includeDataflow: false,
        requireEvidence: false,
        evidenceKinds: ['callsite'],
      },
      budgets: DEFAULT_BUDGETS,
      ordering: { primary: 'hybridScore', stableTieBreakers: [] },
      strictness: 'warn',
      includeExplain: true,
      rendering: 'markdown',
      fill: false,
    },
    budgets: { ...DEFAULT_BUDGETS, clamped: [{ field: 'maxItems', requested: 999, applied: 250 }] },
    confidence: { level: 'low', likelihood: 0.05, unknown: ['parseAll'] },
    seeds: [],
    sections,
    relations: [],
    pointers: [item(), EXCERPT],
    explain: {
      query: { words: [], identifiers: [], paths: [], phrases: [] },
      terms: { 'xxh64:0000000000000001': [{ name: 'words', value: 0.123_456 }] },
      seedTerms: {},
      evidenceGaps: [],
      leftOut: Array.from({ length: 10 }, (_, at) => ({
        chunkUid: `xxh64:${at}`,
        ...(at % 2 === 0 ? { symbolId: `local far${at}` } : {}),
        fileRelPath: `src/far-${at % 3}.ts`,
        lines: { start: at + 1, end: at + 9 },
        title: `function far${at}()`,
        reason: 'budget' as const,
      })),
      notes: ['the index is older than the files'],
    },
    stats: {
      itemsPerSection: {},
      dropped: { budget: 0, noEvidence: 0, duplicate: 0, unsupported: 0, secret: 0 },
      maxHop: 1,
      candidates: 1,
      edgesWalked: 1,
      tokens: 0,
      chars: 0,
      timings: {},
    },
    ...changes,
  }
}

function section(
  items: readonly ContextItem[],
  changes: Partial<ContextSection> = {},
): ContextSection {
  return { type: 'callees', title: SECTION_TITLES.callees, items, omitted: [], ...changes }
}

const { symbolId: _symbolId, ...SYMBOLLESS } = item()
const EXCERPT: ContextItem = {
  ...SYMBOLLESS,
  kind: 'chunk',
  chunkUid: 'xxh64:0000000000000002',
  fileRelPath: 'docs/guide.md',
  languageId: 'markdown',
  title: 'Guide',
  lines: { start: 1, end: 90 },
  excerpt: shown(
    '# Guide\n⋯\n```sh\nnpm i\n```',
    [
      [1, 1],
      [40, 42],
    ],
    'excerpt',
  ),
  why: { rule: 'seed', path: [], evidence: [], reasons: ['“guide” in the title'] },
}
const TITLE = item({
  excerpt: shown('', [], 'title'),
  why: { ...item().why, path: [{ edgeType: 'call', from: PARSE, to: MAIN, evidenceId: 'ev:1' }] },
})
const SAMPLE = pack([
  section([EXCERPT], { type: 'seeds', title: 'Seeds' }),
  section([item(), TITLE], {
    omitted: [
      { reason: 'budget', count: 3 },
      { reason: 'duplicate', count: 1 },
    ],
  }),
])

describe('F5 a pack as Markdown', () => {
  test('F5 says for each item where it stands and why, and what was left out', () => {
    expect(packText(SAMPLE, 'markdown')).toMatchInlineSnapshot(`
      "# Context: who parses the text?
      harbor · answer · index 0123456789ab
      Only weak matches: nothing found names \`parseAll\`.
      ## Seeds
      ### docs/guide.md:1 of 1-90
      why: “guide” in the title
      \`\`\`\`markdown
      # Guide
      @@ 40-42
      \`\`\`sh
      npm i
      \`\`\`
      \`\`\`\`
      ## Callees
      ### src/a.ts:10-12 · Parser.parse
      why: called by \`main\` (src/main.ts:7)
      \`\`\`typescript
        parse(text: string): Tree {
          return tree(text)
        }
      \`\`\`
      - src/a.ts:10-12 · parse(text: string): Tree · calls \`main\` (src/main.ts:7)
      ## Also possible
      - src/a.ts:10-12 Parser.parse · called by \`main\` (src/main.ts:7)
      - docs/guide.md:1-90 · “guide” in the title
      Not shown: 3 less likely, 1 duplicates
      Note: maxItems of 999 was reduced to 250
      Note: the index is older than the files
      "
    `)
  })

  test('F5 explained, it has the path and what the score is made of, the most of it first', () => {
    const uid = item().chunkUid
    const named = (values: Readonly<Record<string, number>>) => ({
      [uid]: Object.entries(values).map(([name, value]) => ({ name, value })),
    })
    const small = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`little ${at}`, 0.01]))
    const scoring = {
      seedProvider: 'hybrid' as const,
      terms: named({ seed: 0.35, evidence: 0.09, distance: 0.1 }),
      seedTerms: named({ imports: -0.97, ...small, words: 1.09, 'the best of all': -1.213_147 }),
    }
    const explained = { explained: true, scoring }
    expect(packParts('markdown', explained).block([item()])).toMatchInlineSnapshot(`
      "### src/a.ts:10-12 · Parser.parse
      why: called by \`main\` (src/main.ts:7)
        rule: call-neighbor
        path: main -call-> Parser.parse (src/main.ts:7)
        score: 0.54 (seed 0.5, distance 1, evidence 0.9) = seed 0.35 + distance 0.1 + evidence 0.09
        seed: 0.5 = e^-0.6931, -0.6931 = the best of all -1.2131 + words 1.09 + imports -0.97 + 40 smaller 0.4
      \`\`\`typescript
        parse(text: string): Tree {
          return tree(text)
        }
      \`\`\`
      "
    `)
  })

  test('F5 the head of an item costs about as much as a line of code', async () => {
    const count = await realTokens()
    for (const it of [item(), EXCERPT]) {
      const own = count(it.excerpt.text)
      expect(count(packParts('markdown').block([it])) - own).toBeLessThanOrEqual(40)
      expect(count(packParts('xml').block([it])) - own).toBeLessThanOrEqual(48)
    }
    expect(count(packParts('markdown').block([TITLE]))).toBeLessThanOrEqual(40)
  })

  test('F5 what stands in a fence stays in it', () => {
    fc.assert(
      fc.property(fc.array(anyItem, { maxLength: 4 }), (items) => {
        const text = packText(pack([section(items)]), 'markdown')
        const codes = (parseOutside(text, { hasFrontMatter: false }).children ?? [])
          .filter((node) => node.type === 'code')
          .map((node) => ('value' in node ? String(node.value) : ''))
        const wanted = items
          .filter((it) => it.excerpt.level !== 'title')
          .map(({ excerpt }) => excerpt.text)
        expect(codes.map(normal).map(withoutPlaces)).toEqual(wanted.map(normal))
      }),
      runs(300),
    )
  })
})

/** As the outside parser gives it back: one kind of line break, no NUL. */
function normal(text: string): string {
  return text.replaceAll(/\r\n|\r/g, '\n').replaceAll('\0', '\ufffd')
}

/** As `pack-xml.test.ts` reads it back. */
function escapedTags(text: string): string {
  return text
    .replaceAll(/&(?=(?:amp;)*lt;\/?item\b)/gi, '&amp;')
    .replaceAll(/<(?=\/?item\b)/gi, '&lt;')
}

function withoutPlaces(text: string): string {
  return text.replaceAll(/^@@ \d+(?:-\d+)?$/gm, '⋯')
}

const anyText = fc
  .array(
    fc.oneof(
      fc.constantFrom('```', '````js', '~~~', '</item>', '</ITEM >', '<item path="x">', '⋯', '# h'),
      fc.constantFrom(
        '',
        '    code',
        '- list',
        '> quote',
        '&lt;/item>',
        '```` ` ``',
        ']]>',
        '🎉',
        '\r',
      ),
      fc.string({ unit: 'grapheme', maxLength: 12 }),
    ),
    { minLength: 1, maxLength: 8 },
  )
  .map((lines) => lines.join('\n'))
  // A showing ends with a line that is not blank.
  .filter((text) => /\S$/.test(text))

const anyItem = fc
  .record({
    text: anyText,
    level: fc.constantFrom('whole' as const, 'excerpt' as const, 'title' as const),
    count: fc.integer({ min: 1, max: 3 }),
    title: fc.string({ maxLength: 30 }),
    reasons: fc.array(fc.string({ maxLength: 20 }), { maxLength: 2 }),
    fileRelPath: fc.constantFrom('a.ts', 'a b"<>&.md', 'x\ny.ts', '`.js'),
  })
  .map(({ text, level, count, title, reasons, fileRelPath }) => {
    const parts = Array.from({ length: count }, (_, at) => [at * 9 + 1, at * 9 + 4] as const)
    return item({
      fileRelPath,
      title,
      excerpt: level === 'title' ? shown('', [], level) : shown(text, parts, level),
      why: { ...item().why, reasons },
    })
  })

describe('F6 a pack as XML', () => {
  test('F6 says the same in tags, and which lines follow where some are left out', () => {
    expect(packText(SAMPLE, 'xml')).toMatchInlineSnapshot(`
      "<context query="who parses the text?" repo="harbor" intent="answer" index="0123456789ab" confidence="low" notice="Only weak matches: nothing found names \`parseAll\`.">
      <section type="seeds">
      <item path="docs/guide.md" lines="1" of="1-90" why="“guide” in the title">
      # Guide
      @@ 40-42
      \`\`\`sh
      npm i
      \`\`\`
      </item>
      </section>
      <section type="callees">
      <item path="src/a.ts" lines="10-12" symbol="Parser.parse" why="called by \`main\` (src/main.ts:7)">
        parse(text: string): Tree {
          return tree(text)
        }
      </item>
      <item path="src/a.ts" lines="10-12" title="parse(text: string): Tree" why="calls \`main\` (src/main.ts:7)"/>
      <omitted budget="3" duplicate="1"/>
      </section>
      <pointer path="src/a.ts" lines="10-12" symbol="Parser.parse" why="called by \`main\` (src/main.ts:7)"/>
      <pointer path="docs/guide.md" lines="1-90" why="“guide” in the title"/>
      <note>maxItems of 999 was reduced to 250</note>
      <note>the index is older than the files</note>
      </context>
      "
    `)
  })

  test('F6 an item can be cut out again by its tags, and nothing else looks like one', () => {
    fc.assert(
      fc.property(fc.array(anyItem, { maxLength: 4 }), (items) => {
        const text = packText(pack([section(items)]), 'xml')
        const shownItems = items.filter((it) => it.excerpt.level !== 'title')
        // From each opening tag to the next closing one, then on from there.
        const found: string[] = []
        for (let at = text.indexOf('<item '); at >= 0; ) {
          const open = text.indexOf('>\n', at)
          const isEmpty = text[open - 1] === '/'
          const close = isEmpty ? open : text.indexOf('\n</item>\n', open)
          if (!isEmpty) found.push(text.slice(open + 2, close))
          at = text.indexOf('<item ', close)
        }
        expect(found.map(withoutPlaces)).toEqual(
          shownItems.map((it) => escapedTags(it.excerpt.text)),
        )
      }),
      runs(300),
    )
  })
})

describe('F4 the parts of a pack', () => {
  const anyPack = fc
    .array(
      fc.tuple(fc.constantFrom(...SECTION_TYPES), fc.array(anyItem, { maxLength: 3 }), fc.nat(2)),
      {
        maxLength: 3,
      },
    )
    .map((sections) =>
      pack(
        sections.map(([type, items, count]) =>
          section(items, {
            type,
            title: SECTION_TITLES[type],
            omitted: [{ reason: 'budget', count }],
          }),
        ),
      ),
    )

  test('F4 put one after the other are the text, and their tokens sum up', async () => {
    const count = await realTokens()
    fc.assert(
      fc.property(anyPack, fc.constantFrom(...RENDERINGS), (it, rendering) => {
        const parts = packParts(rendering)
        const list = [
          parts.head(it),
          ...it.sections.flatMap((each) => [
            parts.sectionHead(each),
            ...blocksOf(each.items).map((one) => parts.block(one)),
            parts.sectionTail(each),
          ]),
          parts.tail(it),
        ]
        const text = packText(it, rendering)
        expect(list.join('')).toBe(text)
        for (const part of list) expect(part === '' || /^\S[^]*\n$/.test(part)).toBe(true)
        expect(list.reduce((sum, part) => sum + count(part), 0)).toBe(count(text))
      }),
      runs(150),
    )
  })

  test('F4 nothing in a head, a title or a reason breaks its line', () => {
    const odd = 'a\r\nb\u2028c\u001b[31m"<>&`'
    for (const rendering of RENDERINGS) {
      const it = item({ title: odd, fileRelPath: odd, excerpt: shown('', [], 'title') })
      const text = packParts(rendering).block([
        { ...it, why: { ...it.why, path: [], reasons: [odd] } },
      ])
      expect(text.split('\n').length).toBe(2)
      expect(text.slice(0, -1)).not.toMatch(/[\p{Cc}\u2028]/u)
      const asked = { ...SAMPLE.request, query: odd.repeat(100_000), repoId: odd }
      const head = packParts(rendering).head({ ...SAMPLE, request: asked })
      expect(head.length).toBeLessThan(700)
      expect(head.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u2028]/u)
    }
  })
})
