/**
 * The line to beat: identifiers by pattern, resolved by name alone. First the same file, else the
 * least nested of that name anywhere, tests last. It knows no scope, no type and no import.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { ascending, type Compare, inOrder } from '../../../src/base/order.ts'
import type { Answers, Definition, Reference, Target } from './answers.ts'

export async function answerByNames(folder: string): Promise<Answers> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => LANGUAGES.has(extname(path)))
    .toSorted()
  const read = paths.flatMap((path) => {
    const text = textOf(join(folder, path))
    return text === undefined ? [] : readNames(path, text)
  })
  const everywhere = Map.groupBy(
    read
      .flatMap((file) => visibleElsewhere(file).map((it) => target(file.path, it)))
      .toSorted(LIKELIEST),
    (it) => nameOf(it.symbol),
  )
  return {
    files: new Map(
      read.map((file) => [
        file.path,
        { definitions: file.definitions, references: resolve(file, everywhere) },
      ]),
    ),
  }
}

/** Sources before tests, and what stands further left before what is nested. */
const LIKELIEST: Compare<Target> = inOrder(
  ascending((it) => (isTest(it.path) ? 1 : 0)),
  ascending((it) => it.column),
  ascending((it) => it.path),
  ascending((it) => it.line),
)

const LEFTMOST: Compare<Definition> = inOrder(
  ascending((it) => it.column),
  ascending((it) => it.line),
)

