/**
 * How many answers of the MCP server are stale right after an edit: code, documents and notes.
 *
 *     node bench/freshness.ts [--pairs <count>] [--seed <number>]
 *
 * Ends with status 1 where any is.
 */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { runChild } from './code/child.ts'
import { EDITS, editAndAsk, type Pair, writePlaces } from './freshness/pairs.ts'
import { PLACES } from './freshness/places.ts'

const { values } = parseArgs({
  options: {
    pairs: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
  },
})

const MAIN = join(import.meta.dirname, '..', 'src', 'main.ts')

await main()

async function main(): Promise<void> {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'dossier-freshness-')))
  const client = new Client({ name: 'freshness', version: '1.0.0' })
  try {
    writePlaces(top)
    process.env['DOSSIER_HOME'] = join(top, 'home')
    await run(top, 'ctx', 'build', '--repo-root', 'repo', '--segment', 'docs')
    await run(top, 'notes', 'import', 'vault')
    const flags = ['--repo', 'repo', '--repo-root', 'repo', '--segment', 'docs', '--notes']
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [MAIN, 'mcp', ...flags],
        cwd: top,
        env: { PATH: process.env['PATH'] ?? '', DOSSIER_HOME: join(top, 'home') },
      }),
    )
    const pairs = Number(values.pairs)
    print(await editAndAsk({ client, top, pairs, seed: Number(values.seed) }))
  } finally {
    await client.close()
    rmSync(top, { recursive: true, force: true })
  }
}

async function run(cwd: string, ...args: readonly string[]): Promise<void> {
  const { end, stderr } = await runChild([process.execPath, MAIN, ...args], { cwd })
  if (end !== 0) throw new Error(stderr)
}

function print(pairs: readonly Pair[]): void {
  console.log(['', ...EDITS].map((it) => it.padStart(11)).join(' '))
  for (const { name } of PLACES) {
    const counts = EDITS.map((edit) => {
      const own = pairs.filter((it) => it.place === name && it.edit === edit)
      return `${own.filter((it) => it.stale !== undefined).length} of ${own.length}`
    })
    console.log([name, ...counts].map((it) => it.padStart(11)).join(' '))
  }
  const stale = pairs.filter((it) => it.stale !== undefined)
  for (const it of stale.slice(0, 10)) console.log(`  ${it.place}, ${it.edit}: ${it.stale}`)
  console.log(`\nstale answers: ${stale.length} of ${pairs.length}`)
  process.exitCode = stale.length === 0 ? 0 : 1
}
