/**
 * The code index, from a folder to a committed state: look what changed, read it, resolve what
 * hangs on it, commit. The same steps for the first build and for one changed file.
 */
import type { CodeIndexWriter, IndexLookup, TransactionStart } from '../../model/code-index.ts'
import type { Diagnostic } from '../../model/diagnostic.ts'
import { EngineError } from '../../model/engine-error.ts'
import { SKIPPED } from '../../model/index-record.ts'
import { kindAt } from '../../platform/files.ts'
import { LazyPool, type Pool } from '../../platform/pool.ts'
import type { World } from '../../platform/world.ts'
import type { FileReading } from '../../sources/code/read-batch.ts'
import { EXTRACTOR_VERSION } from '../../sources/code/version.ts'
import { asUseError } from '../../store/code/trouble.ts'
import { DatabaseWriter } from '../../store/code/writer.ts'
import { embedderInUse, identityOf } from './embed-choice.ts'
import { embedChunks } from './embed-index.ts'
import { IndexChanges } from './index-changes.ts'
import {
  formerOptions,
  type IndexOptions,
  type IndexRequest,
  optionsText,
  topOf,
} from './index-options.ts'
import { claimIndexFolder, indexFile } from './index-place.ts'
import {
  areSame,
  byPlace,
  type Found,
  type IndexPlan,
  inside,
  isReadAnew,
  isSameKind,
  planFor,
} from './index-plan.ts'
import { withPreciseIndexes } from './precise.ts'
import { readSources } from './read-sources.ts'
import { resolveSources } from './resolve-sources.ts'
import { withOtherContent } from './same-content.ts'
import { ScipCover } from './scip-cover.ts'
import { ScipShelf } from './scip-index.ts'
import { noteLook, withoutRestless } from './second-look.ts'

export { indexPath } from './index-place.ts'

export interface IndexOutcome {
  /** The repository: native and absolute. */
  readonly root: string
  readonly index: string
  readonly signature: string
  /** How many files there are that hold something, how many were read, went, and were resolved. */
  readonly files: number
  readonly read: number
  readonly removed: number
  readonly resolved: number
  /** How many chunks got a new vector. */
  readonly embedded: number
  readonly bytes: number
  /** Of the walk, and what their content speaks against; of the whole, or of what was looked at. */
  readonly skipped: readonly Diagnostic[]
  readonly milliseconds: number
}

export async function buildCodeIndex(world: World, asked: IndexRequest): Promise<IndexOutcome> {
  const request = await withPreciseIndexes(world, asked)
  const writer = openWriter(world, topOf(world, request))
  try {
    return await updateOrReplace(world, writer, request)
  } finally {
    await writer.close()
  }
}

/**
 * By force, an index that is of no use is made anew: all of it comes from the repository. What lies
 * in its place stays there until the new one is whole, and without force for good.
 */
export async function updateOrReplace(
  world: World,
  writer: CodeIndexWriter,
  request: UpdateRequest,
): Promise<IndexOutcome> {
  const path = indexFile(world, topOf(world, request))
  const isThere = kindAt(world.files, path) !== undefined
  if (request.force !== true) {
    try {
      return await updateCodeIndex(world, writer, request)
    } catch (error) {
      throw isThere ? asUseError(error, path) : error
    }
  }
  try {
    return await updateCodeIndex(world, writer, { ...request, from: 'checked' })
  } catch (error) {
    if (!isOfTheIndex(error)) throw error
    world.notice(`made anew, without the former index: ${error.message}`)
    return updateCodeIndex(world, writer, { ...request, from: 'nothing' })
  }
}

const OF_THE_INDEX: ReadonlySet<string> = new Set([
  'POC_E_PACK_CORRUPT',
  'POC_E_PACK_FOREIGN',
  'POC_E_CONTRACT_VERSION',
])

/** Whoever reads what is damaged may stumble in any way; a failure of ours is met again anew. */
function isOfTheIndex(error: unknown): error is Error {
  return error instanceof EngineError ? OF_THE_INDEX.has(error.code) : error instanceof Error
}

/** With the options that the index was made with. */
export async function bringUpToDate(world: World, top: string): Promise<void> {
  const writer = openWriter(world, top)
  const isThere = kindAt(world.files, indexFile(world, top)) !== undefined
  try {
    const options = isThere ? await optionsOf(writer) : {}
    await updateCodeIndex(world, writer, { path: top, ...options })
  } catch (raw) {
    const error = isThere ? asUseError(raw, indexFile(world, top)) : raw
    const isOfWriting = error instanceof EngineError && error.code === 'POC_E_WRITE_FAILED'
    if (!isOfWriting || !isThere) throw error
    throw new EngineError(error.code, error.message, {
      hint: `${error.hint}, or take the index as it is with --no-index`,
      cause: error,
    })
  } finally {
    await writer.close()
  }
}

