/**
 * How fast docs packs are, as ratios within one run: each figure stands beside that of the least
 * work that could do the job. Run with `npm run bench`; `--small` is a quick look.
 */
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { markdownToMdast } from 'satteri'
import { composeWorld } from '../src/compose.ts'
import { SILENT } from '../src/model/progress.ts'
import { getDocs } from '../src/packs/docs/docs-get.ts'
import { buildDocsPack } from '../src/packs/docs/docs-pack.ts'
import { searchDocs } from '../src/packs/docs/docs-search.ts'
import { openDocsIndex } from '../src/store/docs/open-index.ts'
import { writeCorpus } from './corpus.ts'

const isSmall = process.argv.includes('--small')
const ROUNDS = 3

interface Row {
  readonly what: string
  readonly ours: number
  readonly beside: string
  readonly least: number
  readonly aim: number
}

async function main(): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'dossier-bench-'))
  try {
    const rows = [...(await building(scratch)), ...(await reading(scratch))]
    console.log('\n                                            ours       least     ratio   aim')
    for (const it of rows) console.log(rowText(it))
    if (rows.some((it) => it.ours / it.least > it.aim)) process.exitCode = 1
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

function rowText(it: Row): string {
  const ratio = it.ours / it.least
  const verdict = ratio <= it.aim ? '' : '  MISSED'
  const numbers = [
    `${it.ours.toFixed(1)} ms`.padStart(11),
    `${it.least.toFixed(1)} ms`.padStart(11),
  ]
  return `${it.what.padEnd(36)} ${numbers.join('')} ${ratio.toFixed(3).padStart(9)} ${String(it.aim).padStart(5)}${verdict}  (beside: ${it.beside})`
}

async function building(scratch: string): Promise<readonly Row[]> {
  const files = isSmall ? 1000 : 10_000
  const folder = join(scratch, 'corpus')
  const bytes = writeCorpus(folder, { files, bytesPerFile: 4000 })
  console.log(`corpus: ${files} files, ${(bytes / 1e6).toFixed(1)} MB`)
  // A file that was written this instant may change without a new time, so it would be read again.
  await new Promise((resolve) => setTimeout(resolve, 2500))
  const paths = walked(folder)
  const parse = await best(() =>
    paths.forEach((path) => markdownToMdast(readFileSync(path, 'utf8'))),
  )
  const full = await best(() => build(folder, false))
  const walk = await best(() => walked(folder).forEach((path) => statSync(path)))
  const idle = await best(() => build(folder, true))
  let edit = 0
  const changed = await best(() => {
    edit += 1
    appendFileSync(paths[edit] ?? '', `\n## Added ${edit}\n\nText.\n`)
    return build(folder, true)
  })
  return [
    { what: 'full build', ours: full, beside: 'read and parse', least: parse, aim: 4 },
    { what: 'sync, nothing changed', ours: idle, beside: 'walk and stat', least: walk, aim: 2 },
    {
      what: `sync, one file of ${files} changed`,
      ours: changed,
      beside: 'full build',
      least: full,
      aim: 0.05,
    },
  ]
}

/** Plain: the least that finding all Markdown files can cost. */
function walked(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return entry.name === '_ctx' ? [] : walked(path)
    return entry.name.endsWith('.md') ? [path] : []
  })
}

async function reading(scratch: string): Promise<readonly Row[]> {
  const few = await packOf(join(scratch, 'few'), isSmall ? 100 : 150)
  const many = await packOf(join(scratch, 'many'), isSmall ? 1000 : 21_000)
  console.log(`packs: ${few.chunks} and ${many.chunks} chunks`)
  const fewGet = await best(() => getOne(few))
  const manyGet = await best(() => getOne(many))
  const fewSearch = await best(() => searchOne(few))
  const manySearch = await best(() => searchOne(many))
  const growth = many.chunks / few.chunks
  return [
    { what: 'get by id, large pack', ours: manyGet, beside: 'small pack', least: fewGet, aim: 1.5 },
    {
      what: 'search, large pack',
      ours: manySearch,
      beside: `small pack, ${growth.toFixed(0)} times fewer chunks`,
      least: fewSearch,
      aim: Math.round(growth),
    },
  ]
}

interface BuiltPack {
  readonly paths: { readonly pack: string; readonly database: string }
  readonly chunks: number
  readonly ids: readonly string[]
}

async function packOf(folder: string, files: number): Promise<BuiltPack> {
  writeCorpus(folder, { files, bytesPerFile: 4000 })
  const { segment, chunks } = await build(folder, false)
  const index = openDocsIndex(world().files, segment)
  const ids = (await index.index())
    .filter((_, at) => at % Math.ceil(chunks / 100) === 0)
    .map((it) => it.id)
  await index.close()
  return { paths: segment, chunks, ids }
}

const GETS = 200

async function getOne(pack: BuiltPack): Promise<void> {
  const count = await world().tokens()
  for (let at = 0; at < GETS; at += 1) {
    const index = openDocsIndex(world().files, pack.paths)
    const ids = [pack.ids[at % pack.ids.length] ?? '']
    await getDocs(index, { ids, mode: 'raw', budget: 8000 }, count)
    await index.close()
  }
}

async function searchOne(pack: BuiltPack): Promise<void> {
  const index = openDocsIndex(world().files, pack.paths)
  for (const query of ['kalo mi', 'terran solve', 'estin adcon presol'])
    await searchDocs(index, query, 5)
  await index.close()
}

const WORLD = composeWorld({
  workingFolder: process.cwd(),
  signal: new AbortController().signal,
  progress: SILENT,
  notice: () => undefined,
})

function world(): typeof WORLD {
  return WORLD
}

function build(folder: string, incremental: boolean): ReturnType<typeof buildDocsPack> {
  const request = { segment: folder, repoRoot: folder, dryRun: false, force: false }
  return buildDocsPack(WORLD, { ...request, incremental })
}

async function best(action: () => unknown): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const startedAt = performance.now()
    await action()
    times.push(performance.now() - startedAt)
  }
  return Math.min(...times)
}

await main()
