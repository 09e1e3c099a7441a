/** The two docs sets, read into one shape: a query, where it may be answered, and what is right. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface DocsTask {
  readonly id: string
  readonly repo: string
  readonly commit: string
  readonly query: string
  /** The folder to build a pack over, below the repository's root. */
  readonly folder: string
  /** Whether a page counts in the ranking at all. */
  admits(path: string): boolean
  readonly gold: readonly GoldPage[]
}

export interface GoldPage {
  readonly path: string
  /** What of the page is meant, where the set says so. */
  readonly places: readonly Place[]
}

/** Lines are 1-based and inclusive; a heading is compared as text where the set gives one. */
export interface Place {
  readonly start: number
  readonly end: number
  readonly heading?: string
}

export interface DocsSet {
  readonly name: string
  /** What the finest measure is called: `section` or `heading`. */
  readonly place: string
  readonly tasks: readonly DocsTask[]
}

export function readDocsSets(data: string): readonly DocsSet[] {
  return [
    { name: 'docs commits', place: 'section', tasks: commitTasks(rows(data, 'docs-commit-loc')) },
    { name: 'docs links', place: 'heading', tasks: linkTasks(rows(data, 'docs-links')) },
  ]
}

/** Repositories whose pages are in another markup cannot be answered from a Markdown pack. */
export function isMarkdown(task: DocsTask): boolean {
  return task.gold.some((page) => /\.(?:md|markdown)$/i.test(page.path))
}

interface CommitRow {
  readonly id: string
  readonly repo: string
  readonly base_commit: string
  readonly docs_root: string
  readonly query_raw: string
  readonly gold: readonly { readonly path: string; readonly sections: readonly Place[] }[]
}

function commitTasks(found: readonly unknown[]): readonly DocsTask[] {
  return (found as readonly CommitRow[]).map((row) => {
    const root = new RegExp(row.docs_root)
    return {
      id: row.id,
      repo: row.repo,
      commit: row.base_commit,
      query: row.query_raw,
      folder: literalFolder(row.docs_root),
      admits: (path) => root.test(path),
      gold: row.gold.map(({ path, sections }) => ({
        path,
        places: sections.map(({ start, end }) => ({ start, end })),
      })),
    }
  })
}

/** `^content/docs/(?!old).*\.md$` → `content/docs`. */
function literalFolder(pattern: string): string {
  const literal = /^\^?([\w/-]*)/.exec(pattern)?.[1] ?? ''
  return literal.slice(0, Math.max(0, literal.lastIndexOf('/')))
}

interface LinkRow {
  readonly id: string
  readonly repo: string
  readonly commit: string
  readonly query: string
  readonly source: string
  readonly gold_file: string
  readonly gold_heading: string | null
  readonly gold_line: number | null
}

function linkTasks(found: readonly unknown[]): readonly DocsTask[] {
  const links = found as readonly LinkRow[]
  const byRepo = Map.groupBy(links, (row) => row.repo)
  return links.map((row) => ({
    id: row.id,
    repo: row.repo,
    commit: row.commit,
    query: row.query,
    folder: commonFolder((byRepo.get(row.repo) ?? []).flatMap((it) => [it.source, it.gold_file])),
    admits: (path) => path !== row.source,
    gold: [{ path: row.gold_file, places: linkPlaces(row) }],
  }))
}

function linkPlaces(row: LinkRow): readonly Place[] {
  if (row.gold_heading === null) return []
  const line = row.gold_line ?? 0
  return [{ start: line, end: line, heading: row.gold_heading }]
}

function commonFolder(paths: readonly string[]): string {
  const folders = paths.map((path) => path.split('/').slice(0, -1))
  const [first = [], ...others] = folders
  const differs = first.findIndex((name, at) => others.some((other) => other[at] !== name))
  return first.slice(0, differs === -1 ? first.length : differs).join('/')
}

function rows(data: string, set: string): readonly unknown[] {
  const path = join(data, set, 'open', 'tasks.jsonl')
  if (!existsSync(path)) return []
  const lines = readFileSync(path, 'utf8').split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line))
}
