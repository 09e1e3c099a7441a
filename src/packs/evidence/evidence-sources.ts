/** Resolves a selector to pieces of files, of the code index, of a docs pack or of notes. */
import { basename, join, relative, resolve } from 'node:path'
import { nearest } from '../../base/nearest.ts'
import { ascending } from '../../base/order.ts'
import { isCredentialPath } from '../../base/secrets.ts'
import { escapeUriPart, formatFileUri } from '../../evidence/evidence-text.ts'
import { refuseEscapingSourceLink } from '../../evidence/flow-links.ts'
import { parseSelector, type Selector } from '../../evidence/selector.ts'
import { hashLines } from '../../evidence/source-lines.ts'
import { cutExcerpt, isText } from '../../evidence/span.ts'
import type { CodeIndexReader, StoredChunk } from '../../model/code-index.ts'
import type { Diagnostic } from '../../model/diagnostic.ts'
import { EngineError } from '../../model/engine-error.ts'
import type { Flow } from '../../model/evidence.ts'
import { kindAt } from '../../platform/files.ts'
import type { World } from '../../platform/world.ts'
import { walkRepository } from '../../sources/repository-walk.ts'
import { focusChunks } from '../context/focus-chunks.ts'
import { focusOn } from '../context/pack-focus.ts'
import { withCodeIndex } from '../index/with-code-index.ts'
import { pickDocument } from './evidence-documents.ts'
import { computeCid, type PickContext, type PickedPiece, type PickResult } from './picked-piece.ts'
import { fenceLanguage, formatSourceTitle } from './prompt.ts'
import { refuseFilesNotServed } from './served-files.ts'

/** Never empty. The matches of a pattern are in file order. */
export function pickByText(world: World, from: PickContext, text: string): Promise<PickResult> {
  const isHere = (path: string): boolean => isFile(world, resolve(world.workingFolder, path))
  return pickBySelector(world, from, parseSelector(text, isHere))
}

export async function pickBySelector(
  world: World,
  from: PickContext,
  selector: Selector,
): Promise<PickResult> {
  switch (selector.scheme) {
    case 'file':
      return pickFiles(world, from.flow, selector)
    case 'symbol':
    case 'chunk':
      return { pieces: await pickCode(world, from.flow, selector), diagnostics: [] }
    case 'doc':
      return { pieces: [await pickDocument(world, from, selector)], diagnostics: [] }
    case 'note':
      return { pieces: [await pickNote(world, from, selector)], diagnostics: [] }
  }
}

function pickFiles(world: World, flow: Flow, selector: Selector): PickResult {
  const path = resolve(world.workingFolder, selector.name)
  refuseFilesNotServed(world, flow, path)
  if (isFile(world, path)) {
    return { pieces: [pickFile(world, flow, { ...selector, path })], diagnostics: [] }
  }
  if (!isPattern(selector.name)) throw createMissingFileError(world, flow, selector.name)
  return pickByPattern(world, flow, { ...selector, path })
}

/** Files that cannot be evidence become diagnostics, unless no file remains. */
function pickByPattern(world: World, flow: Flow, pattern: FilePick & Selector): PickResult {
  const { paths: matched, diagnostics } = findMatchingFiles(world, flow, pattern.path)
  const paths = dropCredentialFiles(world, flow, matched)
  const [trouble] = diagnostics
  if (paths.length > 0) {
    const pieces = paths.map((path) => pickFile(world, flow, { ...pattern, path }))
    return { pieces, diagnostics }
  }
  if (trouble === undefined) throw createMissingFileError(world, flow, pattern.name)
  throw new EngineError(
    'POC_E_SELECTOR_INVALID',
    `no file that matches ${pattern.name} can be evidence: ${trouble.path} (${trouble.message})`,
    { hint: 'evidence must be text; convert the file first' },
  )
}

interface FilePick extends Pick<Selector, 'range' | 'tags'> {
  /** Native and absolute. */
  readonly path: string
}

export function pickFile(world: World, flow: Flow, { path, range, tags }: FilePick): PickedPiece {
  refuseFilesNotServed(world, flow, path)
  refuseEscapingSourceLink(world, flow, path)
  const bytes = world.files.read(path)
  const title = formatSourceTitle(flow, path)
  const { text, span, isWidened } = cutExcerpt({ path: title, bytes }, range)
  return {
    title,
    provenance: { sourceUri: formatFileUri(title), cid: computeCid(bytes), span, tags },
    body: text,
    language: fenceLanguage(path),
    nameSource: basename(path),
    wholeFile: span.unit === 'full' ? path : undefined,
    ...(span.unit === 'lines' ? { sourceLines: hashLines(new TextDecoder().decode(bytes)) } : {}),
    ...(isWidened ? { note: 'the range was widened to whole characters' } : {}),
  }
}

function isPattern(name: string): boolean {
  return /[*?[\]{}]/.test(name)
}

interface MatchingFiles {
  /** Native and absolute. */
  readonly paths: readonly string[]
  readonly diagnostics: readonly Diagnostic[]
}

