/**
 * Call edges as a compiler sees them, from two files of JSON lines per repository: definitions with
 * their lines, and references with the definition that they are in. Symbols are SCIP's, so their
 * last characters say what they are: `().` a method, `.` a term, `#` a type, `/` a file.
 */
import { readFileSync } from 'node:fs'
import type { GraphNode } from './call-graph.ts'

interface Definition {
  readonly symbol: string
  readonly file: string
  readonly line: number
  readonly end_line: number | null
}

interface Reference {
  readonly symbol: string
  readonly in: string
  readonly call: boolean
}

/** `functions` leaves out calls that stand outside of every function, as those of most tests do. */
export type Callers = 'functions' | 'everything'

export interface Truth {
  /** Files that the compiler has seen; nothing is known of others. */
  readonly covered: ReadonlySet<string>
  calls(callers: Callers): ReadonlySet<string>
  /** Pairs where the one names the other, and no call is known. */
  mentions(callers: Callers): ReadonlySet<string>
  /** The symbol that a compiler says is calling when this node calls. */
  callerOf(node: GraphNode): string | undefined
  /** The symbol of the function that this node is; none for one that is local to another. */
  calleeOf(node: GraphNode): string | undefined
}

/** `stem` is the path of the truth's files up to `.defs.jsonl` and `.refs.jsonl`. */
export function readTruth(stem: string): Truth {
  const definitions = jsonLines<Definition>(`${stem}.defs.jsonl`)
  const references = jsonLines<Reference>(`${stem}.refs.jsonl`)
  const byFile = Map.groupBy(definitions, (it) => it.file)
  const functions = new Set(definitions.filter(isFunction).map((it) => it.symbol))
  const pairs = (list: readonly Reference[], callers: Callers): readonly string[] =>
    list
      .filter((it) => functions.has(it.symbol) && isCaller(it.in, callers))
      .map((it) => edge(it.in, constructed(it.symbol)))
  const callsOf = (callers: Callers): ReadonlySet<string> =>
    new Set(
      pairs(
        references.filter((it) => it.call),
        callers,
      ),
    )
  const mentionsOf = (callers: Callers): ReadonlySet<string> => {
    const calls = callsOf(callers)
    return new Set(pairs(references, callers).filter((it) => !calls.has(it)))
  }
  return {
    covered: new Set(byFile.keys()),
    calls: callsOf,
    mentions: mentionsOf,
    callerOf: (node) => enclosing(byFile.get(node.path) ?? [], node)?.symbol,
    calleeOf: (node) => {
      const found = sameFunction(byFile.get(node.path) ?? [], node)
      return found === undefined ? undefined : constructed(found.symbol)
    },
  }
}

export function edge(from: string, to: string): string {
  return `${from} ${to}`
}

export function isCaller(symbol: string, callers: Callers): boolean {
  return callers === 'everything' || /[^/#]$/.test(symbol)
}

function jsonLines<Line>(file: string): readonly Line[] {
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.filter((it) => it !== '').map((it) => JSON.parse(it) as Line)
}

/** A term with a body is a function that a constant holds; a type can be constructed. */
function isFunction({ symbol, end_line }: Definition): boolean {
  return (
    symbol.endsWith(').') || symbol.endsWith('#') || (symbol.endsWith('.') && end_line !== null)
  )
}

/** `new Type` is one edge, whether or not the type spells out its constructor. */
function constructed(symbol: string): string {
  return symbol.replace(/#`<constructor>`\(\)\.$/, '#')
}

/** The node itself where the compiler knows it, else the smallest definition around it. */
function enclosing(definitions: readonly Definition[], node: GraphNode): Definition | undefined {
  const around = definitions.filter(
    (it) => it.end_line !== null && it.line <= node.line && it.end_line + 1 >= node.endLine,
  )
  const size = ({ line, end_line }: Definition): number => (end_line ?? Infinity) - line
  const itself = around.find((it) => it.line === node.line && nameOf(it.symbol) === bare(node.name))
  const smallest = around.reduce<Definition | undefined>(
    (best, it) => (best === undefined || size(it) < size(best) ? it : best),
    undefined,
  )
  return itself ?? smallest ?? definitions.find((it) => it.symbol.endsWith('`/') && it.line === 1)
}

/** Tools may point at another overload, or at what stands before the name. */
const NEAR = 12

function sameFunction(definitions: readonly Definition[], node: GraphNode): Definition | undefined {
  const named = definitions.filter((it) => isFunction(it) && nameOf(it.symbol) === bare(node.name))
  const distance = ({ line }: Definition): number => Math.abs(line - node.line)
  return named
    .filter((it) => distance(it) <= NEAR)
    .reduce<Definition | undefined>(
      (best, it) => (best === undefined || distance(it) < distance(best) ? it : best),
      undefined,
    )
}

/** `src/`url.ts`/Router#`#add`().` is `add`. */
function nameOf(symbol: string): string {
  const last = /(`[^`]+`|[^`/#.:()[\]]+)(?:\((?:\+\d+)?\)\.|[./#:])$/.exec(symbol)?.[1] ?? ''
  return bare(last.replaceAll('`', '').replace(/^<(?:get|set)>/, ''))
}

/** Without the class before it, the mark of a private member and the brackets of a constructor. */
function bare(name: string): string {
  return name.replace(/^.*\.(?=.)/, '').replace(/^[#<]|>$/g, '')
}
