/** Workspaces of any shape, for properties: cycles, own children, ids of nothing, texts that break formats. */
import * as fc from 'fast-check'
import type { NoteRecord } from '../../src/model/note.ts'
import { type NoteSpec, recordsOf } from './notes-in-memory.ts'

const WORDS = [
  'atlas',
  'search',
  'engine',
  'berth',
  'harbor',
  'ship',
  'plan',
  'budget',
  'réunion',
  '港',
]
const ODD = [
  '```',
  '~~~ts',
  '# title',
  '- item',
  '1. one',
  '---',
  '> quote',
  '| a | b |',
  '\u{1f600}',
  '"',
  '</x>',
]

const sentence = fc
  .array(fc.constantFrom(...WORDS, ...ODD), { minLength: 1, maxLength: 14 })
  .map((words) => `${words.join(' ')}.`)

const name = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 6 })
      .map((it) => it.join(' ')),
  },
  { weight: 2, arbitrary: sentence },
  {
    weight: 1,
    arbitrary: fc.array(sentence, { minLength: 8, maxLength: 40 }).map((it) => it.join(' ')),
  },
)

const content = fc.oneof(
  { weight: 3, arbitrary: fc.constant('') },
  { weight: 1, arbitrary: fc.array(sentence, { maxLength: 60 }).map((it) => it.join('\n')) },
  {
    weight: 1,
    arbitrary: fc
      .array(sentence, { maxLength: 30 })
      .map((it) => `# T\n\n\`\`\`ts\n${it.join('\n')}\n\`\`\`\n`),
  },
)

const KINDS = ['note', 'note', 'note', 'page', 'day', 'tag', 'system'] as const

/** Ids are `n0`, `n1`, …; the first is a note. */
export function generatedNotes(most = 60): fc.Arbitrary<readonly NoteRecord[]> {
  return fc.integer({ min: 1, max: most }).chain((count) => {
    const id = fc.integer({ min: 0, max: count }).map((it) => `n${it}`)
    const spec: fc.Arbitrary<NoteSpec> = fc.record({
      name,
      content,
      kind: fc.constantFrom(...KINDS),
      tags: fc.uniqueArray(fc.constantFrom('project', 'task', 'Person', 'two words', 'spec'), {
        maxLength: 2,
      }),
      daysAgo: fc.integer({ min: -10, max: 400 }),
      children: fc.uniqueArray(id, { maxLength: 6 }),
      references: fc.uniqueArray(id, { maxLength: 4 }),
      fields: fc.dictionary(
        fc.constantFrom('Status', 'Blocked by', 'owner', '__proto__', '7'),
        fc.oneof(
          sentence,
          id.map((it) => `@${it}`),
          fc.array(sentence, { maxLength: 9 }),
        ),
        { maxKeys: 3 },
      ),
    })
    return fc
      .array(spec, { minLength: count, maxLength: count })
      .map((specs) =>
        recordsOf(
          Object.fromEntries(
            specs.map((it, at) => [`n${at}`, at === 0 ? { ...it, kind: 'note' } : it]),
          ),
        ),
      )
  })
}