/** Ignored files do not match a pattern; their full name still works. */
function findMatchingFiles(world: World, flow: Flow, path: string): MatchingFiles {
  const pattern = formatSourceTitle(flow, path)
  const patterns = expandBraces(pattern).map((it) => `/${it}`)
  const walked = walkRepository(world.files, flow.root, { include: patterns })
  const paths: string[] = []
  const diagnostics: Diagnostic[] = walked.skippedFiles.map((it) => ({
    code: it.reason,
    path: it.path,
    message: it.message.replace(/; left out$/, ''),
  }))
  for (const file of walked.files) {
    const found = join(flow.root, file.path)
    const trouble = findFileProblem(world, found)
    if (trouble === undefined) paths.push(found)
    else diagnostics.push({ ...trouble, path: file.path })
  }
  return { paths, diagnostics: diagnostics.toSorted(ascending((it) => it.path)) }
}

function findFileProblem(world: World, path: string): Omit<Diagnostic, 'path'> | undefined {
  try {
    if (isText(world.files.read(path))) return undefined
    return { code: 'invalid-utf8', message: 'not UTF-8 text' }
  } catch {
    return { code: 'unreadable', message: 'cannot be read' }
  }
}

const NAME_EXACTLY_HINT = 'name them exactly to pick them'

/** Patterns do not match credential files. */
function dropCredentialFiles(
  world: World,
  flow: Flow,
  paths: readonly string[],
): readonly string[] {
  const credentials = paths.filter((it) => isCredentialPath(formatSourceTitle(flow, it)))
  if (credentials.length === 0) return paths
  const names = credentials.map((it) => formatSourceTitle(flow, it)).join(', ')
  if (credentials.length === paths.length) {
    throw new EngineError('POC_E_SELECTOR_INVALID', `only credential files match: ${names}`, {
      hint: world.isServed === true ? 'pick other files' : NAME_EXACTLY_HINT,
    })
  }
  world.notice(`credential files were skipped: ${names}; ${NAME_EXACTLY_HINT}`)
  return paths.filter((it) => !credentials.includes(it))
}

