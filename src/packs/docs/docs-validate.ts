/** Whether a docs pack is whole, and whether it still is what its documents say. */
import { join } from 'node:path'
import { lineTable } from '../../base/line-table.ts'
import { codePointLength, counted } from '../../base/text.ts'
import { EngineError } from '../../model/engine-error.ts'
import { sha256 } from '../../platform/hash.ts'
import type { World } from '../../platform/world.ts'
import { decodeDocument, findDocuments, MOST_BYTES } from '../../sources/markdown/documents.ts'
import { DocsDatabase } from '../../store/docs/database.ts'
import { examinePack, refuseForeign } from '../../store/docs/former.ts'
import { openDatabase, readPackFile } from '../../store/docs/open-index.ts'
import { buildCommand, syncCommand } from '../../store/docs/pack-commands.ts'
import type { FoundPack } from '../../store/docs/read-pack.ts'
import { locateSegment, type Segment, type SegmentRequest } from './segment.ts'

export interface Check {
  readonly name: string
  readonly ok: boolean
  /** What was found, in a few words. */
  readonly summary: string
  /** Each thing that is wrong. */
  readonly problems: readonly string[]
}

export interface Validation {
  readonly pack: string
  readonly valid: boolean
  readonly checks: readonly Check[]
  /** The command that makes it valid, where it is not. */
  readonly advice?: string
}

export async function validateDocs(world: World, request: SegmentRequest): Promise<Validation> {
  const segment = locateSegment(world, request)
  const checks: Check[] = []
  try {
    const pack = readPackFile(world.files, segment)
    checks.push(check('schema', `version ${pack.schema_version}`, []))
    const texts = textsOf(pack, segment)
    const sources = readSources(world, segment, pack)
    checks.push(uniqueIds(pack), indexAgrees(pack), countsAgree(pack, texts), digestAgrees(pack))
    checks.push(textsPresent(pack, texts), databaseAgrees(segment, pack))
    checks.push(linesHoldTexts(pack, texts, sources), await idsAgree(pack, sources))
    checks.push(sourcesAgree(sources))
  } catch (error) {
    if (!(error instanceof EngineError) || !BROKEN.has(error.code)) throw error
    checks.push(check('schema', 'cannot be read', [`${error.message}: ${error.hint}`]))
  }
  const valid = checks.every((it) => it.ok)
  const outcome = { pack: segment.pack, valid, checks }
  return valid ? outcome : { ...outcome, advice: adviceFor(world, segment, outcome) }
}

/** A sync sees most faults by itself; what it would not see needs a build from scratch. */
function adviceFor(world: World, segment: Segment, { checks }: Validation): string {
  const { files, generator } = world
  try {
    refuseForeign(files, segment, { generator, isOwnPlace: segment.isOwnPlace })
  } catch {
    return `${syncCommand(segment)} --force`
  }
  const { former, settings } = examinePack(files, segment, generator)
  const isOnlyStale = checks.every((it) => it.ok || it.name === SOURCES)
  return former === undefined || isOnlyStale
    ? syncCommand(segment)
    : buildCommand(segment, settings)
}

const SOURCES = 'sources'

const BROKEN: ReadonlySet<string> = new Set(['POC_E_PACK_CORRUPT', 'POC_E_CONTRACT_VERSION'])

function check(name: string, summary: string, problems: readonly string[]): Check {
  return { name, ok: problems.length === 0, summary, problems }
}

type Texts = ReadonlyMap<string, string>

/** From the file itself, or from the database where the file left them out. */
function textsOf(pack: FoundPack, segment: Segment): Texts {
  const isComplete = pack.chunks.every((chunk) => chunk.text !== undefined)
  if (isComplete) return new Map(pack.chunks.map((chunk) => [chunk.id, chunk.text ?? '']))
  const held = heldInDatabase(segment)
  return held === undefined || held instanceof Error ? new Map() : held.texts
}

function uniqueIds(pack: FoundPack): Check {
  const twice = [
    ...repeated(pack.chunks.map((it) => it.id)),
    ...repeated(pack.index.map((it) => it.id)),
  ]
  const problems = [...new Set(twice)].map((id) => `${id} stands more than once`)
  return check('unique ids', counted(pack.chunks.length, 'chunk'), problems)
}

function repeated(ids: readonly string[]): readonly string[] {
  const seen = new Set<string>()
  return ids.filter((id) => seen.has(id) || !seen.add(id))
}

/** What index and chunk say alike. */
const PLACE = [
  'source_path',
  'heading_level',
  'char_count',
  'line_count',
  'start_line',
  'end_line',
  'part',
] as const

