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
  expect(reasons['writing.py']).toEqual(['charset in name'])
  expect(reasons['reading.py']).toEqual(['encoding in name, for charset'])
  expect(reasons['weighing.py']).toEqual(['encoding in body, for charset'])
})

test('Q9 a name that is declared inside is not the name of what is shown', async () => {
  const reasons = await reasonsIn('charset')
  expect(reasons['envelope.py']).toEqual(['encoding in inner names, for charset'])
  expect((await reasonsIn('weight'))['envelope.py']).toEqual([
    'defines `weight` (line 5)',
    'weight in inner names',
  ])
})

test('Q9 a part of a name is spelled as it is there, not by its stem', async () => {
  expect((await reasonsIn('addRoute'))['sending.py']).toEqual(['add, route in name'])
})
