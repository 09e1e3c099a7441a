/** Files to records through the threads, in the order of the files whatever thread is first. */
import { deferRejection, type Pool } from '../../platform/pool.ts'
import { ThreadEnded } from '../../platform/program.ts'
import { orAbort, type World, yieldToEventLoop } from '../../platform/world.ts'
import type * as Reading from '../../sources/code/read-batch.ts'
import type { Batch, EncodedReadings, FileReading } from '../../sources/code/read-batch.ts'
import type { ReadingOptions } from '../../sources/code/read-file.ts'

export interface SourceFile {
  readonly path: string
  readonly size: number
  readonly mtimeMs: number
}

export interface Sources extends ReadingOptions {
  readonly top: string
  readonly files: readonly SourceFile[]
  readonly pool: Pool
  /** How long a thread may take for what it is handed at once. */
  readonly patienceMs?: number
}

/** So much is handed to a thread at once: enough to make asking cheap, little enough to share out. */
const BATCH_BYTES = 128 * 1024
const BATCH_FILES = 64
/** So many batches per thread may be under way: a large file holds up those that come after it. */
const AHEAD = 3
/** What is not worth starting threads for. */
const FEW_FILES = 8
const FEW_BYTES = 256 * 1024
/** A batch that takes longer holds a grammar that does not come to an end. */
const PATIENCE_MS = 60_000

/** What comes holds until the next is asked for: the memory of large batches is given back then. */
export async function* readSources(
  world: World,
  sources: Sources,
): AsyncGenerator<readonly FileReading[]> {
  const bytes = sources.files.reduce((sum, it) => sum + it.size, 0)
  if (sources.files.length <= FEW_FILES && bytes <= FEW_BYTES) {
    if (sources.files.length > 0) yield await (await reading()).readBatch(world.files, sources)
    return
  }
  const { pool, ...task } = sources
  const pending: Promise<readonly EncodedReadings[]>[] = []
  for (const batch of batches(task)) {
    pending.push(deferRejection(handOver(pool, batch, sources.patienceMs ?? PATIENCE_MS)))
    // Memory is bounded by what is under way.
    if (pending.length >= pool.size * AHEAD) yield* next(world, pending)
  }
  while (pending.length > 0) yield* next(world, pending)
}

/** So that the first file that is read here does not have to wait. */
export async function prepareReading(world: World, top: string): Promise<void> {
  await (await reading()).readBatch(world.files, { top, files: [] })
}

/** All languages take longer to load than to see that nothing changed: only for who has to read. */
function reading(): Promise<typeof Reading> {
  return import('../../sources/code/read-batch.ts')
}

/** Decoded when its turn comes: a batch takes far more room then than it does packed. */
async function* next(
  world: World,
  pending: Promise<readonly EncodedReadings[]>[],
): AsyncGenerator<readonly FileReading[]> {
  await yieldToEventLoop(world)
  const { decodeReadings, release } = await reading()
  const turn = pending.shift()
  for (const it of turn === undefined ? [] : await orAbort(world, turn)) {
    yield decodeReadings(it)
    release(it)
  }
}

function* batches(sources: Omit<Sources, 'pool'>): Generator<Batch> {
  let files: SourceFile[] = []
  let bytes = 0
  for (const file of sources.files) {
    files.push(file)
    bytes += file.size
    if (bytes < BATCH_BYTES && files.length < BATCH_FILES) continue
    yield { ...sources, files }
    files = []
    bytes = 0
  }
  if (files.length > 0) yield { ...sources, files }
}

/**
 * A batch that hangs, or that its thread ends over, is tried again file by file. The file that it is
 * because of is read without its grammar; where that is of no use either, it is left out.
 */
async function handOver(
  pool: Pool,
  batch: Batch,
  patienceMs: number,
): Promise<readonly EncodedReadings[]> {
  const all = await attempt(pool, batch, patienceMs)
  if (typeof all !== 'string') return [all]
  const [file] = batch.files
  if (file !== undefined && batch.files.length === 1) {
    if (batch.isPlain === true) return [(await reading()).leftOut(file.path, all)]
    return handOver(pool, { ...batch, isPlain: true }, patienceMs)
  }
  const readings: EncodedReadings[] = []
  for (const each of batch.files)
    readings.push(...(await handOver(pool, { ...batch, files: [each] }, patienceMs)))
  return readings
}

/** What is read, or why nothing is. */
async function attempt(
  pool: Pool,
  batch: Batch,
  patienceMs: number,
): Promise<EncodedReadings | string> {
  try {
    const read = (await pool.run(batch, patienceMs)) as EncodedReadings | undefined
    return read ?? `it takes longer than ${patienceMs / 1000} s`
  } catch (error) {
    if (!(error instanceof ThreadEnded)) throw error
    return error.message
  }
}
