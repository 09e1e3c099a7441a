import type { Builder } from '../builder.ts'
import type { Language } from '../language.ts'
import { comment, unquoted } from '../rules.ts'
import { defineKey, keepSettings } from './keys.ts'

const SETTINGS = /^(?:Cargo|pyproject|Project|gleam|foundry|uv)\.toml$|^Pipfile$/

function document(build: Builder, node: number): number {
  for (const it of build.children(node)) {
    const kind = build.kindName(it)
    if (kind === 'comment') build.visit(it)
    if (kind === 'pair') key(build, it, 0)
    if (kind === 'table' || kind === 'table_array_element') table(build, it)
  }
  return 0
}

function table(build: Builder, node: number): void {
  const owner = key(build, node, 0)
  for (const it of build.children(node)) {
    if (build.kindName(it) === 'comment') build.visit(it)
    if (build.kindName(it) === 'pair' && owner >= 0) key(build, it, owner)
  }
}

/** The key of a pair, or the heading of a table. */
function key(build: Builder, node: number, owner: number): number {
  const at = build.child(node, 'bare_key', 'dotted_key', 'quoted_key')
  if (at < 0) return -1
  const { starts, ends } = build.syntax
  const isQuoted = build.kindName(at) === 'quoted_key'
  const from = starts[node] ?? 0
  const whole = {
    start: (starts[at] ?? 0) + (isQuoted ? 1 : 0),
    end: (ends[at] ?? 0) - (isQuoted ? 1 : 0),
    from,
    to: from + build.textOf(node).trimEnd().length,
  }
  return defineKey(build, { name: unquoted(build.textOf(at)), ...whole }, owner)
}

export const toml: Language = {
  id: 'toml',
  grammar: 'toml',
  extensions: ['.toml'],
  fileNames: ['Pipfile', 'Cargo.lock', 'poetry.lock', 'uv.lock'],
  rules: { document, comment: comment() },
  finish: (build, path) => keepSettings(build, path, SETTINGS),
}
