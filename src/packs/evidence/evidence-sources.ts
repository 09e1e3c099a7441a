/** What a selector stands for: pieces of files, of the code index, of a docs pack, of notes. */
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
import { cidOf, type Picked, type PickFrom, type Picking } from './picked.ts'
import { languageOf, titleOf } from './prompt.ts'
import { refuseUnserved } from './served-files.ts'

/** In the order of the files where a pattern matches several; never empty. */
export function picked(world: World, from: PickFrom, text: string): Promise<Picking> {
  const isHere = (path: string): boolean => isFile(world, resolve(world.workingFolder, path))
  return pickedBy(world, from, parseSelector(text, isHere))
}

export async function pickedBy(world: World, from: PickFrom, selector: Selector): Promise<Picking> {
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

function pickFiles(world: World, flow: Flow, selector: Selector): Picking {
  const path = resolve(world.workingFolder, selector.name)
  refuseUnserved(world, flow, path)
  if (isFile(world, path)) {
    return { pieces: [pickFile(world, flow, { ...selector, path })], diagnostics: [] }
  }
  if (!isPattern(selector.name)) throw missing(world, flow, selector.name)
  return pickMatching(world, flow, { ...selector, path })
}

/** A file that cannot be evidence is left out and said, as long as another one can. */
function pickMatching(world: World, flow: Flow, pattern: FilePick & Selector): Picking {
  const { paths: matched, diagnostics } = matching(world, flow, pattern.path)
  const paths = withoutCredentials(world, flow, matched)
  const [trouble] = diagnostics
  if (paths.length > 0) {
    const pieces = paths.map((path) => pickFile(world, flow, { ...pattern, path }))
    return { pieces, diagnostics }
  }
  if (trouble === undefined) throw missing(world, flow, pattern.name)
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

export function pickFile(world: World, flow: Flow, { path, range, tags }: FilePick): Picked {
  refuseUnserved(world, flow, path)
  refuseEscapingSourceLink(world, flow, path)
  const bytes = world.files.read(path)
  const title = titleOf(flow, path)
  const { text, span, isWidened } = cutExcerpt({ path: title, bytes }, range)
  return {
    title,
    provenance: { sourceUri: formatFileUri(title), cid: cidOf(bytes), span, tags },
    body: text,
    language: languageOf(path),
    calledAfter: basename(path),
    wholeFile: span.unit === 'full' ? path : undefined,
    ...(span.unit === 'lines' ? { sourceLines: hashLines(new TextDecoder().decode(bytes)) } : {}),
    ...(isWidened ? { note: 'the range was widened to whole characters' } : {}),
  }
}

function isPattern(name: string): boolean {
  return /[*?[\]{}]/.test(name)
}

interface Matching {
  /** Native and absolute. */
  readonly paths: readonly string[]
  readonly diagnostics: readonly Diagnostic[]
}

/** What ignore files leave out does not match; to name it in full still does. */
function matching(world: World, flow: Flow, path: string): Matching {
  const pattern = titleOf(flow, path)
  const patterns = alternatives(pattern).map((it) => `/${it}`)
  const walked = walkRepository(world.files, flow.root, { include: patterns })
  const paths: string[] = []
  const diagnostics: Diagnostic[] = walked.skippedFiles.map((it) => ({
    code: it.reason,
    path: it.path,
    message: it.message.replace(/; left out$/, ''),
  }))
  for (const file of walked.files) {
    const found = join(flow.root, file.path)
    const trouble = troubleWith(world, found)
    if (trouble === undefined) paths.push(found)
    else diagnostics.push({ ...trouble, path: file.path })
  }
  return { paths, diagnostics: diagnostics.toSorted(ascending((it) => it.path)) }
}

function troubleWith(world: World, path: string): Omit<Diagnostic, 'path'> | undefined {
  try {
    if (isText(world.files.read(path))) return undefined
    return { code: 'invalid-utf8', message: 'not UTF-8 text' }
  } catch {
    return { code: 'unreadable', message: 'cannot be read' }
  }
}

const NAME_EXACTLY = 'name them exactly to pick them'

/** A pattern is not meant for credentials, which lie among other files. */
function withoutCredentials(world: World, flow: Flow, paths: readonly string[]): readonly string[] {
  const credentials = paths.filter((it) => isCredentialPath(titleOf(flow, it)))
  if (credentials.length === 0) return paths
  const names = credentials.map((it) => titleOf(flow, it)).join(', ')
  if (credentials.length === paths.length) {
    throw new EngineError('POC_E_SELECTOR_INVALID', `only credential files match: ${names}`, {
      hint: world.isServed === true ? 'pick other files' : NAME_EXACTLY,
    })
  }
  world.notice(`credential files were left out: ${names}; ${NAME_EXACTLY}`)
  return paths.filter((it) => !credentials.includes(it))
}

/** `{a,b}` is none of the signs of an ignore file. */
function alternatives(pattern: string): readonly string[] {
  const [whole, before = '', inside = '', after = ''] =
    /^([^{]*)\{([^{}]*)\}(.*)$/s.exec(pattern) ?? []
  if (whole === undefined) return [pattern]
  return inside.split(',').flatMap((it) => alternatives(`${before}${it}${after}`))
}

/** All of a symbol, or the chunk of a uid, as lines of their file. */
function pickCode(world: World, flow: Flow, selector: Selector): Promise<readonly Picked[]> {
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
      throw new EngineError('POC_E_SELECTOR_INVALID', `no symbol stands at ${file}:${line}`, {
        hint: `lines are ${file}::${line},${line}`,
      })
    }
    const runs =
      symbolId === '' ? chunks.map((it) => [it]) : await wholeSymbols(index, chunks, symbolId)
    // A line moves; the symbol that stands there keeps its id.
    const name = focus.line === undefined ? selector.name : symbolId
    return runs.flatMap(([first, ...rest]) => {
      if (first === undefined) return []
      const run = { selector: { ...selector, name }, first, last: rest.at(-1) ?? first }
      return [pieceOf(world, flow, run)]
    })
  })
}