function indexAgrees(pack: FoundPack): Check {
  const chunks = new Map(pack.chunks.map((chunk) => [chunk.id, chunk]))
  const indexed = new Set(pack.index.map((entry) => entry.id))
  const problems = [
    ...pack.chunks
      .filter((it) => !indexed.has(it.id))
      .map((it) => `${it.id} is a chunk but not in the index`),
    ...pack.index.flatMap((entry) => {
      const chunk = chunks.get(entry.id)
      if (chunk === undefined) return [`${entry.id} is in the index but no chunk`]
      const isSame = PLACE.every((field) => chunk[field] === entry[field])
      const isTitled = JSON.stringify(chunk.title_path) === JSON.stringify(entry.title_path)
      return isSame && isTitled ? [] : [`${entry.id} is placed differently in index and chunks`]
    }),
  ]
  return check('index', `${counted(pack.index.length, 'entry', 'entries')}`, problems)
}

function countsAgree(pack: FoundPack, texts: Texts): Check {
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
  return check('documents', counted(pack.docs.length, 'document'), problems)
}

function digestAgrees(pack: FoundPack): Check {
  const known = new Set(pack.chunks.map((chunk) => chunk.id))
  const problems = pack.digest
    .flatMap((entry) => entry.source_chunk_ids)
    .filter((id) => !known.has(id))
    .map((id) => `${id} is cited by the digest but no chunk`)
  return check('digest', counted(pack.digest.length, 'entry', 'entries'), problems)
}

function textsPresent(pack: FoundPack, texts: Texts): Check {
  const problems = pack.chunks
    .filter((chunk) => !texts.has(chunk.id))
    .map((chunk) => `the text of ${chunk.id} is neither in the file nor in the database`)
  return check('texts', counted(texts.size, 'text'), problems)
}

interface HeldInDatabase {
  readonly texts: Texts
  readonly unsearchable: readonly string[]
}

/** A database that is not there is no fault: the JSON file is the pack. */
function databaseAgrees(segment: Segment, pack: FoundPack): Check {
  const held = heldInDatabase(segment)
  if (held === undefined) return check('database', 'none', [])
  if (held instanceof Error) {
    return check('database', 'damaged', [`${segment.database} cannot be read: ${held.message}`])
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
  return check('database', counted(texts.size, 'chunk'), problems)
}

/** Undefined where there is no database; the error where it cannot be read. */
function heldInDatabase(segment: Segment): HeldInDatabase | Error | undefined {
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

interface Sources {
  /** What is wrong with the folder that paths are relative to. */
  readonly elsewhere: readonly string[]
  /** Texts of the sources that are as they were, by source path. */
  readonly same: ReadonlyMap<string, string>
  readonly stale: readonly string[]
  readonly missing: readonly string[]
  readonly added: readonly string[]
}

export function readSources(world: World, segment: Segment, pack: FoundPack): Sources {
  const found = findDocuments(world.files, segment.folder).files
  const prefix = prefixOf(pack) ?? segment.prefix
  const known = new Map(pack.source_files.map((source) => [source.path, source.sha256]))
  const same = new Map<string, string>()
  const stale: string[] = []
  const added: string[] = []
  for (const file of found.filter((it) => it.size <= MOST_BYTES)) {
    const path = prefix + file.path
    const bytes = readable(world, join(segment.folder, file.path))
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
          `it was built with another --repo-root: ${prefix}${first.path} is ${segment.prefix}${first.path} from this one`,
        ]
  return { elsewhere, same, stale, missing: [...known.keys()], added }
}

/** What its paths begin with, below the folder that was the root when it was built. */
function prefixOf({ source_files: [source], docs: [doc] }: FoundPack): string | undefined {
  if (source === undefined || doc === undefined || !source.path.endsWith(doc.file)) return undefined
  return source.path.slice(0, source.path.length - doc.file.length)
}

function readable(world: World, path: string): Uint8Array | undefined {
  try {
    return world.files.read(path)
  } catch {
    return undefined
  }
}

function sourcesAgree(sources: Sources): Check {
  const problems = [
    ...sources.elsewhere,
    ...sources.stale.map((path) => `${path} has changed`),
    ...sources.missing.map((path) => `${path} is missing`),
    ...sources.added.map((path) => `${path} is new`),
  ]
  return check(SOURCES, `${counted(sources.same.size, 'file')} unchanged`, problems)
}

function linesHoldTexts(pack: FoundPack, texts: Texts, sources: Sources): Check {
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
    const isHeld =
      chunk.part === undefined ? held === text : held.includes(withoutFrame(held, text))
    return isHeld
      ? []
      : [`${chunk.id} is not at ${chunk.source_path}:${chunk.start_line}-${chunk.end_line}`]
  })
  return check('line ranges', `${counted(looked, 'chunk')} looked up`, problems)
}

/** Ids follow from the documents: one that does not is of an older form, or was put in by hand. */
async function idsAgree(pack: FoundPack, sources: Sources): Promise<Check> {
  // What reads Markdown takes longer to load than most packs take to check.
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
  return check('ids', `${counted(compared, 'chunk')} compared`, problems)
}

/** A part of a cut fence has fence lines of its own around the lines of its source. */
function withoutFrame(held: string, text: string): string {
  if (held.includes(text)) return text
  const lines = text.split('\n')
  const inner = [lines.slice(1), lines.slice(0, -1), lines.slice(1, -1)].map((it) => it.join('\n'))
  return inner.find((it) => held.includes(it)) ?? text
}