const SCRIPT: readonly RegExp[] = [
  /\b(?:function\*?|class|interface|enum|type|namespace)\s+([\w$]+)/dg,
  /\b(?:const|let|var)\s+([\w$]+)/dg,
  /^\s*(?:(?:public|private|protected|static|async|get|set|readonly|override)\s+)*\*?(#?[\w$]+)\s*(?:<[^()]*>)?\([^;]*\{\s*$/dg,
  /^\s*(?:(?:public|private|protected|static|readonly|declare)\s+)*(#?[\w$]+)[?!]?:\s/dg,
  /^\s*(?:module\.)?exports\.([\w$]+)\s*=/dg,
]
const PYTHON: readonly RegExp[] = [
  /\b(?:def|class)\s+(\w+)/dg,
  /^\s*(?:self\.)?(\w+)\s*(?::[^=]+)?=[^=]/dg,
]
const GO: readonly RegExp[] = [
  /^func\s+(?:\([^)]*\)\s*)?(\w+)/dg,
  /\btype\s+(\w+)/dg,
  /\b(?:var|const)\s+(\w+)/dg,
  /\b(\w+)\s*:=/dg,
]
const JAVA: readonly RegExp[] = [
  /\b(?:class|interface|enum)\s+(\w+)/dg,
  /^\s*(?:[\w<>[\],]+\s+)+(\w+)\s*\([^;]*\{\s*$/dg,
  /\b[\w<>[\]]+\s+(\w+)\s*[=;]/dg,
]

const LANGUAGES: ReadonlyMap<string, readonly RegExp[]> = new Map([
  ...['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs'].map(
    (extension) => [extension, SCRIPT] as const,
  ),
  ['.py', PYTHON],
  ['.go', GO],
  ['.java', JAVA],
])

/** Keywords that could be taken for a call or a definition. */
const WORDS: ReadonlyMap<readonly RegExp[], ReadonlySet<string>> = new Map([
  [SCRIPT, words('if for while switch catch function return else in of new typeof await async')],
  [PYTHON, words('if for while elif else in is not and or with as from import lambda return def')],
  [GO, words('if for switch select func return else range go defer type struct interface map')],
  [JAVA, words('if for while switch catch return else new void class public private static')],
])

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(' '))
}

interface NamedFile {
  readonly path: string
  readonly definitions: readonly Definition[]
  readonly references: readonly Reference[]
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

function readNames(path: string, text: string): NamedFile {
  const patterns = LANGUAGES.get(extname(path)) ?? []
  const keywords = WORDS.get(patterns) ?? new Set()
  const definitions: Definition[] = []
  const references: Reference[] = []
  const open: { readonly indent: number; readonly symbol: string }[] = []
  for (const [at, line] of text.split('\n').entries()) {
    if (/^\s*(?:\/\/|#(?![\w$])|\*|\/\*|$)/.test(line)) continue
    const indent = line.length - line.trimStart().length
    while ((open.at(-1)?.indent ?? -1) >= indent) open.pop()
    const from = open.at(-1)?.symbol ?? path
    const own = definitionsOn(line, {
      path,
      line: at + 1,
      patterns,
      keywords,
      isInside: open.length > 0,
    })
    definitions.push(...own)
    references.push(...referencesOn(line, { line: at + 1, from, own, keywords }))
    const opener = own.find((it) => it.kind === 'function')
    if (opener !== undefined) open.push({ indent, symbol: opener.symbol })
  }
  return { path, definitions, references }
}

interface Around {
  readonly path: string
  readonly line: number
  readonly patterns: readonly RegExp[]
  readonly keywords: ReadonlySet<string>
  readonly isInside: boolean
}

function definitionsOn(text: string, around: Around): readonly Definition[] {
  const found = new Map<number, Definition>()
  for (const pattern of around.patterns) {
    for (const match of text.matchAll(pattern)) {
      const name = match[1] ?? ''
      const column = match.indices?.[1]?.[0] ?? 0
      if (around.keywords.has(name) || found.has(column)) continue
      const symbol = `${around.path}:${around.line}:${column} ${name}`
      const kind = kindOf(text, match[0], around.isInside)
      found.set(column, { name, kind, line: around.line, column, symbol })
    }
  }
  return [...found.values()]
}

function kindOf(line: string, match: string, isInside: boolean): string {
  if (/\b(?:class|interface|type|enum|struct)\b/.test(match)) return 'type'
  if (/\b(?:function|def|func)\b|\($|\{\s*$/.test(match) || /=>|\blambda\b/.test(line)) {
    return 'function'
  }
  return isInside ? 'local' : 'variable'
}

interface Line {
  readonly line: number
  readonly from: string
  readonly own: readonly Definition[]
  readonly keywords: ReadonlySet<string>
}

function referencesOn(text: string, { line, from, own, keywords }: Line): readonly Reference[] {
  const defined = new Set(own.map((it) => it.column))
  return [...text.matchAll(/#?[A-Za-z_$][\w$]*/g)].flatMap(({ 0: name, index: column }) => {
    if (defined.has(column) || keywords.has(name)) return []
    const call = /^\s*(?:<[^()]*>)?\(/.test(text.slice(column + name.length))
    return { name, line, column, call, from, targets: [] }
  })
}

function isTest(path: string): boolean {
  return /(?:^|[/._-])(?:tests?|spec|bench\w*)(?:[/._-]|$)/.test(path)
}

function visibleElsewhere(file: NamedFile): readonly Definition[] {
  return file.definitions.filter((it) => it.kind !== 'local')
}

function target(path: string, { line, column, symbol }: Definition): Target {
  return { path, line, column, symbol, confidence: 0.5 }
}

function nameOf(symbol: string): string {
  return symbol.slice(symbol.lastIndexOf(' ') + 1)
}

function resolve(
  file: NamedFile,
  everywhere: ReadonlyMap<string, readonly Target[]>,
): readonly Reference[] {
  const here = new Map<string, Target>()
  for (const it of file.definitions.toSorted(LEFTMOST)) {
    if (!here.has(it.name)) here.set(it.name, target(file.path, it))
  }
  return file.references.map((reference) => {
    const same = here.get(reference.name)
    const others = everywhere.get(reference.name) ?? []
    return { ...reference, targets: same === undefined ? others.slice(0, 1) : [same] }
  })
}
