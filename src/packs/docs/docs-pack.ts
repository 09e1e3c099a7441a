/**
 * Builds a docs pack: documents become chunks, index and digest, in one file and one database. An
 * incremental build reads only changed documents, and writes nothing if nothing changed.
 */
import { join } from 'node:path'
import { counted } from '../../base/text.ts'
import type { Diagnostic } from '../../model/diagnostic.ts'
import {
  CHUNKING_METHOD,
  type ChunksIn,
  DEFAULT_MAX_CHARS,
  type DigestEntry,
  DOCS_PACK_SCHEMA_VERSION,
} from '../../model/docs-pack.ts'
import { EngineError } from '../../model/engine-error.ts'
import type { Lock } from '../../platform/lock.ts'
import type { World } from '../../platform/world.ts'
import { findDocuments } from '../../sources/markdown/documents.ts'
import {
  examinePack,
  NO_PACK,
  type PackCondition,
  readStamp,
  refuseForeign,
} from '../../store/docs/existing-pack.ts'
import type { PackFrame } from '../../store/docs/pack-file.ts'
import { clearLeftovers, lockPack } from '../../store/docs/pack-lock.ts'
import { type DocsWriter, openPackWriter } from '../../store/docs/write-pack.ts'
import { openWriterThread } from '../../store/docs/writer-thread.ts'
import { type BuildPlan, type PlannedFile, planBuild } from './build-plan.ts'
import { type DocumentJob, readDocuments } from './read-documents.ts'
import { locateSegment, type Segment, type SegmentRequest } from './segment.ts'

export interface BuildRequest extends SegmentRequest {
  /** Update the existing pack and read only changed documents. */
  readonly incremental: boolean
  readonly dryRun: boolean
  /** Replace a pack that another program or a newer version wrote. */
  readonly force: boolean
  readonly chunksIn?: ChunksIn | undefined
  readonly maxChars?: number | undefined
}

export interface BuildReport {
  readonly segment: Segment
  readonly documents: number
  readonly chunks: number
  readonly added: readonly string[]
  readonly changed: readonly string[]
  readonly removed: readonly string[]
  /** Faults of the pack files that this build repaired. */
  readonly repaired: readonly string[]
  readonly written: boolean
  readonly chunksIn: ChunksIn
  /** The digest of the documents that were read, in the order of the pack. */
  readonly digest: readonly DigestEntry[]
  readonly diagnostics: readonly Diagnostic[]
}

export async function buildDocsPack(world: World, request: BuildRequest): Promise<BuildReport> {
  const segment = locateSegment(world, request)
  for (;;) {
    const state = inspectPack(world, segment, request)
    if (state.plan.isUnchanged) return reportUnchanged(world, request, state)
    const lock = request.dryRun ? undefined : await acquireLock(world, state)
    // Another process finished a build after the pack was inspected: inspect it again.
    if (lock === undefined && !request.dryRun) continue
    try {
      return await runBuild(world, request, state)
    } finally {
      lock?.release()
    }
  }
}

/** The pack and its documents, and the planned work. */
interface BuildState {
  readonly segment: Segment
  readonly stamp: string
  readonly condition: PackCondition
  readonly chunksIn: ChunksIn
  readonly maxChars: number
  readonly found: number
  readonly plan: BuildPlan
  readonly diagnostics: readonly Diagnostic[]
}

function inspectPack(world: World, segment: Segment, request: BuildRequest): BuildState {
  const { files, generator } = world
  const stamp = readStamp(files, segment)
  const condition = request.incremental ? examinePack(files, segment, generator) : NO_PACK
  const { existing: former, settings } = condition
  const chunksIn = request.chunksIn ?? settings.chunksIn ?? 'json'
  const maxChars = request.maxChars ?? settings.maxChars ?? DEFAULT_MAX_CHARS
  const walked = findDocuments(files, segment.folder)
  const plan = planBuild(world, {
    segment,
    files: walked.files,
    previous: former,
    chunksIn,
    maxChars,
  })
  const diagnostics = toRepositoryPaths(segment, walked.diagnostics)
  const found = walked.files.length
  refuseEmptyPack(segment, found, diagnostics)
  if (former === undefined && !request.force) {
    refuseForeign(files, segment, { generator, isOwnPlace: segment.isDefaultLocation })
  }
  return { segment, stamp, condition, chunksIn, maxChars, found, plan, diagnostics }
}

function reportUnchanged(world: World, request: BuildRequest, state: BuildState): BuildReport {
  if (!request.dryRun) clearLeftovers(world.files, state.segment)
  const known = state.condition.existing?.documents ?? []
  const chunks = known.reduce((sum, it) => sum + it.chunkCount, 0)
  return createReport(state, { documents: known.length, chunks, digest: [], diagnostics: [] })
}

function acquireLock(world: World, { segment, stamp }: BuildState): Promise<Lock | undefined> {
  const onWait = (): void => world.notice('waiting for another build of this pack')
  return lockPack(world.files, segment, { stamp, signal: world.signal, onWait })
}

async function runBuild(
  world: World,
  request: BuildRequest,
  state: BuildState,
): Promise<BuildReport> {
  const { segment, plan, condition } = state
  if (condition.hasOlderIds) {
    world.notice('Rebuilding the whole pack: its chunk ids have an older format')
  }
  const writer = request.dryRun ? undefined : await openDocsWriter(world, state)
  try {
    const read = await readPlanned(world, { ...state, writer })
    refuseEmptyPack(segment, read.order.length, read.diagnostics)
    const outcome = createReport(state, { ...read, documents: read.order.length })
    // New files that cannot be read are not a change: the pack stays identical.
    const isSame = plan.changed.length + plan.removed.length === 0 && !read.hasChanges
    if (plan.previous !== undefined && isSame) return { ...outcome, added: [] }
    await writer?.publish(createFrame(world, state), read.order)
    return { ...outcome, written: !request.dryRun }
  } finally {
    await writer?.close()
  }
}

