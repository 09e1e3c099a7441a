/**
 * How SCIP names a symbol: `scip-typescript npm zod 4.6.7 src/`parse.ts`/Parser#read().`, that is
 * a scheme, a package in three parts, and the way down to the symbol. Knows no language, no index
 * and no file.
 *
 * The grammar has no words for three things, so they do not come back as they went in: a part that
 * is a single dot (a dot stands for an empty part), a part after the first that begins with a
 * space (escaped, it reads as the end of the part before it), and a scheme `local`.
 */

export type DescriptorKind =
  | 'namespace'
  | 'type'
  | 'term'
  | 'method'
  | 'type-parameter'
  | 'parameter'
  | 'meta'
  | 'macro'

export interface Descriptor {
  readonly name: string
  readonly kind: DescriptorKind
  /** Tells methods of one name apart. Other kinds have none. */
  readonly disambiguator?: string
}

export interface ParsedSymbol {
  readonly scheme: string
  readonly manager: string
  readonly package: string
  readonly version: string
  /** From the outside in. Some indexers name a whole package by a symbol without any. */
  readonly descriptors: readonly Descriptor[]
}

/** Whether the symbol means something inside its own document alone. It has no parts then. */
export function isLocal(text: string): boolean {
  return text.startsWith(LOCAL)
}

export function formatSymbol(symbol: ParsedSymbol): string {
  const parts = [symbol.scheme, symbol.manager, symbol.package, symbol.version]
  const head = parts.map((part) => (part === '' ? '.' : part.replaceAll(' ', '  ')))
  return `${head.join(' ')} ${symbol.descriptors.map(formatDescriptor).join('')}`
}

/** What our own index calls a file: its folders and its name, as namespaces of nobody's package. */
export function fileSymbol(path: string): string {
  const descriptors = path
    .split('/')
    .filter((part) => part !== '')
    .map((name) => ({ name, kind: 'namespace' }) as const)
  return `scip:${formatSymbol({ ...OWN_SCHEME, descriptors })}`
}

export const OWN_SCHEME = { scheme: 'dossier', manager: '', package: '', version: '' } as const

/** Undefined for a local symbol and for what is no symbol at all. */
export function parseSymbol(text: string): ParsedSymbol | undefined {
  if (isLocal(text)) return undefined
  const parts: string[] = []
  let at = 0
  while (parts.length < 4) {
    const part = readEscaped(text, at, ' ')
    if (part === undefined || part.value === '') return undefined
    parts.push(part.value === '.' ? '' : part.value)
    at = part.end
  }
  const descriptors = parseDescriptors(text, at)
  if (descriptors === undefined) return undefined
  const [scheme = '', manager = '', name = '', version = ''] = parts
  return { scheme, manager, package: name, version, descriptors }
}

const LOCAL = 'local '
const SIMPLE = /^[\w$+-]+$/
const SIMPLE_RUN = /[\w$+-]+/y

const KIND_OF_SUFFIX: ReadonlyMap<string, DescriptorKind> = new Map([
  ['/', 'namespace'],
  ['#', 'type'],
  ['.', 'term'],
  [':', 'meta'],
  ['!', 'macro'],
])

/** One step of the way down. */
export function formatDescriptor({ name, kind, disambiguator }: Descriptor): string {
  const identifier = formatIdentifier(name)
  switch (kind) {
    case 'namespace':
      return `${identifier}/`
    case 'type':
      return `${identifier}#`
    case 'term':
      return `${identifier}.`
    case 'meta':
      return `${identifier}:`
    case 'macro':
      return `${identifier}!`
    case 'method':
      return disambiguator === undefined || disambiguator === ''
        ? `${identifier}().`
        : `${identifier}(${formatIdentifier(disambiguator)}).`
    case 'type-parameter':
      return `[${identifier}]`
    case 'parameter':
      return `(${identifier})`
  }
}

function formatIdentifier(name: string): string {
  return SIMPLE.test(name) ? name : `\`${name.replaceAll('`', '``')}\``
}

/** A piece of the text without its escapes, and where the text goes on after it. */
interface Piece {
  readonly value: string
  readonly end: number
}

function parseDescriptors(text: string, from: number): readonly Descriptor[] | undefined {
  const descriptors: Descriptor[] = []
  let at = from
  while (at < text.length) {
    const next = parseDescriptor(text, at)
    if (next === undefined) return undefined
    descriptors.push(next.descriptor)
    at = next.end
  }
  return descriptors
}

interface DescriptorPiece {
  readonly descriptor: Descriptor
  readonly end: number
}

function parseDescriptor(text: string, at: number): DescriptorPiece | undefined {
  const first = text[at]
  if (first === '(' || first === '[') {
    const name = readIdentifier(text, at + 1)
    if (name === undefined || text[name.end] !== (first === '(' ? ')' : ']')) return undefined
    const kind = first === '(' ? 'parameter' : 'type-parameter'
    return { descriptor: { name: name.value, kind }, end: name.end + 1 }
  }
  const name = readIdentifier(text, at)
  if (name === undefined) return undefined
  const suffix = text[name.end] ?? ''
  if (suffix === '(') return parseMethod(text, name)
  const kind = KIND_OF_SUFFIX.get(suffix)
  return kind && { descriptor: { name: name.value, kind }, end: name.end + 1 }
}

/** From the bracket after the name: `().` or `(+1).` */
function parseMethod(text: string, name: Piece): DescriptorPiece | undefined {
  const inside = name.end + 1
  if (text.startsWith(').', inside)) {
    return { descriptor: { name: name.value, kind: 'method' }, end: inside + 2 }
  }
  const disambiguator = readIdentifier(text, inside)
  if (disambiguator === undefined || disambiguator.value === '') return undefined
  if (!text.startsWith(').', disambiguator.end)) return undefined
  return {
    descriptor: { name: name.value, kind: 'method', disambiguator: disambiguator.value },
    end: disambiguator.end + 2,
  }
}

function readIdentifier(text: string, at: number): Piece | undefined {
  if (text[at] === '`') return readEscaped(text, at + 1, '`')
  SIMPLE_RUN.lastIndex = at
  const value = SIMPLE_RUN.exec(text)?.[0]
  return value === undefined ? undefined : { value, end: at + value.length }
}

/** Up to the first mark that is not doubled; that one belongs to neither side. */
function readEscaped(text: string, from: number, mark: ' ' | '`'): Piece | undefined {
  let isEscaped = false
  for (let at = text.indexOf(mark, from); at !== -1; at = text.indexOf(mark, at + 2)) {
    if (text[at + 1] === mark) {
      isEscaped = true
      continue
    }
    const value = text.slice(from, at)
    return { value: isEscaped ? value.replaceAll(mark + mark, mark) : value, end: at + 1 }
  }
  return undefined
}