interface Run {
  readonly selector: Selector
  readonly first: StoredChunk
  readonly last: StoredChunk
}

function pieceOf(world: World, flow: Flow, { selector, first, last }: Run): Picked {
  const { path, startLine: start } = first
  refuseUnserved(world, flow, join(flow.root, path))
  const bytes = world.files.read(join(flow.root, path))
  const end = last.endLine
  const span = { unit: 'lines' as const, start, end }
  return {
    title: path,
    provenance: {
      sourceUri: formatFileUri(path, `${selector.scheme}=${selector.name}`),
      cid: cidOf(bytes),
      span,
      tags: selector.tags,
    },
    body: first === last ? first.text : cutExcerpt({ path, bytes }, span).text,
    language: languageOf(path),
    calledAfter: isId(selector.name) ? `${basename(path)} ${first.name}` : selector.name,
    wholeFile: undefined,
  }
}

/** `xxh64:…` and `scip:…` say little to people. */
function isId(name: string): boolean {
  return /^(?:xxh64|scip):/.test(name)
}

/**
 * A class is cut into its head and its methods, and a long function into several chunks: whoever
 * names one wants all of it, which is the chunks in a row that are of it or inside it.
 */
async function wholeSymbols(
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
  // A small thing stands in the chunk of another one.
  return definitions.flatMap((it, at) => {
    const run = runs.find((each) => each.some(({ uid }) => uid === it.uid)) ?? [it]
    const isFirst = definitions.findIndex(({ uid }) => run.some((one) => one.uid === uid)) === at
    return isFirst ? [run] : []
  })
}

/** Notes are seldom evidence, and their store is much to load. */
async function pickNote(
  world: World,
  { workspace }: PickFrom,
  selector: Selector,
): Promise<Picked> {
  if (world.isServed === true) {
    throw new EngineError(
      'POC_E_SELECTOR_INVALID',
      `notes are no evidence here: note:${selector.name}`,
      {
        hint: 'pick files, lines, symbols or documents of the repository',
      },
    )
  }
  const { withNotes } = await import('../notes/fresh-notes.ts')
  return withNotes(world, workspace, async (reader) => {
    const { whole, tagged } = withAndWithoutTags(selector)
    const notes = await reader.notes([...new Set([whole.name, tagged.name])])
    const { name, tags } = notes.some((it) => it.id === whole.name) ? whole : tagged
    const note = notes.find((it) => it.id === name)
    if (note === undefined) {
      throw new EngineError('POC_E_SELECTOR_INVALID', `no note has the id ${name}`, {
        hint: '`dossier context "its name" --format json` says the ids',
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
        cid: cidOf(body),
        span: { unit: 'full' as const },
        tags,
      },
      body,
      language: 'md',
      calledAfter: note.name,
      wholeFile: undefined,
    }
  })
}

/** The id of a heading in a vault is `page#heading`, which may be an id, and may be a page and a tag. */
function withAndWithoutTags({ name, tags }: Selector) {
  const whole = tags.length === 0 ? name : `${name}#${tags.join(',')}`
  return { whole: { name: whole, tags: [] }, tagged: { name, tags } }
}

function isFile(world: World, path: string): boolean {
  return kindAt(world.files, path) === 'file'
}

/** As compilers and editors name a place. */
const WITH_LINES = /^(.+):(\d+)(?:[-,:](\d+))?$/

function missing(world: World, flow: Flow, name: string): EngineError {
  const path = resolve(world.workingFolder, name)
  if (kindAt(world.files, path) === 'directory') {
    return new EngineError('POC_E_SELECTOR_INVALID', `${name} is a folder`, {
      hint: `pick files in it with a pattern, such as ${join(name, '*')} in quotes`,
    })
  }
  if (isPattern(name)) {
    return new EngineError('POC_E_SELECTOR_INVALID', `no file matches ${name}`, {
      hint: 'ignored files do not match; name them in full',
    })
  }
  const [, file, from, to = ''] = WITH_LINES.exec(name) ?? []
  if (file !== undefined && isFile(world, resolve(world.workingFolder, file))) {
    return new EngineError('POC_E_SELECTOR_INVALID', `there is no file ${name}`, {
      hint: `lines of ${file} are ${file}::${from},${to || from}`,
    })
  }
  const all = walkRepository(world.files, flow.root).files.map((it) => it.path)
  // As they are called from here, which may be a folder below.
  const near = nearest(titleOf(flow, path), all, 2).map((it) =>
    relative(world.workingFolder, join(flow.root, it)).replaceAll('\\', '/'),
  )
  return new EngineError('POC_E_SELECTOR_INVALID', `there is no file ${name}`, {
    hint:
      near.length > 0 ? `did you mean ${near.join(' or ')}?` : 'paths are relative to this folder',
  })
}
