/** A thread that answers at once, but for files that it never gets done with, fails at or ends over. */
import { encodeRecords } from '../../src/model/record-codec.ts'
import { answerTasks } from '../../src/platform/program.ts'
import type { Batch, EncodedReadings } from '../../src/sources/code/read-batch.ts'
import { runOutOfMemory } from './run-out-of-memory.ts'

answerTasks((batch: Batch): EncodedReadings => {
  const isPlain = batch.isPlain === true
  for (const { path } of batch.files) {
    if (path === 'hopeless.ts' || (path === 'endless.ts' && !isPlain)) hang()
    if (path === 'bottomless.ts' || (path === 'greedy.ts' && !isPlain)) runOutOfMemory()
    if (path === 'leaving.ts' && !isPlain) process.exit(3)
    if (path.startsWith('failing')) throw new Error(`a bug in ${path}`)
  }
  const message = isPlain ? 'read as plain text' : 'read'
  const unreadable = batch.files.map(({ path }, at) => ({
    at,
    diagnostic: { code: 'unparsable' as const, path, message },
  }))
  return { records: encodeRecords([]), unreadable }
})

function hang(): void {
  for (let turn = 0; turn >= 0; turn = (turn + 1) % 1000);
}
