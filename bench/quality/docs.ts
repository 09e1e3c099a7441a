/**
 * Measures docs search on questions that nobody here wrote:
 *
 *     node bench/quality/docs.ts --data <eval folder> --mirror <git directories> [--json]
 *
 * Each repository is checked out at its commit, packed, and asked every query of the sets. A
 * repository without a mirror is named and left out.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { composeWorld } from '../../src/compose.ts'
import type { DocsIndex } from '../../src/model/docs-index.ts'
import { SILENT } from '../../src/model/progress.ts'
import { buildDocsPack } from '../../src/packs/docs/docs-pack.ts'
import { searchDocs } from '../../src/packs/docs/docs-search.ts'
import type { World } from '../../src/platform/world.ts'
import { openDocsIndex } from '../../src/store/docs/open-index.ts'
import { checkout, type Places } from './checkout.ts'
import { judge, type Verdict } from './docs-judge.ts'
import { asJson, asTables, type SetReport } from './docs-report.ts'
import { type DocsTask, isMarkdown, readDocsSets } from './docs-tasks.ts'

const LIMIT = 50

const world: World = {
  ...composeWorld({
    workingFolder: process.cwd(),
    signal: new AbortController().signal,
    progress: SILENT,
    notice: (text) => console.error(text),
  }),
  generator: 'dossier bench',
  writerThread: () => undefined,
}

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    mirror: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
})
if (values.data === undefined || values.mirror === undefined) {
  console.error('usage: node bench/quality/docs.ts --data <folder> --mirror <folder> [--json]')
  process.exitCode = 2
} else {
  const reports = await measure({ data: values.data, mirror: values.mirror })
  console.log(values.json ? asJson(reports) : asTables(reports))
}

async function measure(places: Places): Promise<readonly SetReport[]> {
  const reports: SetReport[] = []
  for (const set of readDocsSets(places.data)) {
    const verdicts: Verdict[] = []
    const milliseconds: number[] = []
    const skipped: string[] = []
    for (const [repo, tasks] of Map.groupBy(set.tasks.filter(isMarkdown), (task) => task.repo)) {
      const index = await packOf(places, tasks)
      if (typeof index === 'string') {
        skipped.push(`${repo}: ${tasks.length} tasks left out (${index})`)
        continue
      }
      for (const task of tasks) {
        const start = performance.now()
        const { hits } = await searchDocs(index, task.query, LIMIT)
        milliseconds.push(performance.now() - start)
        const ranking = hits.map((hit) => hit.chunk)
        verdicts.push(judge(task, ranking))
      }
      await index.close()
    }
    const otherMarkup = set.tasks.filter((task) => !isMarkdown(task))
    reports.push({ set, verdicts, otherMarkup, skipped, milliseconds })
  }
  return reports
}

/** A pack over the tasks' docs folder, open for reading, or why there is none. */
async function packOf(places: Places, tasks: readonly DocsTask[]): Promise<DocsIndex | string> {
  const [first] = tasks
  if (first === undefined) return 'no tasks'
  const tree = checkout(places, first.repo, first.commit)
  if (typeof tree === 'string') return tree
  const folder = join(tree.scratch, first.folder.replaceAll('/', '+') || 'root')
  mkdirSync(folder, { recursive: true })
  const { segment } = await buildDocsPack(world, {
    segment: first.folder,
    repoRoot: tree.folder,
    output: join(folder, 'context_pack.json'),
    incremental: false,
    dryRun: false,
    force: true,
  })
  return openDocsIndex(world.files, segment)
}