function createReport(
  { segment, chunksIn, plan, condition, diagnostics }: BuildState,
  read: Pick<BuildReport, 'documents' | 'chunks' | 'digest' | 'diagnostics'>,
): BuildReport {
  const { added, changed, removed } = plan
  const { documents, chunks, digest } = read
  return {
    segment,
    documents,
    chunks,
    added,
    changed,
    removed,
    repaired: condition.faults,
    written: false,
    chunksIn,
    digest,
    diagnostics: [...diagnostics, ...read.diagnostics],
  }
}

/** With fewer files, starting a thread takes longer than it saves. */
const MIN_FILES_FOR_THREAD = 4 * 1024 * 1024

async function openDocsWriter(world: World, state: BuildState): Promise<DocsWriter> {
  const { segment, plan, chunksIn, found } = state
  const { prefix } = segment
  const options = { existingStarts: plan.previous?.meta.json.starts, chunksIn, found, prefix }
  const bytes = listStaleFiles(plan).reduce((sum, file) => sum + file.size, 0)
  const thread = bytes > MIN_FILES_FOR_THREAD ? world.writerThread() : undefined
  return thread === undefined
    ? openPackWriter(world.files, segment, options)
    : openWriterThread(thread, segment, options)
}

function listStaleFiles(plan: BuildPlan): readonly PlannedFile[] {
  return plan.files.filter((it) => it.keptState === undefined)
}

interface ReadInput extends BuildState {
  /** Absent when nothing is to be written. */
  readonly writer: DocsWriter | undefined
}

interface ReadResult {
  /** The paths of all documents that could be read, in the order of the pack. */
  readonly order: readonly string[]
  readonly chunks: number
  /** Whether any document was read. */
  readonly hasChanges: boolean
  readonly digest: readonly DigestEntry[]
  readonly diagnostics: readonly Diagnostic[]
}

async function readPlanned(world: World, reading: ReadInput): Promise<ReadResult> {
  const { plan, writer } = reading
  const readable = new Set<string>()
  const digest: DigestEntry[] = []
  const diagnostics: Diagnostic[] = []
  const hashedAtMs = world.clock.now()
  const kept = plan.files.filter((it) => it.keptState !== undefined)
  const touched = kept.filter((it) => it.isTouched === true)
  let chunks = kept.reduce((sum, it) => sum + (it.keptState?.chunkCount ?? 0), 0)
  for (const it of kept) readable.add(it.path)
  await writer?.touch(
    touched.map((it) => ({ path: it.path, times: { mtimeMs: it.mtimeMs, hashedAtMs } })),
  )
  // All removals come before the first addition: a document may reuse the name of a removed one.
  await writer?.remove([...plan.removed, ...plan.changed])
  const stale = listStaleFiles(plan)
  world.progress.begin('Reading documents', stale.length)
  let next = 0
  for await (const batch of readDocuments(
    world,
    stale.map((file) => createJob(world, reading, file)),
  )) {
    const documents = batch.flatMap(({ encoded }, at) => {
      const file = stale[next + at]
      if (encoded === undefined || file === undefined) return []
      return [{ path: file.path, document: encoded, times: { mtimeMs: file.mtimeMs, hashedAtMs } }]
    })
    await writer?.put(documents)
    for (const { path, document } of documents) {
      readable.add(path)
      chunks += document.rows.length
      const entry = JSON.parse(document.digest) as DigestEntry | null
      if (entry !== null) digest.push(entry)
    }
    diagnostics.push(...batch.flatMap((it) => it.diagnostics))
    next += batch.length
    world.progress.advance(batch.length)
  }
  world.progress.end()
  const order = plan.files.map((it) => it.path).filter((path) => readable.has(path))
  return { order, chunks, digest, diagnostics, hasChanges: readable.size > kept.length }
}

function createJob(world: World, reading: ReadInput, file: PlannedFile): DocumentJob {
  const { segment, maxChars } = reading
  return {
    doc: file.doc,
    file: file.path,
    size: file.size,
    maxChars,
    sourcePath: segment.prefix + file.path,
    path: join(segment.folder, file.path),
    mtime: Math.floor(world.clock.recorded(file.mtimeMs) / 1000),
    withTexts: reading.chunksIn === 'json',
  }
}

function createFrame(world: World, { segment, maxChars }: BuildState): PackFrame {
  return {
    header: {
      schema_version: DOCS_PACK_SCHEMA_VERSION,
      segment: segment.name,
      created_at: new Date(world.clock.recorded(world.clock.now())).toISOString(),
      generator_version: world.generator,
    },
    chunking: { method: CHUNKING_METHOD, max_chars: maxChars },
  }
}

function toRepositoryPaths(
  segment: Segment,
  diagnostics: readonly Diagnostic[],
): readonly Diagnostic[] {
  return diagnostics.map((it) => ({ ...it, path: segment.prefix + it.path }))
}

function refuseEmptyPack(
  segment: Segment,
  documents: number,
  diagnostics: readonly Diagnostic[],
): void {
  if (documents > 0) return
  const first = diagnostics[0]
  const trouble =
    first === undefined
      ? ''
      : `; ${counted(diagnostics.length, 'path')} could not be read, starting with ${first.path} ${first.message}`
  throw new EngineError(
    'POC_E_NO_DOCUMENTS',
    `no Markdown documents in ${segment.folder}${trouble}`,
    {
      hint: 'add a .md file, check .gitignore, or give another folder with --segment',
    },
  )
}