/** Ignore files have no `{a,b}` syntax. */
function expandBraces(pattern: string): readonly string[] {
  const [whole, before = '', inside = '', after = ''] =
    /^([^{]*)\{([^{}]*)\}(.*)$/s.exec(pattern) ?? []
  if (whole === undefined) return [pattern]
  return inside.split(',').flatMap((it) => expandBraces(`${before}${it}${after}`))
}

/** All of a symbol, or the chunk of a uid, as lines of their file. */
function pickCode(world: World, flow: Flow, selector: Selector): Promise<readonly PickedPiece[]> {
  return withCodeIndex(world, { path: flow.root, isFresh: true }, async ({ index }) => {
    const focus = await focusOn(index, selector.name)
    if (
      focus.fileRelPath !== undefined &&
      (focus.line === undefined || selector.scheme !== 'symbol')
    ) {
      throw new EngineError('POC_E_SELECTOR_INVALID', `${selector.name} is a file, not a symbol`, {
        hint: `write ${selector.name} without ${selector.scheme}:`,
      })
    }
    const chunks = await focusChunks(index, focus)
    const symbolId = focus.symbolId ?? (focus.line === undefined ? '' : (chunks[0]?.symbol ?? ''))
    if (focus.line !== undefined && symbolId === '') {
      const { fileRelPath: file, line } = focus
      throw new EngineError('POC_E_SELECTOR_INVALID', `no symbol is defined at ${file}:${line}`, {
        hint: `to pick the line, write ${file}::${line},${line}`,
      })
    }
    const runs =
      symbolId === '' ? chunks.map((it) => [it]) : await collectSymbolRuns(index, chunks, symbolId)
    // Lines move, but the symbol at this line keeps its id.
    const name = focus.line === undefined ? selector.name : symbolId
    return runs.flatMap(([first, ...rest]) => {
      if (first === undefined) return []
      const run = { selector: { ...selector, name }, first, last: rest.at(-1) ?? first }
      return [createPiece(world, flow, run)]
    })
  })
}

interface ChunkRun {
  readonly selector: Selector
  readonly first: StoredChunk
  readonly last: StoredChunk
}

function createPiece(world: World, flow: Flow, { selector, first, last }: ChunkRun): PickedPiece {
  const { path, startLine: start } = first
  refuseFilesNotServed(world, flow, join(flow.root, path))
  const bytes = world.files.read(join(flow.root, path))
  const end = last.endLine
  const span = { unit: 'lines' as const, start, end }
  return {
    title: path,
    provenance: {
      sourceUri: formatFileUri(path, `${selector.scheme}=${selector.name}`),
      cid: computeCid(bytes),
      span,
      tags: selector.tags,
    },
    body: first === last ? first.text : cutExcerpt({ path, bytes }, span).text,
    language: fenceLanguage(path),
    nameSource: isId(selector.name) ? `${basename(path)} ${first.name}` : selector.name,
    wholeFile: undefined,
  }
}

/** `xxh64:…` and `scip:…` are not readable titles. */
function isId(name: string): boolean {
  return /^(?:xxh64|scip):/.test(name)
}

/**
 * A class is split into its header and its methods, and a long function into several chunks. A
 * symbol means all of it: the consecutive chunks that define it or are inside it.
 */
async function collectSymbolRuns(
  index: CodeIndexReader,
  definitions: readonly StoredChunk[],
  symbolId: string,
): Promise<readonly (readonly StoredChunk[])[]> {
  const paths = [...new Set(definitions.map((it) => it.path))].toSorted()
  const chunks = await index.chunksInFiles(paths)
  const runs: StoredChunk[][] = []
  let before: StoredChunk | undefined
  for (const chunk of chunks) {
    if (chunk.symbol.startsWith(symbolId)) {
      const run = runs.at(-1)
      const isNext = before?.path === chunk.path && run?.at(-1) === before
      if (run !== undefined && isNext) run.push(chunk)
      else runs.push([chunk])
    }
    before = chunk
  }
  // A small definition may be inside the chunk of another one.
  return definitions.flatMap((it, at) => {
    const run = runs.find((each) => each.some(({ uid }) => uid === it.uid)) ?? [it]
    const isFirst = definitions.findIndex(({ uid }) => run.some((one) => one.uid === uid)) === at
    return isFirst ? [run] : []
  })
}

/** Loaded on demand: notes are rarely evidence and their store is slow to load. */
async function pickNote(
  world: World,
  { workspace }: PickContext,
  selector: Selector,
): Promise<PickedPiece> {
  if (world.isServed === true) {
    throw new EngineError(
      'POC_E_SELECTOR_INVALID',
      `notes cannot be evidence on this server: note:${selector.name}`,
      {
        hint: 'pick files, lines, symbols or documents of the repository',
      },
    )
  }
  const { withFreshNotes: withNotes } = await import('../notes/fresh-notes.ts')
  return withNotes(world, workspace, async (reader) => {
    const { whole, tagged } = listNameReadings(selector)
    const notes = await reader.notes([...new Set([whole.name, tagged.name])])
    const { name, tags } = notes.some((it) => it.id === whole.name) ? whole : tagged
    const note = notes.find((it) => it.id === name)
    if (note === undefined) {
      throw new EngineError('POC_E_SELECTOR_INVALID', `no note has the id ${name}`, {
        hint: '`dossier context "its name" --format json` prints the ids',
      })
    }
    const fields = note.fields.map(
      (it) => `- **${it.name}**: ${it.values.map((value) => value.text).join(', ')}`,
    )
    const blocks = [fields.join('\n'), note.content].filter((it) => it !== '')
    const body = `# ${note.name}\n${blocks.map((it) => `\n${it}\n`).join('')}`
    return {
      title: `${note.name} (note ${name})`,
      provenance: {
        sourceUri: `note:${escapeUriPart(name)}`,
        cid: computeCid(body),
        span: { unit: 'full' as const },
        tags,
      },
      body,
      language: 'md',
      nameSource: note.name,
      wholeFile: undefined,
    }
  })
}

/** `page#heading` can be the id of a heading in a vault, or a page with a tag. */
function listNameReadings({ name, tags }: Selector) {
  const whole = tags.length === 0 ? name : `${name}#${tags.join(',')}`
  return { whole: { name: whole, tags: [] }, tagged: { name, tags } }
}

function isFile(world: World, path: string): boolean {
  return kindAt(world.files, path) === 'file'
}

/** `file:line`, as compilers and editors write it. */
const WITH_LINES = /^(.+):(\d+)(?:[-,:](\d+))?$/

function createMissingFileError(world: World, flow: Flow, name: string): EngineError {
  const path = resolve(world.workingFolder, name)
  if (kindAt(world.files, path) === 'directory') {
    return new EngineError('POC_E_SELECTOR_INVALID', `${name} is a folder`, {
      hint: `pick files in it with a pattern, such as ${join(name, '*')} in quotes`,
    })
  }
  if (isPattern(name)) {
    return new EngineError('POC_E_SELECTOR_INVALID', `no file matches ${name}`, {
      hint: 'ignored files do not match a pattern; give their full path',
    })
  }
  const [, file, from, to = ''] = WITH_LINES.exec(name) ?? []
  if (file !== undefined && isFile(world, resolve(world.workingFolder, file))) {
    return new EngineError('POC_E_SELECTOR_INVALID', `file not found: ${name}`, {
      hint: `to pick lines, write ${file}::${from},${to || from}`,
    })
  }
  const all = walkRepository(world.files, flow.root).files.map((it) => it.path)
  // Suggestions relative to the working folder, which may be a subfolder.
  const near = nearest(formatSourceTitle(flow, path), all, 2).map((it) =>
    relative(world.workingFolder, join(flow.root, it)).replaceAll('\\', '/'),
  )
  return new EngineError('POC_E_SELECTOR_INVALID', `file not found: ${name}`, {
    hint:
      near.length > 0
        ? `did you mean ${near.join(' or ')}?`
        : 'paths are relative to the working folder',
  })
}
