/**
 * The docs pack, written: documents become chunks, index and digest, in one file and one database.
 * An incremental build reads again only what changed; if nothing did, it writes nothing.
 */
import { join } from 'node:path'
import { assert } from '../base/assert.ts'
import { counted } from '../base/text.ts'
import type { Diagnostic } from '../model/diagnostic.ts'
import { CHUNKING_METHOD, DEFAULT_MAX_CHARS, DOCS_PACK_SCHEMA_VERSION } from '../model/docs-pack.ts'
import { EngineError } from '../model/engine-error.ts'
import type { World } from '../platform/world.ts'
import { findDocuments } from '../sources/markdown/documents.ts'
import { readFormer, refuseForeign, stampOf } from '../store/docs/former.ts'
import type { PackFrame, Piece } from '../store/docs/pack-file.ts'
import { openWriter, type PackWriter } from '../store/docs/write-pack.ts'
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

export type ChunksIn = 'json' | 'sqlite'

export interface BuildReport {
  readonly segment: Segment
  readonly documents: number
  readonly chunks: number
  readonly added: readonly string[]
  readonly changed: readonly string[]
  readonly removed: readonly string[]
  readonly written: boolean
  readonly chunksIn: ChunksIn
  readonly diagnostics: readonly Diagnostic[]
}

export async function buildDocsPack(world: World, request: BuildRequest): Promise<BuildReport> {
  const segment = locateSegment(world, request)
  for (;;) {
    const stamp = stampOf(world.files, segment)
    const former = request.incremental
      ? readFormer(world.files, segment, world.generator)
      : undefined
    const chunksIn = request.chunksIn ?? former?.meta.chunksIn ?? 'json'
    const maxChars = request.maxChars ?? former?.meta.chunking.max_chars ?? DEFAULT_MAX_CHARS
    const found = findDocuments(world.files, segment.folder)
    const plan = planBuild(world, { segment, files: found.files, former, chunksIn, maxChars })
    const diagnostics = inRepository(segment, found.diagnostics)
    refuseEmpty(segment, found.files.length, diagnostics)
    if (former === undefined && !request.force) refuseForeign(world.files, segment, world.generator)

    if (plan.isUnchanged) {
      const chunks = plan.files.reduce((sum, file) => sum + (file.kept?.chunkCount ?? 0), 0)
      return report({ segment, plan, chunksIn, chunks, diagnostics, documents: plan.files.length })
    }

    const writes = !request.dryRun
    const onWait = (): void => world.notice('another build is writing this pack; waiting for it')
    const options = { former: plan.former, stamp, chunksIn, onWait }
    const writer = writes ? await openWriter(world.files, segment, options) : undefined
    // Somebody else finished a build between our look at the pack and our turn: look again.
    if (writes && writer === undefined) continue
    try {
      const packed = await readPlanned(world, { segment, plan, writer, maxChars, chunksIn })
      refuseEmpty(segment, packed.pieces.length, packed.diagnostics)
      const read = { documents: packed.pieces.length, chunks: packed.chunks }
      const troubles = [...diagnostics, ...packed.diagnostics]
      const outcome = report({ segment, plan, chunksIn, ...read, diagnostics: troubles })
      // New files that cannot be read are no change: the pack stays as it is, byte by byte.
      const isSame = plan.changed.length + plan.removed.length === 0 && !packed.hasNews
      if (plan.former !== undefined && isSame) return { ...outcome, added: [] }
      writer?.publish(frame(world, segment, maxChars), packed.pieces)
      return { ...outcome, written: writes }
    } finally {
      writer?.close()
    }
  }
}

interface Outcome extends Omit<BuildReport, 'written' | 'added' | 'changed' | 'removed'> {
  readonly plan: BuildPlan
}

function report({ plan, ...outcome }: Outcome): BuildReport {
  const { added, changed, removed } = plan
  return { ...outcome, added, changed, removed, written: false }
}

interface Reading {
  readonly segment: Segment
  readonly plan: BuildPlan
  /** Absent when nothing is to be written. */
  readonly writer: PackWriter | undefined
  readonly maxChars: number
  readonly chunksIn: ChunksIn
}

interface Read {
  /** In the order of the pack. */
  readonly pieces: readonly Piece[]
  /** Whether any document was read. */
  readonly hasNews: boolean
  readonly chunks: number
  readonly diagnostics: readonly Diagnostic[]
}

async function readPlanned(world: World, reading: Reading): Promise<Read> {
  const { plan, writer } = reading
  const pieces = new Map<string, Piece>()
  let hasNews = false
  const diagnostics: Diagnostic[] = []
  const stale = plan.files.filter((it) => it.kept === undefined)
  let chunks = 0
  // All of them before the first new one: a document may take over the name of another.
  for (const path of [...plan.removed, ...plan.changed]) writer?.remove(path)
  for (const { path, kept, isTouched, mtimeMs } of plan.files) {
    if (kept === undefined) continue
    if (isTouched === true) writer?.touch(path, { mtimeMs, hashedAtMs: world.clock.now() })
    pieces.set(path, { path })
    chunks += kept.chunkCount
  }
  if (stale.length > 0) world.progress.begin('Reading documents', stale.length)
  const jobs = stale.map((file) => jobFor(world, reading, file))
  const hashedAtMs = world.clock.now()
  let next = 0
  for await (const batch of readDocuments(world, jobs)) {
    for (const { encoded, diagnostics: troubles } of batch) {
      const file = stale[next]
      assert(file, 'an answer for every job')
      next += 1
      diagnostics.push(...troubles)
      if (encoded !== undefined) {
        pieces.set(file.path, { path: file.path, bytes: encoded.bytes })
        writer?.put(file.path, encoded, { mtimeMs: file.mtimeMs, hashedAtMs })
        hasNews = true
        chunks += encoded.rows.length
      }
    }
    world.progress.advance(batch.length)
  }
  if (stale.length > 0) world.progress.end()
  const ordered = plan.files.flatMap((it) => pieces.get(it.path) ?? [])
  return { pieces: ordered, chunks, diagnostics, hasNews }
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

function frame(world: World, segment: Segment, maxChars: number): PackFrame {
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
