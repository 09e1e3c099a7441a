/** Validates a docs pack: whether it is complete, and whether it matches its documents. */
import { join } from 'node:path'
import { lineTable } from '../../base/line-table.ts'
import { codePointLength, counted } from '../../base/text.ts'
import { EngineError } from '../../model/engine-error.ts'
import { sha256 } from '../../platform/hash.ts'
import type { World } from '../../platform/world.ts'
import { decodeDocument, findDocuments, MAX_BYTES } from '../../sources/markdown/documents.ts'
import { DocsDatabase } from '../../store/docs/database.ts'
import { examinePack, refuseForeign } from '../../store/docs/existing-pack.ts'
import { openDatabase, readPackFile } from '../../store/docs/open-index.ts'
import { formatBuildCommand, formatSyncCommand } from '../../store/docs/pack-commands.ts'
import type { ParsedPack } from '../../store/docs/read-pack.ts'
import { locateSegment, type Segment, type SegmentRequest } from './segment.ts'

export interface ValidationCheck {
  readonly name: string
  readonly ok: boolean
  /** A short summary of the result. */
  readonly summary: string
  /** One entry per problem. */
  readonly problems: readonly string[]
}

export interface Validation {
  readonly pack: string
  readonly valid: boolean
  readonly checks: readonly ValidationCheck[]
  /** The command that repairs the pack, if it is invalid. */
  readonly advice?: string
}

export async function validateDocs(world: World, request: SegmentRequest): Promise<Validation> {
  const segment = locateSegment(world, request)
  const checks: ValidationCheck[] = []
  try {
    const pack = readPackFile(world.files, segment)
    checks.push(createCheck('schema', `version ${pack.schema_version}`, []))
    const texts = collectTexts(pack, segment)
    const sources = readSources(world, segment, pack)
    checks.push(checkUniqueIds(pack), checkIndex(pack), checkCounts(pack, texts), checkDigest(pack))
    checks.push(checkTexts(pack, texts), checkDatabase(segment, pack))
    checks.push(checkLineRanges(pack, texts, sources), await checkIds(pack, sources))
    checks.push(checkSources(sources))
  } catch (error) {
    if (!(error instanceof EngineError) || !BROKEN.has(error.code)) throw error
    checks.push(createCheck('schema', 'cannot be read', [`${error.message}: ${error.hint}`]))
  }
  const valid = checks.every((it) => it.ok)
  const outcome = { pack: segment.pack, valid, checks }
  return valid ? outcome : { ...outcome, advice: chooseAdvice(world, segment, outcome) }
}

/** A sync detects most faults; the others need a full build. */
function chooseAdvice(world: World, segment: Segment, { checks }: Validation): string {
  const { files, generator } = world
  try {
    refuseForeign(files, segment, { generator, isOwnPlace: segment.isDefaultLocation })
  } catch {
    return `${formatSyncCommand(segment)} --force`
  }
  const { existing: former, settings } = examinePack(files, segment, generator)
  const isOnlyStale = checks.every((it) => it.ok || it.name === SOURCES)
  return former === undefined || isOnlyStale
    ? formatSyncCommand(segment)
    : formatBuildCommand(segment, settings)
}

const SOURCES = 'sources'

const BROKEN: ReadonlySet<string> = new Set(['POC_E_PACK_CORRUPT', 'POC_E_CONTRACT_VERSION'])

function createCheck(name: string, summary: string, problems: readonly string[]): ValidationCheck {
  return { name, ok: problems.length === 0, summary, problems }
}

type ChunkTexts = ReadonlyMap<string, string>

/** From the file, or from the database if the file does not contain them. */
function collectTexts(pack: ParsedPack, segment: Segment): ChunkTexts {
  const isComplete = pack.chunks.every((chunk) => chunk.text !== undefined)
  if (isComplete) return new Map(pack.chunks.map((chunk) => [chunk.id, chunk.text ?? '']))
  const held = readDatabaseContent(segment)
  return held === undefined || held instanceof Error ? new Map() : held.texts
}

function checkUniqueIds(pack: ParsedPack): ValidationCheck {
  const twice = [
    ...findRepeated(pack.chunks.map((it) => it.id)),
    ...findRepeated(pack.index.map((it) => it.id)),
  ]
  const problems = [...new Set(twice)].map((id) => `${id} occurs more than once`)
  return createCheck('unique ids', counted(pack.chunks.length, 'chunk'), problems)
}

function findRepeated(ids: readonly string[]): readonly string[] {
  const seen = new Set<string>()
  return ids.filter((id) => seen.has(id) || !seen.add(id))
}

