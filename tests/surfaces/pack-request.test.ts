/** What of a request help explains and the command line takes: T13 and T15. */
import { expect, test } from 'vitest'
import type { ContextPack } from '../../src/model/context-pack.ts'
import { EXIT_STATUS } from '../../src/surfaces/cli/exit-status.ts'
import { write } from './support/folder.ts'
import { indexedHarbor, placesOf } from './support/harbor.ts'
import { dossier, json } from './support/program.ts'

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
