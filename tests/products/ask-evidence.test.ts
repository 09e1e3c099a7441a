/** Questions about evidence: what covers, what is missing, what repeats. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findLongestSharedLines, findOverlaps } from '../../src/base/shingles.ts'
import { askEvidence } from '../../src/packs/evidence/ask-evidence.ts'
import { addEvidence } from '../../src/packs/evidence/evidence-add.ts'
import { questionIn } from '../../src/retrieve/evidence-question.ts'
import { flowWith } from '../support/flow.ts'
import { onDisk, writeFile } from '../support/project.ts'
import { runs } from '../support/property.ts'

const PROJECT = `
//- core/error_handler.sh
#!/bin/sh
# Error handling: prints the message of an error and stops.
handle_error() {
  echo "error: $1" >&2
  exit 1
}
//- core/flow.sh
#!/bin/sh
# Starts the flow of a build.
start_flow() {
  mkdir -p build
}
//- tests/test_errors.sh
# Errors are handled with a message.
handle_error "broken" && echo failed
//- auth/login.ts
/** Authentication: checks a password and opens a session. */
export function login(user: string, password: string): string {
  return authenticate(user, password) ? 'session' : ''
}

function authenticate(user: string, password: string): boolean {
  return user !== '' && password !== ''
}
//- auth/token.ts
/** Tokens of an authenticated session. */
export function tokenFor(session: string): string {
  return session + '!'
}
//- README.md
# Builds

Flows are started by hand.
`

async function flow() {
  const folder = onDisk(PROJECT)
  const it = flowWith(folder, [])
  const selectors = ['core/flow.sh', 'core/error_handler.sh', 'tests/test_errors.sh', 'README.md']
  await addEvidence(it.world, it.flow, { selectors, isLinked: false })
  return { ...it, folder }
}

describe('AS1 what covers', () => {
  test('the best first, with the lines that say so', async () => {
    const { world, flow: it } = await flow()
    const question = 'What evidence covers error handling?'
    const answer = await askEvidence(world, it, { question, limit: 10 })
    if (answer.kind !== 'covers') throw new Error(answer.kind)
    expect(answer.topic).toBe('error handling')
    expect(answer.covers.map((one) => one.name)).toEqual([
      '110_error_handler_sh',
      '120_test_errors_sh',
    ])
    expect(answer.covers[0]?.lines).toContainEqual({
      line: 6,
      text: '# Error handling: prints the message of an error and stops.',
    })
  })

  test.each([
    ['What evidence covers error handling?', 'covers', 'error handling'],
    ['which files mention the title path', 'covers', 'the title path'],
    ["What's missing for authentication?", 'missing', 'authentication'],
    ['what is missing for X', 'missing', 'X'],
    ['What evidence is redundant?', 'redundant', 'redundant'],
    ['are there duplicates', 'redundant', 'duplicates'],
    ['error handling', 'covers', 'error handling'],
    ['which files talk about proxies', 'covers', 'proxies'],
    ['do I have anything on authentication?', 'covers', 'authentication'],
    ['what else do I need for cookies', 'missing', 'cookies'],
    ['am I missing something about HTTP/2?', 'missing', 'HTTP/2'],
    ['what can I throw out', 'redundant', 'can I throw out'],
    ['Was fehlt für Cookies?', 'missing', 'Cookies'],
    ['Was fehlt noch zum Anmelden?', 'missing', 'Anmelden'],
    ['Was brauche ich noch für Sitzungen?', 'missing', 'Sitzungen'],
    ['Welche Belege decken Timeouts ab?', 'covers', 'Timeouts'],
    ['Wo gibt es Lücken bei Fehlern?', 'missing', 'Lücken bei Fehlern'],
    ['Was ist doppelt?', 'redundant', 'doppelt'],
    ['fehlerhafte Eingaben', 'covers', 'fehlerhafte Eingaben'],
  ])('%s', (question, kind, topic) => {
    expect(questionIn(question)).toEqual({ kind, topic })
  })

  test('a flag goes before the words', async () => {
    const { world, flow: it } = await flow()
    const answer = await askEvidence(world, it, {
      question: 'redundant flows',
      kind: 'covers',
      limit: 3,
    })
    expect(answer.kind).toBe('covers')
  })

  test('nothing speaks of it, and an empty question is refused', async () => {
    const { world, flow: it } = await flow()
    expect(await askEvidence(world, it, { question: 'zebra', limit: 3 })).toMatchObject({
      covers: [],
    })
    await expect(askEvidence(world, it, { question: ' ', limit: 3 })).rejects.toThrow(/empty/)
  })
})

describe('AS2 what is missing', () => {
  test('places of the repository that are not in evidence, and --add takes the best in', async () => {
    const { world, flow: it } = await flow()
    const question = "What's missing for authentication?"
    const answer = await askEvidence(world, it, { question, limit: 5 })
    if (answer.kind !== 'missing') throw new Error(answer.kind)
    expect(answer.missing.map((one) => one.path)).toContain('auth/login.ts')
    expect(answer.missing.every((one) => !one.path.startsWith('core/'))).toBe(true)
    const [best] = answer.missing
    const added = await askEvidence(world, it, { question, limit: 5, add: 1 })
    expect(added).toMatchObject({ added: { added: [{ title: best?.path }] } })
    const covering = { question: 'what covers flows', limit: 5, add: 1 }
    await expect(askEvidence(world, it, covering)).rejects.toThrow(/add works only/)
    const again = await askEvidence(world, it, { question, limit: 5 })
    if (again.kind !== 'missing') throw new Error(again.kind)
    expect(again.missing.map((one) => one.selector)).not.toContain(best?.selector)
  })
})

describe('AS3 what is redundant', () => {
  test('a piece of which another one has half, with the lines', async () => {
    const { world, flow: it, folder } = await flow()
    const lines = Array.from(
      { length: 30 },
      (_, at) => `step ${at} does the thing number ${at} with care`,
    )
    writeFile(folder, 'whole.txt', `${lines.join('\n')}\n`)
    writeFile(folder, 'part.txt', `An own line.\n${lines.slice(5, 20).join('\n')}\n`)
    await addEvidence(world, it, { selectors: ['whole.txt', 'part.txt'], isLinked: false })
    const answer = await askEvidence(world, it, {
      question: 'What evidence is redundant?',
      limit: 5,
    })
    if (answer.kind !== 'redundant') throw new Error(answer.kind)
    expect(answer.redundant).toHaveLength(1)
    expect(answer.redundant[0]).toMatchObject({
      name: '150_part_txt',
      of: '140_whole_txt',
      // Below heading, comment, blank line and fence, and below its own line.
      lines: { first: 6, second: 10, count: 15 },
    })
    expect(answer.redundant[0]?.share).toBeGreaterThan(0.5)
  })

  test('texts with nothing in common do not overlap, equal ones do wholly', () => {
    const words = fc.array(fc.stringMatching(/^[a-z]{3,8}$/), { minLength: 60, maxLength: 80 })
    fc.assert(
      fc.property(words, (some) => {
        const text = some.join(' ')
        const other = some.map((it) => `${it}x`).join(' ')
        const found = findOverlaps([text, other, text], 0.5)
        expect(found.every((it) => it.inner !== 1 && it.outer !== 1)).toBe(true)
        for (const it of found) expect(it.share).toBe(1)
      }),
      runs(100),
    )
    expect(findLongestSharedLines('a\nb\n\nc\nd', 'x\nb\n\n c\ny')).toEqual({
      first: 2,
      second: 2,
      count: 3,
    })
    expect(findLongestSharedLines('a', 'b')).toBeUndefined()
  })
})
