/** CD — Context documents: what a person reads. */
import { expect, test } from 'vitest'
import { LENSES } from '../../src/packs/notes/lenses.ts'
import { notesInMemory, recordsOf } from '../support/notes-in-memory.ts'
import { companyNotes, contextOf, exportedNotes } from '../support/notes-workspace.ts'
import { hasShared, readShared } from '../support/shared-data.ts'

test.each(LENSES.map((it) => it.name))(
  'CD20 what the %s lens shows of a project is what was agreed on',
  async (lens) => {
    const { text } = await contextOf(await companyNotes(), 'Atlas search engine', {
      lens,
      maxTokens: 700,
    })
    await expect(text).toMatchFileSnapshot(`../golden/notes/${lens}.md`)
  },
)

test('CD20 no two lenses show the same', async () => {
  const reader = await companyNotes()
  const shown = new Set<string>()
  for (const lens of LENSES) {
    const { document } = await contextOf(reader, 'Atlas search engine', { lens, maxTokens: 700 })
    shown.add(document.nodes.map((it) => it.id).join(' '))
  }
  expect(shown.size).toBe(LENSES.length)
})

const OUTLINE = notesInMemory(
  recordsOf({
    projects: { name: 'Projects', children: ['security'] },
    security: { name: 'Security', children: ['soc'] },
    soc: {
      name: 'SOC Defender',
      tags: ['project', 'two words'],
      fields: { status: 'active', owner: '@jens' },
      content: '# SOC Defender\n\nA dashboard.\n\n## Why\n\nAlerts.',
      children: ['first', 'task', 'second', 'long'],
      references: ['model'],
    },
    first: { name: 'First line', children: ['nested'] },
    nested: { name: '- nested line' },
    second: { name: 'Second line' },
    long: { name: `A paragraph. ${'It goes on. '.repeat(20).trim()}` },
    task: { name: 'Fix login', tags: ['task'], children: ['detail'] },
    detail: { name: 'Use cookies' },
    jens: { name: 'Jens-Christian', tags: ['person'] },
    model: { name: 'Threat model', content: 'Keys leak.' },
    log: { name: 'Log of Monday', references: ['soc'] },
  }),
)

test('CD21 a document is an outline: sources, lines beneath them, sections for what has substance', async () => {
  const { text } = await contextOf(OUTLINE, 'soc', { depth: 2 })
  const body = text.slice(text.indexOf('## '))
  expect(body).toMatchInlineSnapshot(`
    "## SOC Defender #project #[[two words]]

    *in Projects › Security · 0.80*

    **status** active · **owner** Jens-Christian

    A dashboard.

    #### Why

    Alerts.

    - First line
      - \\- nested line
    - Second line
    - A paragraph. It goes on. It goes on. It goes on. It goes on. It goes on. It goes on. It goes on. It goes on. It goes on. It goes on. It goes on. It goes on. It goes on. It goes on. It goes on. It goes on. It goes on. It goes on. It goes on. It goes on.
    - *part of:* Security
      - *part of:* Projects
    - *referenced by:* Log of Monday

    ### Fix login #task

    *child of SOC Defender · 0.80*

    - Use cookies

    ### Threat model

    *referenced by SOC Defender · 0.80*

    Keys leak.

    ### Jens-Christian #person

    *\`owner\` of SOC Defender · 0.80*
    "
  `)
})

