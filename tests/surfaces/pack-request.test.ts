/** What of a request help explains and the command line takes: T13 and T15. */
import { expect, test } from 'vitest'
import type { ContextPack } from '../../src/model/context-pack.ts'
import { EXIT_STATUS } from '../../src/surfaces/cli/exit-status.ts'
import { write } from './support/folder.ts'
import { indexedHarbor, placesOf } from './support/harbor.ts'
import { dossier, json } from './support/program.ts'

const SCALED = ['maxItems', 'maxItemsPerSection', 'maxTotalChars'] as const

test('T13 at every token budget the defaults are those that help names, and the pack shows them', async () => {
  const folder = await indexedHarbor()
  const run = (...args: readonly string[]) => dossier(args, { cwd: folder })
  const help = (await run('context-pack', '--help')).stdout.replaceAll(/\s+/g, ' ')
  expect(help).toContain('Most items (80 up to 8000 tokens, 10 more per 1000 above; 250 at most)')
  const rules = SCALED.map((field) => {
    const flag = field.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    const rule = new RegExp(
      `--${flag} .*?\\((\\d+) up to 8000 tokens, (\\d+(?:\\.\\d+)?) more per 1000 above; (\\d+) at most\\)`,
    )
    const [least = 0, more = 0, most = 0] = (rule.exec(help) ?? []).slice(1).map(Number)
    return { field, least, more, most }
  })
  for (const tokens of [1000, 8000, 12_000, 16_000, 20_000, 100_000]) {
    const args = ['context-pack', '-q', 'dockShip', '--tokens', String(tokens), '--json']
    const { budgets, request } = json<ContextPack>(await run(...args))
    for (const { field, least, more, most } of rules) {
      const above = Math.max(0, tokens - 8000) / 1000
      const named = Math.min(most, Math.round(least + more * above))
      expect([field, tokens, budgets[field]]).toEqual([field, tokens, named])
      expect(request.budgets[field]).toBe(named)
    }
    expect(budgets.maxBytesPerItem).toBe(4096)
  }
})

test('T15 --edge-types export alone follows exports, and help says what fills tests and documents', async () => {
  const folder = await indexedHarbor()
  write(folder, { 'src/index.ts': "export { dockShip } from './harbor'\n" })
  const run = (...args: readonly string[]) => dossier(args, { cwd: folder })
  await run('index')
  const args = ['context-pack', '--focus', 'dockShip', '--edge-types', 'export']
  const pack = json<ContextPack>(await run(...args, '--json'))
  expect(placesOf(pack)).toContain('src/index.ts')
  expect(placesOf(pack)).not.toContain('src/office.ts')
  expect(placesOf(pack)).toContain('tests/harbor.test.ts')
  const help = (await run('context-pack', '--help')).stdout.replaceAll(/\s+/g, ' ')
  expect(help).toContain('Tests and documents of what is found are shown whatever this lists.')
  const refused = await run(...args, '--edge-types', 'import', '--no-imports')
  expect(refused.status).toBe(EXIT_STATUS.POC_E_REQUEST_INVALID)
  expect(refused.stderr).toContain('edgeTypes lists import')
})
