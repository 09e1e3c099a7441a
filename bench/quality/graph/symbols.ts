/**
 * Reads the SCIP symbols of the truth: `src/`url.ts`/Router#add().(path)` is a parameter.
 *
 * A symbol is a chain of descriptors, and how each one ends says what it is.
 */

export interface SymbolFacts {
  readonly name: string
  readonly kind: SymbolKind
  /**
   * Whether another index can be expected to have it as a definition. It cannot where the symbol
   * is the indexer's own device: properties of object literals (`"type"0:`), members of type
   * literals (`typeLiteral7:`), modules, and locals.
   */
  readonly isComparable: boolean
}

export type SymbolKind =
  | 'module'
  | 'type'
  | 'function'
  | 'method'
  | 'field'
  | 'variable'
  | 'parameter'
  | 'type parameter'
  | 'literal property'
  | 'local'
  | 'other'

const DESCRIPTOR = /(?:(`(?:[^`]|``)*`|[\w$+-]+)(\(\+?\w*\)\.|[#./:!]))|\(([^)]*)\)|\[([^\]]*)\]/g

export function readSymbol(symbol: string): SymbolFacts {
  if (/(?:^|\s)local \w+$/.test(symbol)) return { name: '', kind: 'local', isComparable: false }
  const chain = [...symbol.matchAll(DESCRIPTOR)]
  const last = chain.at(-1)
  if (last === undefined) return { name: symbol, kind: 'other', isComparable: false }
  const kind = kindOf(last, chain.at(-2))
  const isOwnDevice = /typeLiteral\d+:/.test(symbol) || DEVICES.has(kind)
  return { name: nameOf(last, kind), kind, isComparable: !isOwnDevice }
}

/** Kinds that are never comparable. */
export const DEVICES: ReadonlySet<SymbolKind> = new Set([
  'module',
  'literal property',
  'local',
  'other',
])

function kindOf(last: RegExpExecArray, owner: RegExpExecArray | undefined): SymbolKind {
  const [, name = '', suffix = '', parameter, typeParameter] = last
  if (parameter !== undefined) return 'parameter'
  if (typeParameter !== undefined) return 'type parameter'
  const isMember = owner?.[2] === '#' || /^typeLiteral\d+$/.test(owner?.[1] ?? '')
  switch (suffix) {
    case '/':
      return 'module'
    case '#':
      return 'type'
    case ':':
      return name === '__init__' ? 'module' : 'literal property'
    case '.':
      return isMember ? 'field' : 'variable'
    case '!':
      return 'other'
    default:
      return isMember ? 'method' : 'function'
  }
}

/** `<get>res`, `'Content-Type'0` and `#path` are `res`, `Content-Type` and `#path` in the text. */
function nameOf(last: RegExpExecArray, kind: SymbolKind): string {
  const raw = (last[1] ?? last[3] ?? last[4] ?? '').replace(/^`|`$/g, '')
  if (raw === '<constructor>') return 'constructor'
  const plain = raw.replace(/^<[gs]et>/, '')
  if (kind !== 'literal property') return unquoted(plain)
  return unquoted(plain.replace(/\d+$/, ''))
}

function unquoted(text: string): string {
  return text.replace(/^(['"])(.*)\1$/, '$2')
}
