/**
 * What the index makes of source code, drawn under the lines:
 *
 *     export function add(a: Item) {
 *                     ^^^ definition function add().
 *                         ^ definition parameter a
 *                            ^^^^ usage Item# in item.ts
 */
import { lineTable } from '../../src/base/line-table.ts'
import { type Definition, type Facts, ROLE } from '../../src/model/facts.ts'
import type { EdgeRecord } from '../../src/model/index-record.ts'
import { LINKINGS } from '../../src/resolve/linkings.ts'
import { resolveReferences } from '../../src/resolve/references.ts'
import { resolveFile } from '../../src/resolve/resolve-file.ts'
import { symbolIds } from '../../src/sources/code/symbol-ids.ts'
import { repositoryOf } from './repository.ts'

export async function carets(texts: ReadonlyMap<string, string>): Promise<string> {
  const repository = await repositoryOf(texts)
  const drawings: string[] = []
  for (const [path, text] of [...texts].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const facts = repository.all.get(path)
    if (facts === undefined) continue
    const resolved = resolveFile(path, repository)
    const notes = [
      ...definitionsIn(facts, path),
      ...resolved.edges.map((it) => noteOf(it, path)),
      ...resolved.unresolved.map((it) => ({
        start: it.start,
        end: it.end,
        text: `${it.kind} ? ${it.candidates.map((id) => shortOf(id, path)).join(' | ')}`.trimEnd(),
      })),
      ...localsIn(path, repository, facts),
    ]
    drawings.push(`== ${path}\n${drawn(text, notes)}`)
  }
  return drawings.join('\n')
}

interface Note {
  readonly start: number
  readonly end: number
  readonly text: string
}

function definitionsIn(facts: Facts, path: string): readonly Note[] {
  const ids = symbolIds(facts, path)
  return facts.definitions.flatMap((it, at) => {
    if (it.name === '' || it.kind === 'file' || it.end <= it.start) return []
    const id = ids[at]
    const known = id === undefined ? it.name : shortOf(id, path)
    return [{ start: it.start, end: it.end, text: `definition ${it.kind} ${known}` }]
  })
}

function noteOf(it: EdgeRecord, path: string): Note {
  const sure = it.confidence >= 0.8 ? '' : ` (${it.confidence})`
  return { start: it.start, end: it.end, text: `${it.kind} ${shortOf(it.to, path)}${sure}` }
}

/** References to what has no symbol: parameters, local variables, names from outside. */
function localsIn(
  path: string,
  repository: Awaited<ReturnType<typeof repositoryOf>>,
  facts: Facts,
): readonly Note[] {
  const ask = { ...repository, settings: (at: string) => repository.facts(at)?.settings }
  const resolved = resolveReferences(path, ask, LINKINGS)
  const ids = symbolIds(facts, path)
  return (resolved?.references ?? []).flatMap(({ expression, targets }) => {
    const it = facts.expressions[expression]
    const [target] = targets
    if (it === undefined || target?.path !== path || ids[target.definition] !== undefined) return []
    const to = facts.definitions[target.definition]
    if (to === undefined || to.start === it.start) return []
    const role = (it.role & ROLE.call) === 0 ? 'reference' : 'call'
    return [{ start: it.start, end: it.end, text: `${role} ${kindOf(to)} ${to.name}` }]
  })
}

function kindOf(it: Definition): string {
  return it.kind === 'import' ? 'imported' : it.kind
}

/** Descriptors without the path; with the file where it is another one. */
function shortOf(id: string, from: string): string {
  const path = id.replace(/^scip:dossier \. \. \. /, '')
  const match = /^((?:(?:`[^`]*`|[\w$+-]+)\/)*(?:`[^`]*`|[\w$+-]+)\/)(.*)$/.exec(path)
  const file = (match?.[1] ?? '').replaceAll('`', '').replace(/\/$/, '')
  const rest = match?.[2] ?? ''
  if (file === from) return rest === '' ? '(this file)' : rest
  return rest === '' ? file : `${rest} in ${file}`
}

function drawn(text: string, notes: readonly Note[]): string {
  const table = lineTable(text)
  const lines: string[] = []
  const sorted = [...new Map(notes.map((it) => [JSON.stringify(it), it])).values()].toSorted(
    (a, b) => a.start - b.start || a.end - b.end || (a.text < b.text ? -1 : 1),
  )
  for (let line = 1; line <= table.count; line += 1) {
    const start = table.start(line)
    const end = table.end(line)
    lines.push(text.slice(start, end))
    for (const it of sorted) {
      if (it.start < start || it.start > end || (it.start === end && end !== start)) continue
      const before = text.slice(start, it.start).replaceAll(/[^\t]/g, ' ')
      lines.push(`${before}${'^'.repeat(Math.max(1, Math.min(it.end, end) - it.start))} ${it.text}`)
    }
  }
  return `${lines.join('\n')}\n`
}
