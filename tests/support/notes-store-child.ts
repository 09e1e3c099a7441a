/**
 * A writer to be killed: puts notes for as long as it lives, saying how far it is, then commits.
 * Arguments: the folder, the number of notes, and the edition that it gives them.
 */
import { madeNote } from './note-records.ts'
import { ABOUT, writerAt } from './note-store.ts'

const [folder = '', count = '0', edition = '0'] = process.argv.slice(2)
const options = { count: Number(count), edition: Number(edition), words: 500 }
const writer = writerAt(folder)
await writer.begin()
for (let at = 0; at < options.count; at += 1) {
  await writer.put([madeNote(at, options)])
  if (at % 100 === 0) process.stdout.write(`put ${at}\n`)
}
process.stdout.write('committing\n')
await writer.commit(ABOUT)
process.stdout.write('committed\n')
await writer.close()
