/** Our own index as one of the tools. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { lineTable } from '../../../src/base/line-table.ts'
import type { StoredFile } from '../../../src/model/code-index.ts'
import { decodeFacts } from '../../../src/model/facts-codec.ts'
import { realFiles } from '../../../src/platform/files.ts'
import { openCodeIndex } from '../../../src/store/code/reader.ts'
import type { Edge, GraphNode } from './call-graph.ts'
import type { GraphTool } from './tools.ts'

export function ours(): GraphTool {
  const main = join(import.meta.dirname, '..', '..', '..', 'src', 'main.ts')
  return { name: 'ours', command: [process.execPath, main, 'index', '.'], read }
}

/** Below this, an edge is one of several possibilities. */
const LIKELY = 0.5

async function read(folder: string): Promise<readonly Edge[]> {
  const reader = openCodeIndex(realFiles, join(folder, '.dossier', 'index.db'))
  try {
    const files = await reader.storedFiles((await reader.files()).map((it) => it.path))
    const nodes = new Map(files.flatMap((it) => [...nodesOf(folder, it)]))
    return files.flatMap(({ edges }) =>
      edges.flatMap((it) => {
        const from = nodes.get(it.from)
        const to = nodes.get(it.to)
        if (from === undefined || to === undefined || it.confidence < LIKELY) return []
        return [{ kind: it.kind, isCall: it.kind === 'call', from, to }]
      }),
    )
  } finally {
    await reader.close()
  }
}

function nodesOf(folder: string, file: StoredFile): ReadonlyMap<string, GraphNode> {
  if (file.facts.length === 0) return new Map()
  const { definitions } = decodeFacts(file.facts)
  const lines = lineTable(readFileSync(join(folder, file.path), 'utf8'))
  return new Map(
    file.symbols.map(({ id, name, definition, start }) => {
      const to = definitions[definition]?.to ?? 0
      const isFile = definition === 0
      return [
        id,
        {
          name,
          path: file.path,
          line: isFile ? 1 : lines.lineAt(start),
          endLine: isFile ? Number.POSITIVE_INFINITY : lines.lineAt(Math.max(0, to - 1)),
        },
      ]
    }),
  )
}
