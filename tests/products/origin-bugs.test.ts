/** The ten known bugs of the program that the design comes from, each shown not to be ours. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { scoreChunk } from '../../src/score/digest.ts'
import { generateChunkId } from '../../src/sources/markdown/chunk-id.ts'
import { readDocument } from '../../src/sources/markdown/read-document.ts'
import { build, built } from '../support/pack.ts'
import { onDisk, writeFile } from '../support/project.ts'
import { quietWorld } from '../support/world.ts'

function titles(text: string): readonly string[] {
  return readDocument('doc', text, 6000).chunks.map((chunk) => chunk.titlePath.join(' > '))
}

test('B1 origin bug 1: a dry run writes nothing, and --force is read', async () => {
  const folder = onDisk('//- a.md\n# A\n')
  await build(quietWorld(folder), { dryRun: true })
  expect(existsSync(join(folder, '_ctx'))).toBe(false)
  writeFile(folder, '_ctx/context_pack.json', '{"schema_version":1,"generator_version":"0.1.0"}')
  const refused = build(quietWorld(folder))
  await expect(refused).rejects.toMatchObject({ code: 'POC_E_PACK_FOREIGN' })
  expect((await build(quietWorld(folder), { force: true })).written).toBe(true)
})

test('K6 origin bug 2: front matter is no text, and a file that ends in a break is not lost', () => {
  const { chunks } = readDocument('doc', '---\ntitle: T\n---\n\n# A\n\nbody\n', 6000)
  expect(chunks.map((chunk) => chunk.text)).toEqual(['# A\n\nbody'])
  const whole = '---\ntitle: T\n---\n\n# A\n\nbody\n\n---'
  expect(readDocument('doc', whole, 6000).chunks.map((it) => it.text)).toEqual([
    '# A\n\nbody\n\n---',
  ])
  const breaks = '---\n\nOnly prose between two breaks.\n\n---'
  expect(readDocument('doc', breaks, 6000).chunks.map((it) => it.text)).toEqual([breaks])
})

test('I5 origin bug 3: two documents of one stem are two, each with a digest of its own', async () => {
  const pack = await built(onDisk('//- agent.md\n# One\n//- _ctx/agent.md\n# Two\n'))
  expect(pack.docs.map((it) => it.doc)).toEqual(['_ctx/agent', 'agent'])
  expect(pack.digest.map((it) => [it.doc, it.summary])).toEqual([
    ['_ctx/agent', 'Two'],
    ['agent', 'One'],
  ])
})

test('I3 origin bug 4: a heading and text that repeat get two ids', () => {
  const { chunks } = readDocument('skill', '## A\n\nsame\n\n## A\n\nsame\n', 6000)
  expect(new Set(chunks.map((chunk) => chunk.id)).size).toBe(2)
})

test('K1 origin bug 5: fences are told by length, kind and indentation', () => {
  expect(titles('# A\n\n````\n```\n# no\n```\n````\n\n# B')).toEqual(['A', 'B'])
  expect(titles('# A\n\n```\n````\n# still B\n')).toEqual(['A', 'still B'])
  expect(titles('# A\n\n   ```sh\n   # comment\n   ```\n\n## B')).toEqual(['A', 'A > B'])
  expect(titles('# A\n\n```\n~~~\n# no\n```\n\n# B')).toEqual(['A', 'B'])
})

test('K7 origin bug 6: a skipped level nests no siblings', () => {
  expect(titles('### A\n\n### B\n\n## Back up\n')).toEqual(['A', 'B', 'Back up'])
})

test('K1 origin bug 7: setext, closing hashes, indented headings and HTML are CommonMark', () => {
  const text = 'One\n===\n\n## Two ##\n\n   ### Three\n\n<!--\n# no\n-->\n\n<div>\n# no\n</div>\n'
  expect(titles(text)).toEqual(['One', 'One > Two', 'One > Two > Three'])
})

test('K3 origin bug 8: lines are those of the file, and each part has its own', () => {
  const paragraphs = Array.from({ length: 5 }, (_, at) => `${at}`.repeat(2500))
  const text = `---\ntitle: T\n---\n\n\n# Big\n\n${paragraphs.join('\n\n')}\n`
  const { chunks } = readDocument('doc', text, 6000)
  expect(chunks.map((it) => [it.part, it.startLine, it.endLine])).toEqual([
    [1, 6, 10],
    [2, 12, 14],
    [3, 16, 16],
  ])
})

test('K4 origin bug 9: one paragraph or fence over the limit is cut, and keywords are words', () => {
  const fence = ['```', ...Array<string>(400).fill('x'.repeat(30)), '```'].join('\n')
  for (const text of ['y'.repeat(20_000), fence]) {
    const { chunks } = readDocument('doc', text, 6000)
    expect(chunks.length).toBeGreaterThan(1)
    expect(Math.max(...chunks.map((it) => it.text.length))).toBeLessThanOrEqual(6000)
  }
  expect([scoreChunk('Therapist', 3, ''), scoreChunk('Capital', 3, '')]).toEqual([0, 0])
})

/**
 * Kept: the seed's formula, so an edit of a section's own body gives it another id. Not kept: that
 * anything else does. Edits of other sections, a new section above, the heading's case and spacing,
 * blank lines, line ends and front matter leave it.
 */
test('I4 origin bug 10: an id survives every edit outside its section', () => {
  const own = '## Login  flow\n\nHow to log in.\n'
  const id = loginId(`# Guide\n\n${own}`)
  expect(id).toBe(generateChunkId('doc', ['guide', 'login flow'], 'How to log in.'))
  const edits = [
    `# Guide\n\nA new introduction.\n\n${own}`,
    `# Guide\n\n## New\n\ntext\n\n${own}\n## After\n\nmore\n`,
    `---\ndate: 2030-01-01\n---\n\n# GUIDE\n\n\n\n${own}`,
    `# Guide\r\n\r\n${own.replaceAll('\n', '\r\n')}`,
    '# Guide\n\n## LOGIN FLOW ##\n\n\n\nHow to log in.\n\n\n',
  ]
  for (const text of edits) expect(loginId(text)).toBe(id)
  expect(loginId(`# Guide\n\n${own}\nNow with a second factor.\n`)).not.toBe(id)
})

function loginId(text: string): string | undefined {
  const { chunks } = readDocument('doc', text, 6000)
  return chunks.find((it) => it.titlePath.at(-1)?.match(/login/i))?.id
}
