/**
 * Ignore files as git reads them. A line is cut at its slashes, and going down into a folder moves
 * every line on by one piece: what is asked about is always a bare name, never a path. That is
 * fast, and a file in a folder that a deeper rule took back in is not lost to the higher rule that
 * the folder was taken back from.
 * Knows nothing of what the files are wanted for.
 */
import { basename, dirname, join, resolve } from 'node:path'
import ignore from 'ignore'
import type { Files } from '../platform/files.ts'
import { screen } from './ignore-screen.ts'

/** In the order in which they are asked last to first: `.dossierignore` overrules `.gitignore`. */
export const IGNORE_FILES: readonly string[] = ['.gitignore', '.dossierignore']

/** The lines of one ignore file, as they apply to what lies directly in one folder. */
export interface IgnoreRules {
  /** `name/` asks about a folder. Undefined: this file has nothing to say. */
  ignores(name: string): boolean | undefined
  /** The same lines, as they apply in the folder of this name. */
  inside(name: string): IgnoreRules
}

/** The deepest file that speaks decides, as in git. A folder that is ignored is never entered. */
export function isIgnored(layers: readonly IgnoreRules[], name: string): boolean {
  for (let at = layers.length - 1; at >= 0; at -= 1) {
    const verdict = layers[at]?.ignores(name)
    if (verdict !== undefined) return verdict
  }
  return false
}

export function inside(layers: readonly IgnoreRules[], name: string): readonly IgnoreRules[] {
  return layers.map((it) => it.inside(name))
}

export interface AboveTop {
  /** From the top of the git repository down, as they apply in the folder itself. */
  readonly layers: readonly IgnoreRules[]
  readonly inRepository: boolean
}

/** Rules of the folders above. None without a repository. */
export function rulesAbove(files: Files, top: string, matchCase: boolean): AboveTop {
  const folders = foldersAbove(files, top)
  if (folders === undefined) return { layers: [], inRepository: false }
  const layers: IgnoreRules[] = []
  let way: readonly string[] = []
  let folder = resolve(top)
  for (const above of folders) {
    way = [basename(folder), ...way]
    folder = above
    for (const name of IGNORE_FILES.toReversed()) {
      const path = join(above, name)
      const rules = exists(files, path) ? readRules(files, path, matchCase) : undefined
      const here = rules === undefined ? undefined : below(rules, way)
      // Whoever names an ignored folder wants it: a file with a rule against it is not heard.
      if (here !== undefined) layers.push(here)
    }
  }
  return { layers: layers.toReversed(), inRepository: true }
}

/** Upwards to the top of the git repository, that one included. Undefined without one. */
export function foldersAbove(files: Files, top: string): readonly string[] | undefined {
  const folders: string[] = []
  // A relative path ends before the folders above it do.
  for (let folder = resolve(top); ; ) {
    if (exists(files, join(folder, '.git'))) return folders
    const above = dirname(folder)
    if (above === folder) return undefined
    folders.push(above)
    folder = above
  }
}

/** Undefined where there is no such file, or none that can be read. */
export function readRules(files: Files, path: string, matchCase: boolean): IgnoreRules | undefined {
  try {
    return parseRules(new TextDecoder().decode(files.read(path)), matchCase)
  } catch {
    return undefined
  }
}

export function exists(files: Files, path: string): boolean {
  try {
    files.stat(path)
    return true
  } catch {
    return false
  }
}

/** Undefined if one of the folders on the way is ignored. */
function below(rules: IgnoreRules, way: readonly string[]): IgnoreRules | undefined {
  let here = rules
  for (const name of way) {
    if (here.ignores(`${name}/`) === true) return undefined
    here = here.inside(name)
  }
  return here
}

export function parseRules(text: string, matchCase: boolean): IgnoreRules {
  const lines = text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .flatMap(parseLine)
  return new RuleSet(lines, matchCase).start()
}

/** `docs/**` + `/*.log` is the pieces `docs`, `**`, `*.log`. */
interface Line {
  readonly takesBack: boolean
  readonly pieces: readonly string[]
  readonly foldersOnly: boolean
}

const ANY_DEPTH = '**'

function parseLine(raw: string): readonly Line[] {
  if (raw.startsWith('#')) return []
  const takesBack = raw.startsWith('!')
  const body = withoutFinalSpaces(takesBack ? raw.slice(1) : raw)
  const foldersOnly = body.endsWith('/')
  const bare = body.slice(body.startsWith('/') ? 1 : 0, foldersOnly ? -1 : undefined)
  const cut = bare.split('/')
  if (cut.includes('') || endsInBackslash(bare)) return []
  const isAnchored = cut.length > 1 || body.startsWith('/')
  const pieces = isAnchored
    ? cut.map((it) => (/^\*{2,}$/.test(it) ? ANY_DEPTH : it))
    : [ANY_DEPTH, bare.replace(/^\*+$/, '*')]
  return [{ takesBack, pieces, foldersOnly }]
}

function withoutFinalSpaces(body: string): string {
  let end = body.length
  while (end > 0 && body[end - 1] === ' ') end -= 1
  const isEscaped = end < body.length && endsInBackslash(body.slice(0, end))
  return body.slice(0, isEscaped ? end + 1 : end)
}

