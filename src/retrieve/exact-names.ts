/**
 * Names that a question spells exactly as the code does lead to their definitions, whatever else
 * the question says. Finds the definitions; what they are worth is in `hybrid.ts`.
 */
import { ascending, inOrder } from '../base/order.ts'
import { lastPart } from '../base/paths.ts'
import { lineAt } from '../base/text.ts'
import type { CodeIndexReader, StoredChunk, StoredSymbol } from '../model/code-index.ts'
import { parseSymbol } from '../model/scip-symbol.ts'
import { dropExtension } from './file-names.ts'
import type { SpelledName } from './spelled-names.ts'

export interface NamedDefinition {
  readonly chunk: StoredChunk
  /** As the source spells it, with what qualifies it in the question. */
  readonly name: string
  readonly line: number
  readonly kind: SpelledName['kind']
  /** 0 to 1: less for a name of many definitions, and for one further down in the question. */
  readonly weight: number
  /** Whether its file stands back. */
  readonly isAside: boolean
}

/** A word of a sentence that names more definitions than this names none in particular. */
const MOST_OF_WORD = 12
/** Of one name; a repository may define `get` a thousand times. */
const MOST_OF_NAME = 60

/** `isAside` says of a path whether its file stands back: a test, an example, vendored code. */
export async function findNamedDefinitions(
  index: CodeIndexReader,
  names: readonly SpelledName[],
  isAside: (path: string) => boolean,
): Promise<readonly NamedDefinition[]> {
  if (names.length === 0) return []
  const spellings = new Set(names.flatMap(listSpellings))
  const byName = Map.groupBy(await index.symbolsNamed([...spellings]), (it) => it.name)
  const found = names.flatMap((name) => {
    const symbols = listSpellings(name).flatMap((it) => byName.get(it) ?? [])
    const meant = symbols.filter((it) => isQualifiedBy(it, name.qualifiers))
    // Where nothing is qualified so, the qualifier may be a variable: `reply` of `reply.send`.
    const definitions = dropLabels(meant.length > 0 ? meant : symbols)
    const callable = definitions.filter((it) => !VALUE_KINDS.has(it.kind))
    // A word of a sentence that is also the name of some field or value says nothing of it.
    const named = name.kind === 'word' ? callable : definitions
    const rivals = callable.length > 0 ? callable.length : named.length
    if (rivals === 0 || (name.kind === 'word' && rivals > MOST_OF_WORD)) return []
    const spread = name.kind === 'alone' ? 1 : Math.sqrt(rivals)
    const isMain = findMainParts(named)
    return named.slice(0, MOST_OF_NAME).map((symbol) => {
      const part = isMain(symbol) ? 1 : LIKENESS.otherPart
      return { symbol, name, weight: (name.weight * part) / spread }
    })
  })
  const chunks = await index.chunksAt(
    found.map(({ symbol }) => ({ path: symbol.path, offset: symbol.start })),
  )
  return found.flatMap(({ symbol, name, weight }, at) => {
    const chunk = chunks[at]
    if (chunk === undefined) return []
    const line = lineAt(chunk, symbol.start)
    const isBack = isAside(symbol.path)
    const likeness = rateLikeness(symbol, name, chunk) * (isBack ? LIKENESS.aside : 1)
    const own = { name: spelledAs(symbol, name), kind: name.kind, weight: weight * likeness }
    return [{ chunk, line, ...own, isAside: isBack }]
  })
}

/** Of a class whose parts are in several files: the one in the file with the class's bare name. */
function findMainParts(symbols: readonly StoredSymbol[]): (symbol: StoredSymbol) => boolean {
  const kinds = new Set(symbols.filter(isInFileOfItsName).map((it) => it.kind))
  return (symbol) => !kinds.has(symbol.kind) || isInFileOfItsName(symbol)
}

function isInFileOfItsName({ path, name }: StoredSymbol): boolean {
  return dropExtension(lastPart(path)).toLowerCase() === name.toLowerCase()
}

/** With what qualifies it in the question, where that is true of it. */
function spelledAs(symbol: StoredSymbol, { text, name, qualifiers }: SpelledName): string {
  if (qualifiers.length === 0 || !isQualifiedBy(symbol, qualifiers)) return symbol.name
  const whole = text.replace(/\(\)$/, '')
  return whole.slice(0, whole.length - name.length) + symbol.name
}

/** What tells apart definitions of one name; they multiply. */
const LIKENESS = {
  otherCase: 0.9,
  otherPart: 0.9,
  value: 0.25,
  /** A value of a whole module, which others import. */
  shared: 0.4,
  assigned: 0.9,
  inside: 0.85,
  local: 0.5,
  aside: 0.25,
} as const

/** What is declared and called is meant rather than a field, a value or a local of the same name. */
function rateLikeness(symbol: StoredSymbol, { name }: SpelledName, chunk: StoredChunk): number {
  const after = chunk.text.slice(symbol.end - chunk.start).trimStart()
  const isCallable = symbol.kind === 'method' || symbol.kind === 'function'
  const owner = findOwnerKind(symbol)
  const value = owner === 'namespace' ? LIKENESS.shared : LIKENESS.value
  return (
    (symbol.name === name ? 1 : LIKENESS.otherCase) *
    (VALUE_KINDS.has(symbol.kind) ? value : 1) *
    (isCallable && /^[=:]/.test(after) ? LIKENESS.assigned : 1) *
    // A method of no type is one of an object in a function, or of a literal.
    (symbol.kind === 'method' && owner !== 'type' ? LIKENESS.inside : 1) *
    (symbol.kind === 'function' && owner === 'method' ? LIKENESS.local : 1)
  )
}

/** Of what it is declared in: a file is a namespace, a function a method. */
function findOwnerKind({ id }: StoredSymbol) {
  return parseSymbol(id.slice('scip:'.length))?.descriptors.at(-2)?.kind
}

/** A question that is one word means the name in any case. */
function listSpellings({ name, isAnyCase }: SpelledName): readonly string[] {
  if (!isAnyCase) return [name]
  const lower = name.toLowerCase()
  const capital = lower.slice(0, 1).toUpperCase() + lower.slice(1)
  return [...new Set([name, lower, capital, name.toUpperCase()])]
}

/** Files and the keys of data are not what a question names. */
function dropLabels(symbols: readonly StoredSymbol[]): readonly StoredSymbol[] {
  const order = inOrder<StoredSymbol>(
    ascending((it) => it.path),
    ascending((it) => it.start),
  )
  return symbols.filter((it) => !LABEL_KINDS.has(it.kind)).toSorted(order)
}

const LABEL_KINDS: ReadonlySet<string> = new Set(['label', 'file'])
/** What is called or made is meant rather than a field or a value of the same name. */
const VALUE_KINDS: ReadonlySet<string> = new Set(['field', 'variable', 'member'])

/** Whether the names down to the symbol end in these, in any case: `reply.send` is `Reply.send`. */
function isQualifiedBy({ id }: StoredSymbol, qualifiers: readonly string[]): boolean {
  if (qualifiers.length === 0) return true
  const descriptors = parseSymbol(id.slice('scip:'.length))?.descriptors ?? []
  const names = descriptors.slice(0, -1).map((it) => it.name.toLowerCase().replace(/\.\w+$/, ''))
  return qualifiers.every((it, at) => {
    return names[names.length - qualifiers.length + at] === it.toLowerCase()
  })
}
