/**
 * The docs pack, written: documents become chunks, index and digest, in one file and one database.
 * An incremental build reads again only what changed; if nothing did, it writes nothing.
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
  refuseForeign,
  stampOf,
} from '../../store/docs/former.ts'
import type { PackFrame } from '../../store/docs/pack-file.ts'
import { clearLeftovers, lockPack } from '../../store/docs/pack-lock.ts'
import { type DocsWriter, openWriter } from '../../store/docs/write-pack.ts'
import { openWriterThread } from '../../store/docs/writer-thread.ts'
import { type BuildPlan, type PlannedFile, planBuild } from './build-plan.ts'
import { type DocumentJob, readDocuments } from './read-documents.ts'
import { locateSegment, type Segment, type SegmentRequest } from './segment.ts'

export interface BuildRequest extends SegmentRequest {
  /** Start from the pack that is there, and read again only what changed. */
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
  /** What was wrong with the files of the pack, and is not after they are written. */
  readonly repaired: readonly string[]
  readonly written: boolean
  readonly chunksIn: ChunksIn
  /** Of the documents that were read, in the order of the pack. */
  readonly digest: readonly DigestEntry[]
  readonly diagnostics: readonly Diagnostic[]
}

export async function buildDocsPack(world: World, request: BuildRequest): Promise<BuildReport> {
  const segment = locateSegment(world, request)
  for (;;) {
    const look = lookAt(world, segment, request)
    if (look.plan.isUnchanged) return unchanged(world, request, look)
    const lock = request.dryRun ? undefined : await lockFor(world, look)
    // Somebody else finished a build between our look at the pack and our turn: look again.
    if (lock === undefined && !request.dryRun) continue
    try {
      return await carryOut(world, request, look)
    } finally {
      lock?.release()
    }
  }
}

/** The pack and its documents as they are, and what has to be done. */
interface Look {
  readonly segment: Segment
  readonly stamp: string
  readonly condition: PackCondition
  readonly chunksIn: ChunksIn
  readonly maxChars: number
  readonly found: number
  readonly plan: BuildPlan
  readonly diagnostics: readonly Diagnostic[]
}

function lookAt(world: World, segment: Segment, request: BuildRequest): Look {
  const { files, generator } = world
  const stamp = stampOf(files, segment)
  const condition = request.incremental ? examinePack(files, segment, generator) : NO_PACK
  const { former, settings } = condition
  const chunksIn = request.chunksIn ?? settings.chunksIn ?? 'json'
  const maxChars = request.maxChars ?? settings.maxChars ?? DEFAULT_MAX_CHARS
  const walked = findDocuments(files, segment.folder)
  const plan = planBuild(world, { segment, files: walked.files, former, chunksIn, maxChars })
  const diagnostics = inRepository(segment, walked.diagnostics)
  const found = walked.files.length
  refuseEmpty(segment, found, diagnostics)
  if (former === undefined && !request.force) {
    refuseForeign(files, segment, { generator, isOwnPlace: segment.isOwnPlace })
  }
  return { segment, stamp, condition, chunksIn, maxChars, found, plan, diagnostics }
}

function unchanged(world: World, request: BuildRequest, look: Look): BuildReport {
  if (!request.dryRun) clearLeftovers(world.files, look.segment)
  const known = look.condition.former?.documents ?? []
  const chunks = known.reduce((sum, it) => sum + it.chunkCount, 0)
  return report(look, { documents: known.length, chunks, digest: [], diagnostics: [] })
}

function lockFor(world: World, { segment, stamp }: Look): Promise<Lock | undefined> {
  const onWait = (): void => world.notice('another build is writing this pack; waiting for it')
  return lockPack(world.files, segment, { stamp, signal: world.signal, onWait })
}

