/** What a pack says of why something was found: Q9. */
import { expect, test } from 'vitest'
import { indexedProject, itemsOf, packIn } from '../support/packed.ts'

const LETTERS = `
//- envelope.py
class Envelope:
    """What a letter comes in."""

    encoding = 'latin-1'
    weight = 20
//- reading.py
def read_encoding(letter):
    return letter.head
//- sending.py
def add_route(letter):
    return letter.address
//- writing.py
def charset_of(letter):
    return letter.head
//- weighing.py
def weigh(letter):
    return letter.grams(encoding)
`

/** By file. */
async function reasonsIn(query: string): Promise<Readonly<Record<string, readonly string[]>>> {
  const folder = await indexedProject(LETTERS)
  const items = itemsOf(await packIn(folder, { query }))
  return Object.fromEntries(items.map((it) => [it.fileRelPath, it.why.reasons]))
}

test('Q9 a reason names the word that is there, and the one that it stands for', async () => {
  const reasons = await reasonsIn('charset')
  expect(reasons['writing.py']).toEqual(['matches `charset_of` (line 1)'])
  expect(reasons['reading.py']).toEqual(['matches `read_encoding` (line 1) for "charset"'])
  expect(reasons['weighing.py']).toEqual(['matches `encoding` (line 2) for "charset"'])
})

test('Q9 a name that is declared inside is named with its own line', async () => {
  const reasons = await reasonsIn('charset')
  expect(reasons['envelope.py']).toEqual(['matches `encoding` (line 4) for "charset"'])
  expect((await reasonsIn('weight'))['envelope.py']).toEqual([
    'defines `weight` (line 5)',
    'matches `weight` (line 5)',
  ])
})

test('Q9 a name is spelled as it is in the source, once for all the words that it holds', async () => {
  expect((await reasonsIn('addRoute'))['sending.py']).toEqual(['matches `add_route` (line 1)'])
})
