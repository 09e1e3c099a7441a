/**
 * A small question set with golden ranks. A change of weights that moves an answer shows in the
 * diff of ranks.txt, with its price in recall and MRR.
 */
import { expect, test } from 'vitest'
import { searchDocs } from '../../src/packs/docs/docs-search.ts'
import { HANDBOOK } from '../support/handbook.ts'
import { ask, build } from '../support/pack.ts'
import { onDisk } from '../support/project.ts'
import { quietWorld } from '../support/world.ts'

/** A question, and the heading under which its answer stands. */
const QUESTIONS: readonly (readonly [string, string])[] = [
  ['how do I install harbor', 'From the package registry'],
  ['which node version', 'Requirements'],
  ['upgrade to a new version', 'Upgrading'],
  ['set the port with an environment variable', 'Environment variables'],
  ['see every request in the logs', 'Logging'],
  ['json log lines', 'Log format'],
  ['https certificate', 'TLS certificates'],
  ['nginx proxy forwarded header', 'Behind a reverse proxy'],
  ['is the database reachable', 'Health checks'],
  ['undo a migration', 'Rolling back'],
  ['token expires', 'Authentication'],
  ['login function', 'Authentication'],
  ['429 too many requests', 'Rate limits'],
  ['next page cursor', 'Pagination'],
  ['error codes and hints', 'Errors'],
  ['normalize title path', 'Title paths'],
  ['sqlite write-ahead log', 'Storage'],
  ['inverted index', 'Searching'],
  ['数据库', '数据库'],
  ['report a bug', 'Getting help'],
]

test('S2 ranks of the question set', async () => {
  const folder = onDisk(HANDBOOK)
  await build(quietWorld(folder))
  const ranks = await ask(folder, async (index) => {
    const list: number[] = []
    for (const [question, answer] of QUESTIONS) {
      const { hits } = await searchDocs(index, question, 10)
      list.push(hits.findIndex((it) => it.chunk.title_path.at(-1) === answer) + 1)
    }
    return list
  })
  const recall = ranks.filter((rank) => rank > 0 && rank <= 5).length / ranks.length
  const mrr = ranks.reduce((sum, rank) => sum + (rank > 0 ? 1 / rank : 0), 0) / ranks.length
  const lines = QUESTIONS.map(
    ([question], at) => `${(ranks[at] || '-').toString().padEnd(3)}${question}`,
  )
  const figures = [`recall@5 ${recall.toFixed(3)}`, `MRR ${mrr.toFixed(3)}`]
  await expect(`${[...figures, '', ...lines].join('\n')}\n`).toMatchFileSnapshot('ranks.txt')
  expect(recall).toBeGreaterThanOrEqual(0.9)
})
