/** F9: items that touch in their file are shown as one. */
import { describe, expect, test } from 'vitest'
import { blockLines, blocksOf } from '../../src/format/pack-blocks.ts'
import { packParts } from '../../src/format/pack-text.ts'
import { item, shown } from '../support/context-items.ts'

describe('F9 items that touch', () => {
  const below = item({
    symbolId: 'scip:dossier . . . src/`a.ts`/Parser#skip().',
    chunkUid: 'xxh64:0000000000000003',
    range: { start: 162, end: 180 },
    lines: { start: 14, end: 15 },
    excerpt: shown('  skip() {\n  }', [[14, 15]]),
    scores: { seedScore: 0.9, graphDistance: 0, evidenceScore: 1, hybridScore: 0.9 },
    why: { rule: 'seed', path: [], evidence: [], reasons: ['skip in name'] },
  })
  const last = item({
    chunkUid: 'xxh64:0000000000000004',
    range: { start: 181, end: 190 },
    lines: { start: 16, end: 16 },
    excerpt: shown('  end()', [[16, 16]]),
    why: below.why,
  })

  test('F9 are one block with the blank lines between them, where the best of them stands', () => {
    const other = item({ fileRelPath: 'src/b.ts', range: { start: 191, end: 200 } })
    const blocks = blocksOf([below, other, last, item()])
    expect(blocks.map((it) => it.map((one) => one.lines.start))).toEqual([[10, 14, 16], [10]])
    expect(blocks.map(blockLines)).toEqual([[{ start: 10, end: 16 }], [{ start: 10, end: 12 }]])
    expect(packParts('markdown').block(blocks[0] ?? [])).toMatchInlineSnapshot(`
      "### src/a.ts:10-16 · Parser.parse, Parser.skip
      why: skip in name; called by \`main\` (src/main.ts:7)
      \`\`\`typescript
        parse(text: string): Tree {
          return tree(text)
        }

        skip() {
        }
        end()
      \`\`\`
      "
    `)
    expect(packParts('xml').block(blocks[0] ?? [])).toMatchInlineSnapshot(`
      "<item path="src/a.ts" lines="10-16" symbol="Parser.parse, Parser.skip" why="skip in name; called by \`main\` (src/main.ts:7)">
        parse(text: string): Tree {
          return tree(text)
        }

        skip() {
        }
        end()
      </item>
      "
    `)
  })

  test('F9 are told by what lies between them, and only where both are shown whole', () => {
    const text = below.excerpt.text
    const apart = [
      { ...below, range: { start: 163, end: 180 } },
      { ...below, lines: { start: 13, end: 14 } },
      { ...below, fileRelPath: 'src/A.ts' },
      { ...below, excerpt: { ...below.excerpt, truncated: true } },
      { ...below, excerpt: shown(text, [[14, 15]], 'signature') },
      { ...below, excerpt: shown('', [], 'title') },
    ]
    for (const it of apart) expect(blocksOf([item(), it])).toEqual([[item()], [it]])
    expect(blocksOf([item(), below])).toEqual([[item(), below]])
    expect(blocksOf([item(), item()])).toHaveLength(2)
  })
})