async function optionsOf(writer: CodeIndexWriter): Promise<IndexOptions> {
  await writer.begin()
  try {
    return formerOptions(writer.lookup.meta().options)
  } finally {
    await writer.rollback()
  }
}

export function openWriter(world: World, top: string): CodeIndexWriter {
  claimIndexFolder(world, top)
  return new DatabaseWriter({
    files: world.files,
    path: indexFile(world, top),
    signal: world.signal,
    onWait: () => world.notice('another process is writing the index; waiting for it'),
  })
}

export interface UpdateRequest extends IndexRequest {
  readonly from?: TransactionStart
  /** Tells what to look at, when it is known that nothing else changed. Undefined: at all. */
  readonly found?: (known: Known) => Found | undefined
  /** Where SCIP indexes are kept from one update to the next. */
  readonly shelf?: ScipShelf
}

/** What an index has of some paths. */
export interface Known {
  /** Paths of the index in a folder, or the path itself. */
  below(path: string): readonly string[]
  /** What was met at the path itself and is no file of the index. */
  skippedAt(path: string): readonly Diagnostic[]
}

export async function updateCodeIndex(
  world: World,
  writer: CodeIndexWriter,
  asked: UpdateRequest,
): Promise<IndexOutcome> {
  const startedAt = world.clock.now()
  const top = topOf(world, asked)
  const pool = new LazyPool(() => world.extractors())
  await writer.begin(asked.from)
  try {
    const former = { options: writer.lookup.meta().options, vectors: writer.vectors().info() }
    const shelf = asked.shelf ?? new ScipShelf()
    const indexes = shelf.indexes(world, { top, request: asked, options: former.options })
    const embedder = await embedderInUse(world, asked, former)
    const request = {
      ...asked,
      scipInUse: indexes.map(({ path, sha256 }) => ({ path, sha256 })),
      embedInUse: embedder === undefined ? undefined : identityOf(embedder),
    }
    const replaced = isBetterAnew(writer, request) ? writer.lookup.files() : []
    if (replaced.length > 0) {
      await writer.rollback()
      await writer.begin('nothing')
    }
    const { lookup } = writer
    const cover = new ScipCover({ ...request, world, top, lookup, indexes })
    const plan = await planOf(world, writer, { ...request, startedAt })
    const changes = new IndexChanges(lookup)
    const step = { world, writer, plan, changes, top, request, cover, pool }
    const read = await readAll(step)
    // Threads that have read much hold parsers and words that resolving has no use for.
    await pool.close()
    cover.report()
    const resolved = await resolveAll(step)
    const files = lookup.countFiles()
    const removed = read.removed + replaced.filter((it) => !lookup.exists(it.path)).length
    // Of the whole, all is told that was left out, whether it was read this time or another.
    const leftOut = plan.within === undefined ? lookup.skippedFiles() : read.leftOut
    const skipped = [...plan.skipped, ...read.skipped].map((it) => inside(top, it))
    const embedded = await embedChunks(world, writer, embedder)
    const isChanged = read.count + removed > 0 || embedded.isChanged
    const signature = await finish(step, { isChanged, skipped, startedAt })
    if (embedded.trouble !== undefined) throw embedded.trouble
    return {
      root: top,
      index: indexFile(world, top),
      signature,
      files,
      read: read.count,
      removed,
      resolved,
      embedded: embedded.chunks,
      bytes: read.bytes,
      skipped: [...skipped, ...leftOut.map((it) => inside(top, it))].toSorted(byPlace),
      milliseconds: world.clock.now() - startedAt,
    }
  } finally {
    await pool.close()
    world.progress.end()
    // After a commit there is nothing to roll back.
    await writer.rollback()
  }
}

/**
 * Where everything is read again, a file of its own is quicker: nothing has to be taken out of it,
 * and threads can read it while it is written. Only vectors are worth keeping the former one for.
 */
function isBetterAnew(writer: CodeIndexWriter, request: UpdateRequest): boolean {
  const { lookup } = writer
  const isAll = lookup.countFiles() > 0 && isReadAnew(lookup.meta(), request)
  return isAll && writer.vectors().info() === undefined
}

interface Step {
  readonly world: World
  readonly writer: CodeIndexWriter
  readonly plan: IndexPlan
  readonly changes: IndexChanges
  readonly top: string
  readonly request: IndexRequest
  readonly cover: ScipCover
  readonly pool: Pool
}

async function planOf(
  world: World,
  writer: CodeIndexWriter,
  request: UpdateRequest & { readonly startedAt: number },
): Promise<IndexPlan> {
  const { lookup } = writer
  const meta = lookup.meta()
  // What was reported is all that changed since our last look, not since somebody else's.
  const isOurs = lookup.countFiles() > 0 && isSameKind(meta, request)
  const found = isOurs ? request.found?.(knownOf(lookup)) : undefined
  if (found !== undefined) return { ...found, isWhole: false }
  const state = { meta, files: lookup.files() }
  return planFor(await noteLook(world, topOf(world, request), request), state, request)
}

