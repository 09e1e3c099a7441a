/** A thread that answers at once, but for files that it never gets done with or fails at. */
import { encodeRecords } from '../../src/model/record-codec.ts'
import type { Batch, EncodedReadings } from '../../src/sources/code/read-batch.ts'

// oxlint-disable-next-line import/no-default-export -- what the pool runs
export default function answer(batch: Batch): EncodedReadings {
  const isPlain = batch.isPlain === true
  for (const { path } of batch.files) {
    if (path === 'hopeless.ts' || (path === 'endless.ts' && !isPlain)) hang()
    if (path === 'failing.ts') throw new Error('a bug')
  }
  const message = isPlain ? 'read as plain text' : 'read'
  const unreadable = batch.files.map(({ path }, at) => ({
    at,
    diagnostic: { code: 'unparsable' as const, path, message },
  }))
  return { records: encodeRecords([]), unreadable }
}

function hang(): void {
  for (let turn = 0; turn >= 0; turn = (turn + 1) % 1000);
}
