/** T10: anybody can recompute the ids of a pack from docs/FORMAT.md. */
import { readFileSync } from 'node:fs'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyDocument, fencedDocument } from '../support/documents.ts'
import { build, built, readPack } from '../support/pack.ts'
import { onDisk, temporaryFolder, withFolder, writeFile } from '../support/project.ts'
import { runs } from '../support/property.ts'
import { recomputedIds, sha } from '../support/recomputed-ids.ts'
import { quietWorld } from '../support/world.ts'

async function idsOf(text: string): Promise<readonly string[]> {
  const folder = temporaryFolder()
  writeFile(folder, 'skill.md', text)
  return (await built(folder)).chunks.map((it) => it.id)
}

describe('T10 the body that is hashed', () => {
  test.each([
    ['# Core Rules\n\nTest content', 'skill:0ddea7b1cb'],
    ['# Core Rules\n\nTest content\n', 'skill:0ddea7b1cb'],
    ['\n\n# CORE   rules #\n\n\n \t\nTest content\n \n\n', 'skill:0ddea7b1cb'],
    ['# Core Rules\r\n\r\nTest content\r\n', 'skill:0ddea7b1cb'],
    ['# Core Rules\r\rTest content\r', 'skill:0ddea7b1cb'],
    ['Core\nRules\n==========\nTest content', 'skill:0ddea7b1cb'],
    ['---\ndate: 2025-01-01\n---\n# Core Rules\n\nTest content', 'skill:0ddea7b1cb'],
    ['---\ntitle: Core Rules\n---\nTest content', 'skill:0ddea7b1cb'],
    ['# Core Rules\n\nDifferent content', 'skill:ce9fbe683d'],
    ['Preamble\n', 'skill:39d33d3f85'],
  ])('T10 the known answer for %j is %s', async (text, id) => {
    expect(await idsOf(text)).toEqual([id])
  })

  test('T10 indentation and white space inside of lines are content', async () => {
    const texts = ['code', '    code', 'code  ', 'code\n\nmore', 'code\n \nmore', 'code\nmore']
    const ids = await Promise.all(texts.map((it) => idsOf(`# Core Rules\n\n${it}\n`)))
    expect(new Set(ids.flat()).size).toBe(texts.length)
    expect(await idsOf('# Core Rules\n\ncode\n\n\n\nmore')).toEqual(ids[3])
  })
})

const FENCE = `\`\`\`ts\n${'const value = compute()\n'.repeat(20)}\`\`\``
const CASES = `
//- headings.md
before the first heading

# One

text

Two
lines
---

    indented code

   ### Three ###
no blank line

#### Empty

##### Empty
//- duplicates.md
## Example

same text

## Example

same text

## example

same text

## Example

other text
//- parts.md
# Long

${'A sentence that goes on. '.repeat(30)}

${FENCE}

- item

  ${FENCE.replaceAll('\n', '\n  ')}
//- titled.md
---
title: "From the front matter"
---

## Part

text
//- plain.md
no heading at all
`

describe('T10 the description in FORMAT.md is enough', () => {
  test('T10 headings, parts, cut fences, duplicates and front matter', async () => {
    const folder = onDisk(CASES)
    await build(quietWorld(folder), { maxChars: 300 })
    const pack = readPack(folder)
    expect(pack.chunks.some((it) => it.part === 3)).toBe(true)
    expect(pack.chunks.map((it) => it.id)).toEqual(recomputedIds(pack))
  })

  test('T10 any document at any limit', async () => {
    const texts = fc.oneof(
      anyDocument.map((it) => it.text),
      fencedDocument,
    )
    const limit = fc.constantFrom(200, 350, 6000)
    await fc.assert(
      fc.asyncProperty(fc.array(texts, { minLength: 1, maxLength: 3 }), limit, (list, maxChars) =>
        withFolder(async (folder) => {
          for (const [at, text] of list.entries()) writeFile(folder, `doc-${at}.md`, text)
          await build(quietWorld(folder), { maxChars })
          const pack = readPack(folder)
          expect(pack.chunks.map((it) => it.id)).toEqual(recomputedIds(pack))
        }),
      ),
      runs(60),
    )
  })

  test('T10 the worked example of FORMAT.md holds', async () => {
    const format = readFileSync(new URL('../../docs/FORMAT.md', import.meta.url), 'utf8')
    const body = sha('sha256', 'Test content')
    expect(format).toContain(body)
    expect(format).toContain(sha('sha1', `skill\ncore rules\n${body}`))
    expect(format).toContain(sha('sha1', `skill\ncore rules\n${body}\n2`))
    const twice = '# Core Rules\n\nTest content\n\n# Core Rules\n\nTest content\n'
    const [first = '', second = ''] = await idsOf(twice)
    expect(format).toContain(`\`${first}\``)
    expect(format).toContain(`\`${second}\``)
  })
})