function knownOf(lookup: IndexLookup): Known {
  let skipped: ReadonlyMap<string, readonly Diagnostic[]> | undefined
  return {
    below: (path) => (lookup.exists(path) ? [path] : lookup.filesBelow(path)),
    skippedAt(path) {
      skipped ??= Map.groupBy(lookup.meta().skipped, (it) => it.path)
      return skipped.get(path) ?? []
    },
  }
}

async function readAll(step: Step): Promise<{
  readonly count: number
  readonly bytes: number
  readonly removed: number
  readonly skipped: readonly Diagnostic[]
  /** Kept with their files: they are known, and nothing is known of what they say. */
  readonly leftOut: readonly Diagnostic[]
}> {
  const { world, writer, plan, changes, top, request, cover, pool } = step
  const skipped: Diagnostic[] = []
  const leftOut: Diagnostic[] = []
  let count = 0
  let bytes = 0
  let removed = plan.gone.length
  for (const path of plan.gone) changes.remove(path)
  await writer.remove(plan.gone)
  const files = plan.isWhole
    ? plan.files
    : await withOtherContent(world, writer, { top, files: plan.files })
  world.progress.begin('reading', files.length)
  const limit = request.maxFileBytes === undefined ? {} : { maxFileBytes: request.maxFileBytes }
  for await (const readings of readSources(world, { top, files, pool, ...limit })) {
    for (const it of readings) {
      if (it.kind === 'unreadable') {
        const { path } = it.diagnostic
        skipped.push(it.diagnostic)
        if (!writer.lookup.exists(path)) continue
        // What it held when it could be read is not what is there now.
        changes.remove(path)
        await writer.remove([path])
        removed += 1
        continue
      }
      const [before] = plan.isWhole ? [] : writer.lookup.files([it.record.path])
      if (before?.sha256 === it.record.sha256) {
        await writer.touch([it.record])
        continue
      }
      const record = cover.read(it.record)
      if (record.language === SKIPPED) leftOut.push(...record.diagnostics)
      if (!plan.isWhole) changes.put(record)
      await writer.put([record])
      count += 1
      bytes += record.size
    }
    world.progress.advance(readings.length, sizeOf(readings))
  }
  world.progress.end()
  return { count, bytes, removed, skipped, leftOut }
}

function sizeOf(readings: readonly FileReading[]): number {
  return readings.reduce((sum, it) => sum + (it.kind === 'record' ? it.record.size : 0), 0)
}

async function resolveAll({ world, writer, plan, changes, cover, pool }: Step): Promise<number> {
  const { lookup } = writer
  const paths = plan.isWhole ? lookup.files().map((it) => it.path) : changes.affected()
  if (paths.length === 0) return 0
  world.progress.begin('resolving', paths.length)
  for await (const files of resolveSources(world, { writer, pool, paths })) {
    await writer.putResolved(files.map((it) => cover.resolved(it)))
    world.progress.advance(files.length)
  }
  world.progress.end()
  return paths.length
}

interface Done {
  readonly isChanged: boolean
  readonly skipped: readonly Diagnostic[]
  readonly startedAt: number
}

/** Nothing is written when nothing changed: the time of the build is that of its content. */
async function finish(
  { world, writer, plan, request }: Step,
  { isChanged, skipped, startedAt }: Done,
): Promise<string> {
  const meta = writer.lookup.meta()
  const isNew = plan.isWhole || meta.extractorVersion === ''
  const elsewhere = plan.within === undefined ? [] : outside(meta.skipped, plan.within)
  const all = [...elsewhere, ...skipped].toSorted(byPlace)
  const isSame = areSame(all, meta.skipped)
  if (!isChanged && !isNew && isSame && plan.files.length === 0) return writer.lookup.signature()
  await writer.setMeta({
    // What is written to a file after this time may have been read or not.
    builtAt: new Date(world.clock.recorded(startedAt)).toISOString(),
    // An update of a part reads nothing else: the others are as old as they were.
    ...(plan.within === undefined ? { readAt: new Date(startedAt).toISOString() } : {}),
    skipped: all,
    extractorVersion: EXTRACTOR_VERSION,
    options: optionsText(request),
  })
  if (plan.look !== undefined) await writer.setSnapshot(withoutRestless(plan.look, all))
  return writer.commit()
}

/** Neither at these paths nor below them. */
function outside(skipped: readonly Diagnostic[], paths: readonly string[]): readonly Diagnostic[] {
  const within = new Set(paths)
  return skipped.filter(({ path }) => {
    for (let at = path.length; at > 0; at = path.lastIndexOf('/', at - 1))
      if (within.has(path.slice(0, at))) return false
    return !within.has('')
  })
}
