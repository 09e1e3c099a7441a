/** The Markdown of one node, read back: NL2. */
import { describe, expect, test } from 'vitest'
import {
  parseExtendedTags,
  parseNodeMarkdown,
  stripMarkup,
} from '../../src/sources/notes/live/markdown.ts'

const LAUNCH = `- [ ] Launch the shop #project #[[big thing]] <!-- node-id: launch1 -->
  - **Owner**: [Ada Lovelace #person](tana:ada1)
  - **Due**: 2026-03-01 <!-- node-id: due1 -->
  - **Approved**: [x]
  - **Paid**: [ ]
  - **Empty**:
  - **Parts**:
    - the cart <!-- node-id: cart1 -->
    - [Checkout [v2] #feature](tana:checkout1)
    - a plan with [Ada](tana:ada1) and [Bob](tana:bob1) <!-- node-id: plan1 -->
    - Payment #feature <!-- node-id: payment1 -->
    - Shipping <!-- node-id: shipping1 -->
      - by train <!-- node-id: train1 -->
  - ask [Ada #person](tana:ada1) about the **stock** <!-- node-id: ask1 -->
    - deeper down <!-- node-id: deep1 -->
  - [Bob #person](tana:bob1)
  - [x] done already #task <!-- node-id: done1 -->
  - a line that does not say who it is
`

describe('NL2 the Markdown of a node', () => {
  const node = parseNodeMarkdown(LAUNCH)

  test('NL2 its name, without checkbox, tags and id', () => {
    expect(node.name).toBe('Launch the shop')
    expect(node.tags).toEqual(['project', 'big thing'])
  })

  test('NL2 fields: plain values, notes in their own right, checkboxes; empty ones are none', () => {
    expect(node.fields).toEqual([
      { name: 'Done', values: [{ text: 'no' }] },
      { name: 'Owner', values: [{ text: 'Ada Lovelace', target: 'ada1' }] },
      { name: 'Due', values: [{ text: '2026-03-01' }] },
      { name: 'Approved', values: [{ text: 'yes' }] },
      { name: 'Paid', values: [{ text: 'no' }] },
      {
        name: 'Parts',
        values: [
          { text: 'the cart' },
          { text: 'Checkout [v2]', target: 'checkout1' },
          { text: 'a plan with Ada and Bob' },
          { text: 'Payment', target: 'payment1' },
          { text: 'Shipping', target: 'shipping1' },
        ],
      },
    ])
    expect(node.ownedValues).toEqual(['payment1', 'shipping1'])
  })

  test('NL2 lines: owned with an id, referred to by a link, of nobody; not what is deeper', () => {
    expect(node.lines).toEqual([
      {
        id: 'ask1',
        isOwned: true,
        name: 'ask Ada about the stock',
        tags: [],
        references: ['ada1'],
      },
      { id: 'bob1', isOwned: false, name: 'Bob', tags: ['person'], references: [] },
      { id: 'done1', isOwned: true, name: 'done already', tags: ['task'], references: [] },
      {
        id: undefined,
        isOwned: false,
        name: 'a line that does not say who it is',
        tags: [],
        references: [],
      },
    ])
  })

  test('NL2 what its own text and its plain values point at, each once', () => {
    expect(node.references).toEqual(['ada1', 'bob1'])
    const own = parseNodeMarkdown(
      '- see [A](tana:a1), [B](tana:b1) and [A](tana:a1) <!-- node-id: x1 -->',
    )
    expect(own).toMatchObject({ name: 'see A, B and A', references: ['a1', 'b1'] })
    const tagged = parseNodeMarkdown('- with [A #b](tana:a1) #note <!-- node-id: x1 -->')
    expect(tagged).toMatchObject({ name: 'with A', tags: ['note'] })
    const last = parseNodeMarkdown('- with [A #b](tana:a1) <!-- node-id: x1 -->')
    expect(last).toMatchObject({ name: 'with A', tags: [] })
  })

  test('NL2 a name that ends like a tag is known by the name', () => {
    const line = '- what about #ideas #note <!-- node-id: x1 -->'
    expect(parseNodeMarkdown(line)).toMatchObject({ name: 'what about', tags: ['ideas', 'note'] })
    expect(parseNodeMarkdown(line, { name: 'what about #ideas' })).toMatchObject({
      name: 'what about #ideas',
      tags: ['note'],
    })
    expect(parseNodeMarkdown('- issue #5 <!-- node-id: x1 -->')).toMatchObject({
      name: 'issue #5',
      tags: [],
    })
  })

  test('NL2 a child that begins in bold is known by the list of children', () => {
    const text = '- top <!-- node-id: x1 -->\n  - **Goal**: be there <!-- node-id: goal1 -->\n'
    expect(parseNodeMarkdown(text)).toMatchObject({ fields: [{ name: 'Goal' }], lines: [] })
    expect(parseNodeMarkdown(text, { children: new Set(['goal1']) })).toMatchObject({
      fields: [],
      lines: [{ id: 'goal1', name: 'Goal: be there' }],
    })
  })

  test('NL2 code is content, and its dashes are no children', () => {
    const text = '- ```js\n  - not a child\n  ```\n  - a child <!-- node-id: c1 -->\n'
    const code = parseNodeMarkdown(text)
    expect(code.content).toBe('- not a child\n```')
    expect(code.lines.map((it) => it.id)).toEqual(['c1'])
  })

  test('NL2 nothing, a broken line and a name of many lines are read as far as they go', () => {
    expect(parseNodeMarkdown('')).toMatchObject({ name: '', lines: [], fields: [] })
    expect(parseNodeMarkdown('no list at all')).toMatchObject({ name: '', lines: [] })
    expect(parseNodeMarkdown('- [unclosed](tana:')).toMatchObject({ name: '[unclosed](tana:' })
    const two = parseNodeMarkdown('- first\nsecond\n')
    expect(two).toMatchObject({ name: 'first', content: 'second' })
  })

  test('NL2 long lines are read in linear time', () => {
    const parts = [
      '[',
      '[a',
      '** ',
      '**a ',
      ' #',
      ' #a',
      '#a',
      '<!-- ',
      ' ',
      '[a](tana:b',
      'a'.repeat(9),
    ]
    for (const part of parts) {
      // In quadratic time each of these would exceed the time limit of the test.
      const text = part.repeat(50_000)
      expect(parseNodeMarkdown(`- ${text}`).lines).toEqual([])
      expect(parseNodeMarkdown(`- **a**: ${text}#`).lines).toEqual([])
    }
  })

  test('NL2 plain names have no marks and no elements', () => {
    expect(stripMarkup('a **b** ~~c~~ ^^d^^ <b>e</b> [f #g](tana:h1)  i &amp;')).toBe(
      'a b c d e f i &',
    )
    expect(stripMarkup('5 < 6 and **')).toBe('5 < 6 and **')
  })

  test('NL2 what a tag extends', () => {
    const text = '# Tag definition: bug (id:b1)\nExtends #task (id:t1), #old thing (id:o1)\n'
    expect(parseExtendedTags(text)).toEqual([
      { id: 't1', name: 'task' },
      { id: 'o1', name: 'old thing' },
    ])
    const own = '# Tag definition: task (id:t1)\nExtends #task (base type) (id:SYS_T100)\n'
    expect(parseExtendedTags(own)).toEqual([])
  })
})