function endsInBackslash(text: string): boolean {
  return (/\\+$/.exec(text)?.[0].length ?? 0) % 2 === 1
}

/** A line and how many of its pieces the way down has used up. */
interface Place {
  readonly line: number
  readonly piece: number
}

/** All views of one ignore file. Folders with the same places share a view, and so its memory. */
class RuleSet {
  readonly #lines: readonly Line[]
  readonly #ignoreCase: boolean
  readonly #views = new Map<string, View>()
  readonly #matchers = new Map<string, (name: string) => boolean>()

  constructor(lines: readonly Line[], matchCase: boolean) {
    this.#lines = lines
    this.#ignoreCase = !matchCase
  }

  start(): View {
    return this.#view(this.#lines.flatMap((_, line) => this.#reach({ line, piece: 0 })))
  }

  /** Where the places are after a step into a folder. */
  step(places: readonly Place[], name: string): View {
    return this.#view(
      places.flatMap((it) => {
        if (this.#piece(it) === ANY_DEPTH) return this.#reach(it)
        return this.moves(it, name) ? this.#reach({ line: it.line, piece: it.piece + 1 }) : []
      }),
    )
  }

  /** Those that a folder of some name takes further. */
  movable(places: readonly Place[]): readonly Place[] {
    return places.filter(
      (it) =>
        this.#piece(it) !== ANY_DEPTH && it.piece < (this.#lines[it.line]?.pieces.length ?? 0) - 1,
    )
  }

  moves(place: Place, name: string): boolean {
    const pieces = this.#lines[place.line]?.pieces ?? []
    return place.piece < pieces.length - 1 && this.#matcher(this.#piece(place))(name)
  }

  #piece(place: Place): string {
    return this.#lines[place.line]?.pieces[place.piece] ?? ''
  }

  /** Any number of folders may be none: the piece after them is reached as well. */
  #reach(place: Place): readonly Place[] {
    const pieces = this.#lines[place.line]?.pieces ?? []
    const isOpen = pieces[place.piece] === ANY_DEPTH && place.piece < pieces.length - 1
    return isOpen ? [place, ...this.#reach({ ...place, piece: place.piece + 1 })] : [place]
  }

  #view(reached: readonly Place[]): View {
    const places = new Map<string, Place>()
    for (const it of reached) places.set(`${it.line}:${it.piece}`, it)
    const key = [...places.keys()].join(' ')
    const known = this.#views.get(key)
    if (known !== undefined) return known
    const view = new View(this, [...places.values()], this.#deciding([...places.values()]))
    this.#views.set(key, view)
    return view
  }

  /** The lines with one piece left, as rules for bare names. */
  #deciding(places: readonly Place[]): Decide {
    const last = places.flatMap((it) => {
      const line = this.#lines[it.line]
      if (line === undefined || it.piece !== line.pieces.length - 1) return []
      const piece = line.pieces[it.piece] ?? ''
      return { line, piece: piece === ANY_DEPTH ? '*' : piece }
    })
    if (last.length === 0) return () => undefined
    const patterns = last.map(
      (it) => `${it.line.takesBack ? '!' : ''}/${it.piece}${it.line.foldersOnly ? '/' : ''}`,
    )
    const rules = ignore({ ignoreCase: this.#ignoreCase }).add(patterns)
    const mayMatch = this.#ignoreCase ? () => true : screen(last.map((it) => it.piece))
    return (name) => {
      if (!mayMatch(name)) return undefined
      const { ignored, unignored } = rules.test(name)
      return ignored ? true : unignored ? false : undefined
    }
  }

  #matcher(piece: string): (name: string) => boolean {
    const known = this.#matchers.get(piece)
    if (known !== undefined) return known
    // With a final slash, so that spaces at the end of the piece count.
    const rules = ignore({ ignoreCase: this.#ignoreCase }).add(`/${piece}/`)
    const mayMatch = this.#ignoreCase ? () => true : screen([piece])
    const matcher = (name: string): boolean => mayMatch(name) && rules.ignores(`${name}/`)
    this.#matchers.set(piece, matcher)
    return matcher
  }
}

type Decide = (name: string) => boolean | undefined

class View implements IgnoreRules {
  readonly #rules: RuleSet
  readonly #places: readonly Place[]
  readonly #decide: Decide
  readonly #movable: readonly Place[]
  /** What is left in a folder that takes no line further, which nearly every folder is. */
  #elsewhere: View | undefined

  constructor(rules: RuleSet, places: readonly Place[], decide: Decide) {
    this.#rules = rules
    this.#places = places
    this.#decide = decide
    this.#movable = rules.movable(places)
  }

  ignores(name: string): boolean | undefined {
    return this.#decide(name)
  }

  inside(name: string): View {
    if (this.#movable.some((it) => this.#rules.moves(it, name)))
      return this.#rules.step(this.#places, name)
    this.#elsewhere ??= this.#rules.step(this.#places, name)
    return this.#elsewhere
  }
}
