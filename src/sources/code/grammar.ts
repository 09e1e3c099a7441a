/** Grammars of tree-sitter, loaded on first use, and parsing with a bound on the work. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Parser, type Tree, Language as WasmLanguage } from 'web-tree-sitter'
import { compileOnce, keepCompiledCode } from '../../platform/wasm.ts'
import type { Language } from './language.ts'
import { flatten, type Syntax } from './syntax.ts'
import { parserMemory } from './tree-memory.ts'

export interface Grammar {
  readonly name: string
  readonly language: WasmLanguage
  /** By the number of a kind: 1 for names of the grammar, 0 for literals such as `(`. */
  readonly named: Uint8Array
  readonly kindNames: readonly string[]
  kind(name: string): number
  field(name: string): number
}

const loaded = new Map<string, Promise<Grammar>>()
let parser: Promise<Parser> | undefined

export function loadGrammar(name: string): Promise<Grammar> {
  let grammar = loaded.get(name)
  if (grammar === undefined) {
    grammar = load(name)
    loaded.set(name, grammar)
  }
  return grammar
}

/** How often the parser may report without coming to an end: far more than any real file needs. */
const REPORTS_PER_CHARACTER = 4
const LEAST_REPORTS = 100_000

export interface ParseOptions extends Pick<Language, 'see' | 'mend'> {
  /** The part of the text to parse. */
  readonly start: number
  readonly end?: number
}

/** Nothing when the grammar does not come to an end on this text. */
export async function parse(
  text: string,
  grammar: Grammar,
  options: ParseOptions,
): Promise<Syntax | undefined> {
  const it = await (parser ??= startParser())
  it.setLanguage(grammar.language)
  const { start: offset, end } = options
  const whole = text.slice(offset, end)
  const { text: part, hidden } = options.see?.(whole) ?? { text: whole, hidden: [] }
  let left = LEAST_REPORTS + REPORTS_PER_CHARACTER * part.length
  // Counted, not timed: the same file gives the same answer on every machine.
  const tree = it.parse(inPieces(part), null, { progressCallback: () => (left -= 1) < 0 })
  if (tree === null) {
    it.reset()
    return undefined
  }
  const mended = options.mend !== undefined && tree.rootNode.hasError ? options.mend(part) : part
  const other = mended === part ? null : it.parse(inPieces(mended), null)
  const isBetter = other !== null && errors(other) < errors(tree)
  const syntax = flatten(isBetter ? other : tree, { text, grammar, offset, hidden })
  tree.delete()
  other?.delete()
  return syntax
}

/** The parser takes so much at a time; more is cut off wherever that may be. */
const PIECE = 4096

/** A character that takes two units is never handed over in halves: it would be read as two others. */
function inPieces(text: string): (at: number) => string | undefined {
  return (at) => {
    if (at >= text.length) return undefined
    const last = text.charCodeAt(at + PIECE - 1)
    return text.slice(at, at + (last >= 0xd800 && last <= 0xdbff ? PIECE - 1 : PIECE))
  }
}

function errors(tree: Tree): number {
  return tree.rootNode.hasError ? tree.rootNode.descendantsOfType('ERROR').length + 1 : 0
}

async function startParser(): Promise<Parser> {
  await initialised()
  return new Parser()
}

let ready: Promise<void> | undefined

function initialised(): Promise<void> {
  keepCompiledCode()
  ready ??= Parser.init(parserMemory)
  return ready
}

/** The number that every grammar has for text that it does not understand. */
const ERROR_KIND = 65_535

async function load(name: string): Promise<Grammar> {
  await initialised()
  const require = createRequire(import.meta.url)
  const file = require.resolve(`tree-sitter-wasm/${name}/tree-sitter-${name}.wasm`)
  const bytes = readFileSync(file)
  giveRoom(bytes)
  compileOnce(bytes)
  const language = await WasmLanguage.load(bytes)
  const kindNames = Array.from(
    { length: language.nodeTypeCount },
    (_, id) => language.nodeTypeForId(id) ?? '',
  )
  const named = new Uint8Array(ERROR_KIND + 1)
  for (const id of kindNames.keys()) named[id] = language.nodeTypeIsNamed(id) ? 1 : 0
  // What could not be parsed may still hold things that can be read.
  named[ERROR_KIND] = 1
  // Some scanners answer otherwise the first time than ever after; let that be over.
  const first = new Parser()
  first.setLanguage(language)
  first.parse('a')?.delete()
  first.delete()
  const fieldIds = new Map(language.fields.map((it, id) => [it, id]))
  return {
    name,
    language,
    named,
    kindNames,
    kind: (it) => language.idForNodeType(it, true) ?? -1,
    field: (it) => fieldIds.get(it) ?? -1,
  }
}

/** A function that does nothing but return `calloc(0, 4)`, where `calloc` is the first import. */
const ROOM_FOR_NOTHING = Uint8Array.of(8, 0, 0x41, 0, 0x41, 4, 0x10, 0, 0x0b)
const HOW_MANY = 3

/**
 * Swift's scanner asks for room for none of its states, and takes for its first one what happens to
 * stand there: `#if` and `#"…"#` were read or not by what was parsed before. Now it asks for one.
 */
function giveRoom(bytes: Buffer): void {
  const at = bytes.indexOf(ROOM_FOR_NOTHING)
  if (at >= 0) bytes[at + HOW_MANY] = 1
}