/** Fields that index and chunk have in common. */
const SHARED_FIELDS = [
  'source_path',
  'heading_level',
  'char_count',
  'line_count',
  'start_line',
  'end_line',
  'part',
] as const

function checkIndex(pack: ParsedPack): ValidationCheck {
  const chunks = new Map(pack.chunks.map((chunk) => [chunk.id, chunk]))
  const indexed = new Set(pack.index.map((entry) => entry.id))
  const problems = [
    ...pack.chunks
      .filter((it) => !indexed.has(it.id))
      .map((it) => `${it.id} is a chunk but not in the index`),
    ...pack.index.flatMap((entry) => {
      const chunk = chunks.get(entry.id)
      if (chunk === undefined) return [`${entry.id} is in the index but has no chunk`]
      const isSame = SHARED_FIELDS.every((field) => chunk[field] === entry[field])
      const isTitled = JSON.stringify(chunk.title_path) === JSON.stringify(entry.title_path)
      return isSame && isTitled ? [] : [`${entry.id} has different positions in index and chunks`]
    }),
  ]
  return createCheck('index', `${counted(pack.index.length, 'entry', 'entries')}`, problems)
}

function checkCounts(pack: ParsedPack, texts: ChunkTexts): ValidationCheck {
  const perDoc = Map.groupBy(pack.index, (entry) => entry.doc)
  const listed = new Set(pack.docs.map((doc) => doc.doc))
  const problems = [
    ...pack.docs
      .filter((doc) => (perDoc.get(doc.doc)?.length ?? 0) !== doc.chunk_count)
      .map((doc) => `${doc.doc} should have ${counted(doc.chunk_count, 'chunk')}`),
    ...[...perDoc.keys()]
      .filter((doc) => !listed.has(doc))
      .map((doc) => `${doc} has chunks but is not among the documents`),
    ...pack.chunks
      .filter((it) => texts.has(it.id) && codePointLength(texts.get(it.id) ?? '') !== it.char_count)
      .map((it) => `${it.id} does not have ${counted(it.char_count, 'character')}`),
  ]
  return createCheck('documents', counted(pack.docs.length, 'document'), problems)
}

function checkDigest(pack: ParsedPack): ValidationCheck {
  const known = new Set(pack.chunks.map((chunk) => chunk.id))
  const problems = pack.digest
    .flatMap((entry) => entry.source_chunk_ids)
    .filter((id) => !known.has(id))
    .map((id) => `${id} is cited by the digest but has no chunk`)
  return createCheck('digest', counted(pack.digest.length, 'entry', 'entries'), problems)
}

function checkTexts(pack: ParsedPack, texts: ChunkTexts): ValidationCheck {
  const problems = pack.chunks
    .filter((chunk) => !texts.has(chunk.id))
    .map((chunk) => `the text of ${chunk.id} is neither in the file nor in the database`)
  return createCheck('texts', counted(texts.size, 'text'), problems)
}

interface DatabaseContent {
  readonly texts: ChunkTexts
  readonly unsearchable: readonly string[]
}

/** A missing database is not a fault: the JSON file is the pack. */
function checkDatabase(segment: Segment, pack: ParsedPack): ValidationCheck {
  const held = readDatabaseContent(segment)
  if (held === undefined) return createCheck('database', 'none', [])
  if (held instanceof Error) {
    return createCheck('database', 'damaged', [
      `${segment.database} cannot be read: ${held.message}`,
    ])
  }
  const { texts, unsearchable } = held
  const problems = [
    ...pack.chunks
      .filter((it) => !texts.has(it.id) || (it.text !== undefined && texts.get(it.id) !== it.text))
      .map((it) => `${it.id} differs between file and database`),
    ...(texts.size === pack.chunks.length
      ? []
      : [`${texts.size} chunks, not ${pack.chunks.length}`]),
    ...unsearchable.map((id) => `${id} is not in the full-text index`),
  ]
  return createCheck('database', counted(texts.size, 'chunk'), problems)
}

/** Undefined if there is no database; the error if it cannot be read. */
function readDatabaseContent(segment: Segment): DatabaseContent | Error | undefined {
  const database = openDatabase(segment.database)
  if (!(database instanceof DocsDatabase)) return database
  try {
    return { texts: database.texts(), unsearchable: database.unsearchable() }
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  } finally {
    database.close()
  }
}

interface SourceState {
  /** The problem with the folder that paths are relative to. */
  readonly rootProblem: readonly string[]
  /** Texts of the unchanged sources, by source path. */
  readonly same: ReadonlyMap<string, string>
  readonly stale: readonly string[]
  readonly missing: readonly string[]
  readonly added: readonly string[]
}

