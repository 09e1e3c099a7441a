/** Files to what resolving makes of them, in the order of the files: here, or on many threads. */
import { assert } from '../../base/assert.ts'
import type { CodeIndexWriter, IndexLookup } from '../../model/code-index.ts'
import type { ResolvedFile } from '../../model/index-record.ts'
import { decodeResolved, type EncodedResolved, encodeResolved } from '../../model/resolved-codec.ts'
import type { Files } from '../../platform/files.ts'
import { deferRejection, type Pool } from '../../platform/pool.ts'
import { ThreadEnded } from '../../platform/program.ts'
import { orAbort, type World, yieldToEventLoop } from '../../platform/world.ts'
import type * as ResolveFile from '../../resolve/resolve-file.ts'
import type { Repository } from '../../resolve/resolve-file.ts'
import { openLookup } from '../../store/code/shared-lookup.ts'
import { indexRepository, type RepositoryLookup } from './index-repository.ts'

/** So many are handed over together: each of them is small. */
const BATCH_FILES = 64
const MOST_FILES = 512
/** Enough for the threads to end at about the same time. */
const STRETCHES = 6
/** What is not worth handing over. */
const FEW_FILES = 256
const NO_LIMIT_MS = 2_147_483_647

export interface Resolving {
  readonly writer: CodeIndexWriter
  readonly pool: Pool
  readonly paths: readonly string[]
}

export async function* resolveSources(
  world: World,
  { writer, pool, paths }: Resolving,
): AsyncGenerator<readonly ResolvedFile[]> {
  const index = paths.length > FEW_FILES ? await writer.share() : undefined
  if (index === undefined) yield* resolveHere(world, writer, paths)
  else yield* resolveThere(world, { index, pool, paths, lookup: writer.lookup })
}

async function* resolveHere(
  world: World,
  writer: CodeIndexWriter,
  paths: readonly string[],
): AsyncGenerator<readonly ResolvedFile[]> {
  const { resolveFile } = await resolving()
  const repository = indexRepository(writer.lookup, paths.length > BATCH_FILES)
  for (const batch of batches(paths)) {
    await yieldToEventLoop(world)
    yield batch
      .filter((path) => repository.exists(path))
      .map((path) => resolveFile(path, repository))
  }
}

/** So that the first file that is resolved here does not have to wait. */
export async function prepareResolving(): Promise<void> {
  await resolving()
}

/** Loaded by who has something to resolve. */
function resolving(): Promise<typeof ResolveFile> {
  return import('../../resolve/resolve-file.ts')
}

interface Shared {
  readonly index: string
  readonly pool: Pool
  readonly paths: readonly string[]
  readonly lookup: IndexLookup
}

async function* resolveThere(
  world: World,
  { index, pool, paths, lookup }: Shared,
): AsyncGenerator<readonly ResolvedFile[]> {
  const { withoutEdges } = await resolving()
  const pending: Promise<readonly Part[]>[] = []
  const decoded = (part: Part): readonly ResolvedFile[] =>
    'path' in part
      ? [withoutEdges(part.path, indexRepository(lookup, false), part.reason)]
      : decodeResolved(part)
  const next = async (): Promise<readonly ResolvedFile[]> => {
    await yieldToEventLoop(world)
    const turn = pending.shift()
    assert(turn !== undefined, 'asked for more than was handed over')
    return (await orAbort(world, turn)).flatMap(decoded)
  }
  // Neighbours ask for the same files: long stretches let a thread use again what it has read.
  const stretch = Math.ceil(paths.length / (pool.size * STRETCHES))
  for (const batch of batches(paths, Math.max(BATCH_FILES, Math.min(MOST_FILES, stretch)))) {
    pending.push(deferRejection(handOver(pool, { index, paths: batch })))
    if (pending.length > pool.size * 3) yield await next()
  }
  while (pending.length > 0) yield await next()
}

type Part = EncodedResolved | Lost

/** A file that a thread has ended over. */
interface Lost {
  readonly path: string
  readonly reason: string
}

/** Where a thread ends over its files, each is tried again alone: one of them costs itself alone. */
async function handOver(pool: Pool, task: ResolveTask): Promise<readonly Part[]> {
  try {
    return [(await pool.run(task, NO_LIMIT_MS)) as EncodedResolved]
  } catch (error) {
    if (!(error instanceof ThreadEnded)) throw error
  }
  const parts: Part[] = []
  for (const path of task.paths) parts.push(await resolveAlone(pool, task.index, path))
  return parts
}

async function resolveAlone(pool: Pool, index: string, path: string): Promise<Part> {
  const task: ResolveTask = { index, paths: [path] }
  try {
    return (await pool.run(task, NO_LIMIT_MS)) as EncodedResolved
  } catch (error) {
    if (!(error instanceof ThreadEnded)) throw error
    return { path, reason: error.message }
  }
}

function* batches(paths: readonly string[], size = BATCH_FILES): Generator<readonly string[]> {
  for (let at = 0; at < paths.length; at += size) yield paths.slice(at, at + size)
}

/** What a thread is asked to do. */
export interface ResolveTask {
  /** The index as the writer shares it. */
  readonly index: string
  readonly paths: readonly string[]
}

/** What a thread has learned of an index stays with it from one task to the next. */
let known: { readonly index: string; readonly repository: Repository } | undefined
let current: IndexLookup | undefined

/** The connection does not stay: left open, it would keep the writer's log from being written back. */
export async function resolveTask(
  files: Files,
  { index, paths }: ResolveTask,
): Promise<EncodedResolved> {
  const { resolveFile } = await resolving()
  const lookup = openLookup(files, index)
  current = lookup
  try {
    if (known?.index !== index) known = { index, repository: indexRepository(THROUGH, true) }
    const { repository } = known
    const present = paths.filter((path) => repository.exists(path))
    return encodeResolved(present.map((path) => resolveFile(path, repository)))
  } finally {
    current = undefined
    lookup.close()
  }
}

/** Whatever connection there is at the time. */
const THROUGH: RepositoryLookup = {
  exists: (path) => open().exists(path),
  filesInFolder: (path) => open().filesInFolder(path),
  facts: (path) => open().facts(path),
  definitionsProvided: (name) => open().definitionsProvided(name),
  symbolsNamed: (name, most) => open().symbolsNamed(name, most),
  symbolIdsInFile: (path) => open().symbolIdsInFile(path),
  files: () => open().files(),
}

function open(): IndexLookup {
  assert(current !== undefined, 'asked outside of a task')
  return current
}