test('CD21 nothing is said twice of a note, and every note is said once', async () => {
  const { text, document } = await contextOf(OUTLINE, 'soc', { depth: 3 })
  for (const { name } of document.nodes) {
    const lines = text.split('\n').filter((line) => /^(?:#{2,3} |\s*- )/.test(line))
    const shown = lines.filter((line) => line.includes(name.replace(/…$/, '').slice(0, 60)))
    expect([name, shown.length]).toEqual([name, 1])
  }
  expect(text.match(/SOC Defender #project/g)).toHaveLength(1)
  expect(text).not.toMatch(/^# SOC Defender/m)
})

test('CD21 a block that stands in the text of its page is no line below it', async () => {
  const reader = notesInMemory(
    recordsOf({
      page: { content: 'First.\n\n- The lens may crack.\n- last', children: ['risk', 'a', 'cut'] },
      risk: { name: 'The lens may crack.' },
      a: { name: 'last of all' },
      cut: { name: 'First.', children: ['below'] },
      below: { name: 'Below it' },
    }),
  )
  const { text } = await contextOf(reader, 'page')
  expect(text.slice(text.indexOf('First.'))).toBe(
    'First.\n\n- The lens may crack.\n- last\n\n- last of all\n- First.\n  - Below it\n',
  )
})

test('CD21 a tag that stands in the name is not said again', async () => {
  const reader = notesInMemory(
    recordsOf({
      task: {
        name: 'Order #task for #[[two words]] #tasks',
        tags: ['task', 'two words', 'tas', 'urgent'],
        content: 'It takes a while to say. '.repeat(50),
      },
    }),
  )
  const { text } = await contextOf(reader, 'task')
  expect(text).toContain('## Order #task for #[[two words]] #tasks #tas #urgent\n')
  const { text: names } = await contextOf(reader, 'task', { maxTokens: 200 })
  expect(names).toContain('- Order #task for #[[two words]] #tasks #tas #urgent · ')
})

test('CD22 of a note with too many children it is said how many were looked at', async () => {
  const children = Array.from({ length: 1204 }, (_, at) => `c${at}`)
  const reader = notesInMemory(
    recordsOf({
      inbox: { name: 'Inbox', children },
      ...Object.fromEntries(children.map((id) => [id, {}])),
    }),
  )
  const { text } = await contextOf(reader, 'inbox')
  expect(text).toContain('> Inbox: 200 of 1,204 children looked at.\n')
})

const SAMPLE = '../tana/sample-workspace.json'

test.runIf(hasShared(SAMPLE))(
  'CD23 in the sample workspace every tagged note has neighbours, 31 in the mean and more (needs shared data)',
  async () => {
    const { docs } = JSON.parse(readShared(SAMPLE)) as { docs: readonly { readonly id: string }[] }
    const reader = await exportedNotes(readShared(SAMPLE))
    const notes = await reader.notes(docs.map((it) => it.id))
    const tagged = notes.filter((it) => it.tags.length > 0 && it.kind !== 'tag')
    expect(tagged).toHaveLength(103)
    let sum = 0
    for (const { id } of tagged) {
      const { document } = await contextOf(reader, id, { depth: 1, maxTokens: 100_000 })
      const { nodes, overflow } = document
      const lines = nodes[0]?.content.match(/^- /gm)?.length ?? 0
      const neighbours = nodes.length + overflow.length + lines - 1
      expect([id, neighbours]).not.toEqual([id, 0])
      expect(document.meta.tokens.used).toBeLessThanOrEqual(100_000)
      sum += neighbours
    }
    expect(sum / tagged.length).toBeGreaterThanOrEqual(31)
  },
  60_000,
)

test.runIf(hasShared(SAMPLE))(
  'CD23 in the sample workspace every budget is kept and filled (needs shared data)',
  async () => {
    const reader = await exportedNotes(readShared(SAMPLE))
    for (const [at, lens] of LENSES.entries()) {
      for (const query of ['Frankenstein', 'chapter', 'the sea and the whale']) {
        const format = at % 2 === 0 ? 'markdown' : 'json'
        const wish = { lens, format, depth: 3 } as const
        const all = await contextOf(reader, query, { ...wish, maxTokens: 200_000 })
        for (const maxTokens of [250, 500, 1000, 4000]) {
          const { document } = await contextOf(reader, query, { ...wish, maxTokens })
          const { used } = document.meta.tokens
          expect(used).toBeLessThanOrEqual(maxTokens)
          if (maxTokens < 500 || all.document.meta.tokens.used < 1.25 * maxTokens) continue
          expect(used / maxTokens).toBeGreaterThanOrEqual(0.85)
        }
      }
    }
  },
  120_000,
)