export function readSources(world: World, segment: Segment, pack: ParsedPack): SourceState {
  const found = findDocuments(world.files, segment.folder).files
  const prefix = findBuildPrefix(pack) ?? segment.prefix
  const known = new Map(pack.source_files.map((source) => [source.path, source.sha256]))
  const same = new Map<string, string>()
  const stale: string[] = []
  const added: string[] = []
  for (const file of found.filter((it) => it.size <= MAX_BYTES)) {
    const path = prefix + file.path
    const bytes = readIfPossible(world, join(segment.folder, file.path))
    const decoded = bytes === undefined ? undefined : decodeDocument(bytes)
    const text = decoded !== undefined && 'text' in decoded ? decoded.text : undefined
    const before = known.get(path)
    known.delete(path)
    if (text === undefined) {
      if (before !== undefined) stale.push(path)
    } else if (before === undefined) added.push(path)
    else if (bytes !== undefined && sha256(bytes) === before) same.set(path, text)
    else stale.push(path)
  }
  const [first] = found
  const elsewhere =
    prefix === segment.prefix || first === undefined
      ? []
      : [
          `it was built with another --repo-root: ${prefix}${first.path} is now ${segment.prefix}${first.path}`,
        ]
  return { rootProblem: elsewhere, same, stale, missing: [...known.keys()], added }
}

/** The prefix of its paths below the root that was used for the build. */
function findBuildPrefix({ source_files: [source], docs: [doc] }: ParsedPack): string | undefined {
  if (source === undefined || doc === undefined || !source.path.endsWith(doc.file)) return undefined
  return source.path.slice(0, source.path.length - doc.file.length)
}

function readIfPossible(world: World, path: string): Uint8Array | undefined {
  try {
    return world.files.read(path)
  } catch {
    return undefined
  }
}

function checkSources(sources: SourceState): ValidationCheck {
  const problems = [
    ...sources.rootProblem,
    ...sources.stale.map((path) => `${path} has changed`),
    ...sources.missing.map((path) => `${path} is missing`),
    ...sources.added.map((path) => `${path} is new`),
  ]
  return createCheck(SOURCES, `${counted(sources.same.size, 'file')} unchanged`, problems)
}

function checkLineRanges(
  pack: ParsedPack,
  texts: ChunkTexts,
  sources: SourceState,
): ValidationCheck {
  const tables = new Map(
    [...sources.same].map(([path, text]) => [path, { text, lines: lineTable(text) }]),
  )
  let looked = 0
  const problems = pack.chunks.flatMap((chunk) => {
    const source = tables.get(chunk.source_path)
    const text = texts.get(chunk.id)
    if (source === undefined || text === undefined) return []
    looked += 1
    const { lines } = source
    const held = source.text.slice(lines.start(chunk.start_line), lines.end(chunk.end_line))
    const isHeld = chunk.part === undefined ? held === text : held.includes(removeFrame(held, text))
    return isHeld
      ? []
      : [`${chunk.id} is not at ${chunk.source_path}:${chunk.start_line}-${chunk.end_line}`]
  })
  return createCheck('line ranges', `${counted(looked, 'chunk')} looked up`, problems)
}

/** Ids are derived from the documents: another id has an older format, or was edited. */
async function checkIds(pack: ParsedPack, sources: SourceState): Promise<ValidationCheck> {
  // Loaded on demand: the Markdown reader takes longer to load than most packs take to check.
  const { readDocument } = await import('../../sources/markdown/read-document.ts')
  const byPath = Map.groupBy(pack.chunks, (chunk) => chunk.source_path)
  let compared = 0
  const problems = pack.source_files.flatMap(({ path }, at) => {
    const text = sources.same.get(path)
    const doc = pack.docs[at]?.doc
    if (text === undefined || doc === undefined) return []
    const { chunks } = readDocument(doc, text, pack.chunking.max_chars)
    const expected = new Set(chunks.map((it) => it.id))
    compared += expected.size
    return (byPath.get(path) ?? [])
      .filter((it) => !expected.has(it.id))
      .map((it) => `${it.id} is not the id of ${path}:${it.start_line}-${it.end_line}`)
  })
  return createCheck('ids', `${counted(compared, 'chunk')} compared`, problems)
}

/** A part of a split fence has added fence lines around its source lines. */
function removeFrame(held: string, text: string): string {
  if (held.includes(text)) return text
  const lines = text.split('\n')
  const inner = [lines.slice(1), lines.slice(0, -1), lines.slice(1, -1)].map((it) => it.join('\n'))
  return inner.find((it) => held.includes(it)) ?? text
}
