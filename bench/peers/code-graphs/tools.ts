/** The code graphs that are compared: how each is built, and how its edges are read. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Edge, GraphNode } from './call-graph.ts'
import { installCodeGraphs, VERSIONS } from './install.ts'

export interface GraphTool {
  readonly name: string
  /** A program with its arguments, to be run in the repository. */
  readonly command: readonly string[]
  /** All edges in what the command has left in the repository. */
  read(folder: string): readonly Edge[] | Promise<readonly Edge[]>
}

/** Both work without a network; the one that would report its use is told not to. */
export const QUIET = { CODEGRAPH_TELEMETRY: '0', DO_NOT_TRACK: '1', CODEGRAPH_NO_DAEMON: '1' }

export function peers(): readonly GraphTool[] {
  const { modules, node } = installCodeGraphs()
  const optave = join(modules, '@optave', 'codegraph', 'dist', 'cli.js')
  const colbymchenry = join(modules, '@colbymchenry', 'codegraph', 'npm-shim.js')
  return [
    {
      name: `@optave/codegraph ${VERSIONS['@optave/codegraph']}`,
      command: [node, optave, 'build', '.'],
      read: (folder) => edgesIn(join(folder, '.codegraph', 'graph.db'), OPTAVE),
    },
    {
      name: `@colbymchenry/codegraph ${VERSIONS['@colbymchenry/codegraph']}`,
      command: [node, colbymchenry, 'init', '--yes', '.'],
      read: (folder) => edgesIn(join(folder, '.codegraph', 'codegraph.db'), COLBYMCHENRY),
    },
  ]
}

const OPTAVE = `
  SELECT e.kind AS kind, f.name AS fromName, f.file AS fromPath, f.line AS fromLine, f.end_line AS fromEnd,
         f.kind = 'file' AS fromFile,
         t.name AS toName, t.file AS toPath, t.line AS toLine, t.end_line AS toEnd
  FROM edges e JOIN nodes f ON f.id = e.source_id JOIN nodes t ON t.id = e.target_id`

const COLBYMCHENRY = `
  SELECT e.kind AS kind, f.name AS fromName, f.file_path AS fromPath, f.start_line AS fromLine,
         f.end_line AS fromEnd, f.kind = 'file' AS fromFile,
         t.name AS toName, t.file_path AS toPath, t.start_line AS toLine, t.end_line AS toEnd
  FROM edges e JOIN nodes f ON f.id = e.source JOIN nodes t ON t.id = e.target`

/** Construction is a call for the compiler, and for one of the two. */
const CALLS: ReadonlySet<string> = new Set(['calls', 'instantiates'])

interface EdgeRow {
  readonly kind: string
  readonly fromName: string
  readonly fromPath: string
  readonly fromLine: number | null
  readonly fromEnd: number | null
  readonly fromFile: number
  readonly toName: string
  readonly toPath: string
  readonly toLine: number | null
  readonly toEnd: number | null
}

function edgesIn(file: string, query: string): readonly Edge[] {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    const rows = database.prepare(query).all() as unknown as readonly EdgeRow[]
    return rows.map((it) => ({
      kind: it.kind,
      isCall: CALLS.has(it.kind),
      from: source(it),
      to: target(it),
    }))
  } finally {
    database.close()
  }
}

function source(it: EdgeRow): GraphNode {
  if (it.fromFile === 1) return { name: '', path: it.fromPath, line: 1, endLine: Infinity }
  const line = it.fromLine ?? 1
  return { name: it.fromName, path: it.fromPath, line, endLine: it.fromEnd ?? line }
}

function target(it: EdgeRow): GraphNode {
  const line = it.toLine ?? 1
  return { name: it.toName, path: it.toPath, line, endLine: it.toEnd ?? line }
}
