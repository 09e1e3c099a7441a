/**
 * Which grammar reads a file, by its extension: what raw parsing parses. Files without a grammar
 * are only read. Data and prose have none here, because the index does not parse them either.
 */
import { createRequire } from 'node:module'
import { extname } from 'node:path'

const GRAMMARS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    typescript: ['.ts', '.mts', '.cts'],
    tsx: ['.tsx'],
    javascript: ['.js', '.mjs', '.cjs', '.jsx'],
    css: ['.css'],
    html: ['.html'],
    python: ['.py'],
    c: ['.c', '.h'],
    cpp: ['.cc', '.cpp', '.hpp'],
    go: ['.go'],
    rust: ['.rs'],
    bash: ['.sh'],
  }).flatMap(([grammar, extensions]) => extensions.map((it) => [it, grammar])),
)

const ONLY_READ = ['.json', '.md', '.yml', '.yaml', '.toml']

/** With the dot. */
export const EXTENSIONS: ReadonlySet<string> = new Set([...GRAMMARS.keys(), ...ONLY_READ])

export function grammarOf(path: string): string | undefined {
  return GRAMMARS.get(extname(path))
}

export function grammarFile(grammar: string): string {
  const { resolve } = createRequire(import.meta.url)
  return resolve(`tree-sitter-wasm/${grammar}/tree-sitter-${grammar}.wasm`)
}
