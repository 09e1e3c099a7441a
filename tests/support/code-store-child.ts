/**
 * A writer to be killed: puts files for as long as it lives, saying how far it is, then commits.
 * Arguments: the folder, the number of files, and the edition that it gives them.
 */

import { madeFile, madeResolved, SMALL } from './code-records.ts'
import { META, writerAt } from './code-store.ts'

const [folder = '', count = '0', edition = '0'] = process.argv.slice(2)
const options = { ...SMALL, files: Number(count) }
const writer = writerAt(folder)
await writer.begin()
for (let file = 0; file < options.files; file += 1) {
  await writer.put([madeFile(file, options, Number(edition))])
  await writer.putResolved([madeResolved(file, options, Number(edition))])
  if (file % 50 === 0) process.stdout.write(`put ${file}\n`)
}
await writer.setMeta(META)
process.stdout.write('committing\n')
await writer.commit()
process.stdout.write('committed\n')
await writer.close()
