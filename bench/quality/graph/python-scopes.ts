/**
 * Finds the functions, classes and lambdas of a Python file, with the names that PyCG gives them:
 * `main.Cls.run`, and `main.run.<lambda1>` for the first lambda of `run`.
 *
 * Made for the small sources of the set: it reads lines and indentation, not the grammar.
 */
import type { Place } from './places.ts'

export interface PythonScope {
  readonly name: string
  readonly kind: 'function' | 'class' | 'lambda'
  /** Where the name stands; of a lambda its keyword, and the variable that it is assigned to. */
  readonly places: readonly Place[]
  /** Of a class: where the last name of each base stands, in order. */
  readonly bases: readonly Place[]
}

export function moduleName(path: string): string {
  return path
    .replace(/\.py$/, '')
    .replace(/(?:^|\/)__init__$/, '')
    .replaceAll('/', '.')
}

interface Open {
  readonly indent: number
  readonly name: string
}

const HEAD = /^(\s*)(?:async\s+)?(def|class)\s+(\w+)\s*(\(.*)?/

export function pythonScopes(path: string, text: string): readonly PythonScope[] {
  const scopes: PythonScope[] = []
  const open: Open[] = [{ indent: -1, name: moduleName(path) }]
  const lambdas = new Map<string, number>()
  for (const [at, raw] of text.split('\n').entries()) {
    const code = raw.replace(/#.*$/, '')
    if (code.trim() === '') continue
    const indent = code.length - code.trimStart().length
    while ((open.at(-1)?.indent ?? -1) >= indent) open.pop()
    const owner = open.at(-1)?.name ?? ''
    const head = HEAD.exec(code)
    if (head !== null) {
      const name = owner === '' ? (head[3] ?? '') : `${owner}.${head[3]}`
      scopes.push(headScope({ path, line: at + 1, code, name, head }))
      open.push({ indent, name })
    }
    for (const found of code.matchAll(/(?:\b(\w+)\s*=\s*\(?\s*)?\blambda\b/g)) {
      const number = (lambdas.get(owner) ?? 0) + 1
      lambdas.set(owner, number)
      const ends = found.index + found[0].length
      const columns = [ends - 'lambda'.length, ...(found[1] === undefined ? [] : [found.index])]
      scopes.push({
        name: `${owner}.<lambda${number}>`,
        kind: 'lambda',
        places: columns.map((column) => ({ path, line: at + 1, column })),
        bases: [],
      })
    }
  }
  return scopes
}

interface Head {
  readonly path: string
  readonly line: number
  readonly code: string
  readonly name: string
  readonly head: RegExpExecArray
}

function headScope({ path, line, code, name, head }: Head): PythonScope {
  const [, , keyword = '', own = '', list = ''] = head
  const column = code.indexOf(own, code.indexOf(keyword) + keyword.length)
  const isClass = keyword === 'class'
  const start = code.length - list.length - (code.length - (head.index + head[0].length))
  const bases = isClass ? [...list.matchAll(/(?:\w+\.)*(\w+)\s*(?=[,)])/g)] : []
  return {
    name,
    kind: isClass ? 'class' : 'function',
    places: [{ path, line, column }],
    bases: bases.map((base) => {
      const last = base[0].trimEnd().length - (base[1] ?? '').length
      return { path, line, column: start + base.index + last }
    }),
  }
}