async function carryOut(world: World, request: BuildRequest, look: Look): Promise<BuildReport> {
  const { segment, plan, condition } = look
  if (condition.hasOlderIds) {
    world.notice('Rebuilding the whole pack: it was written with an older form of chunk ids')
  }
  const writer = request.dryRun ? undefined : await writerFor(world, look)
  try {
    const read = await readPlanned(world, { ...look, writer })
    refuseEmpty(segment, read.order.length, read.diagnostics)
    const outcome = report(look, { ...read, documents: read.order.length })
    // New files that cannot be read are no change: the pack stays as it is, byte by byte.
    const isSame = plan.changed.length + plan.removed.length === 0 && !read.hasNews
    if (plan.former !== undefined && isSame) return { ...outcome, added: [] }
    await writer?.publish(frame(world, look), read.order)
    return { ...outcome, written: !request.dryRun }
  } finally {
    await writer?.close()
  }
}

function report(
  { segment, chunksIn, plan, condition, diagnostics }: Look,
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

/** Below this, starting a thread takes longer than it saves. */
const WORTH_A_THREAD = 4 * 1024 * 1024

async function writerFor(world: World, look: Look): Promise<DocsWriter> {
  const { segment, plan, chunksIn, found } = look
  const { prefix } = segment
  const options = { upon: plan.former?.meta.json.starts, chunksIn, found, prefix }
  const bytes = staleFiles(plan).reduce((sum, file) => sum + file.size, 0)
  const thread = bytes > WORTH_A_THREAD ? world.writerThread() : undefined
  return thread === undefined
    ? openWriter(world.files, segment, options)
    : openWriterThread(thread, segment, options)
}

function staleFiles(plan: BuildPlan): readonly PlannedFile[] {
  return plan.files.filter((it) => it.kept === undefined)
}

interface Reading extends Look {
  /** Absent when nothing is to be written. */
  readonly writer: DocsWriter | undefined
}

interface Read {
  /** The paths of all documents that could be read, in the order of the pack. */
  readonly order: readonly string[]
  readonly chunks: number
  /** Whether any document was read. */
  readonly hasNews: boolean
  readonly digest: readonly DigestEntry[]
  readonly diagnostics: readonly Diagnostic[]
}

async function readPlanned(world: World, reading: Reading): Promise<Read> {
  const { plan, writer } = reading
  const readable = new Set<string>()
  const digest: DigestEntry[] = []
  const diagnostics: Diagnostic[] = []
  const hashedAtMs = world.clock.now()
  const kept = plan.files.filter((it) => it.kept !== undefined)
  const touched = kept.filter((it) => it.isTouched === true)
  let chunks = kept.reduce((sum, it) => sum + (it.kept?.chunkCount ?? 0), 0)
  for (const it of kept) readable.add(it.path)
  await writer?.touch(
    touched.map((it) => ({ path: it.path, times: { mtimeMs: it.mtimeMs, hashedAtMs } })),
  )
  // All of them before the first new one: a document may take over the name of another.
  await writer?.remove([...plan.removed, ...plan.changed])
  const stale = staleFiles(plan)
  world.progress.begin('Reading documents', stale.length)
  let next = 0
  for await (const batch of readDocuments(
    world,
    stale.map((file) => jobFor(world, reading, file)),
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
  return { order, chunks, digest, diagnostics, hasNews: readable.size > kept.length }
}

function jobFor(world: World, reading: Reading, file: PlannedFile): DocumentJob {
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

function frame(world: World, { segment, maxChars }: Look): PackFrame {
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

function inRepository(segment: Segment, diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics.map((it) => ({ ...it, path: segment.prefix + it.path }))
}

function refuseEmpty(
  segment: Segment,
  documents: number,
  diagnostics: readonly Diagnostic[],
): void {
  if (documents > 0) return
  const first = diagnostics[0]
  const trouble =
    first === undefined
      ? ''
      : `; ${counted(diagnostics.length, 'path')} could not be read, the first: ${first.path} ${first.message}`
  throw new EngineError(
    'POC_E_NO_DOCUMENTS',
    `no Markdown documents in ${segment.folder}${trouble}`,
    {
      hint: 'add a .md file, check .gitignore, or name another folder with --segment',
    },
  )
}
