/** A running Tana behind a workspace: asked first, and the imported copy where it falters. */
import { describe, expect, test } from 'vitest'
import type { ContextDocument } from '../../src/model/context-document.ts'
import { COMPANY_PROJECT } from '../support/tana-company.ts'
import {
  closedPort,
  PERSONAL_TOKEN,
  startTanaServer,
  type TanaServer,
} from '../support/tana-server.ts'
import { codeOf, served, textOf } from './support/mcp.ts'
import { type Person, person } from './support/person.ts'
import { type ErrorJson, type Finished, json } from './support/program.ts'

const TOKEN = { DOSSIER_TANA_TOKEN: PERSONAL_TOKEN }
const ASK = ['context', COMPANY_PROJECT, '--now', '2026-01-15T12:00:00Z', '--json'] as const

async function withTana(...more: Parameters<typeof startTanaServer>): Promise<{
  readonly it: Person
  readonly tana: TanaServer
}> {
  const it = person({})
  const tana = await startTanaServer(...more)
  const done = await it.runWith(TOKEN, 'notes', 'import', tana.url)
  expect(done.status, done.stderr).toBe(0)
  return { it, tana }
}

function metaOf(done: Finished): ContextDocument['meta'] {
  expect(done.status, `${done.stdout}${done.stderr}`).toBe(0)
  return json<ContextDocument>(done).meta
}

function errorIn(done: Finished): ErrorJson['error'] {
  expect(done.status, done.stdout).not.toBe(0)
  return json<ErrorJson>(done).error
}

describe('NC11 a Tana that runs', () => {
  test('NC11 is imported by its address, and its token is written nowhere', async () => {
    const { it, tana } = await withTana()
    expect(it.config()).toEqual({ workspaces: { main: { source: tana.url, kind: 'local-api' } } })
    const { stdout } = await it.run('notes', 'list')
    expect(stdout).toContain('main (default)  local-api')
    expect(stdout).toMatch(/\d+ notes, \d+ tagged/)
  })

  test('NC11 answers itself while it can, and the document says so', async () => {
    const { it } = await withTana()
    const meta = metaOf(await it.runWith(TOKEN, ...ASK))
    expect(meta.backend).toBe('local-api')
    expect(metaOf(await it.runWith(TOKEN, ...ASK, '--offline')).backend).toBe('sqlite')
  })

  test('NC11 takes the token of the settings where the environment has none', async () => {
    const { it, tana } = await withTana()
    const main = { source: tana.url, kind: 'local-api', token: PERSONAL_TOKEN }
    it.configure({ workspaces: { main } })
    expect(metaOf(await it.run(...ASK)).backend).toBe('local-api')
    // And another import leaves it there.
    await it.run('notes', 'import', tana.url)
    expect(it.config()).toEqual({ workspaces: { main } })
    expect((await it.run('notes', 'sync')).status).toBe(0)
  })

  test('NC11 a token goes to no other address than the one that it was given for', async () => {
    const { it, tana } = await withTana()
    it.configure({
      workspaces: { main: { source: tana.url, kind: 'local-api', token: PERSONAL_TOKEN } },
    })
    const other = await startTanaServer()
    const refused = errorIn(await it.run('notes', 'import', other.url, '--replace', '--json'))
    expect(refused.code).toBe('POC_E_UNAUTHORIZED')
    expect(other.exchanges.some((one) => one.authorization !== undefined)).toBe(false)
    // Nor does it stay where the other address is written down.
    const done = await it.runWith(TOKEN, 'notes', 'import', other.url, '--replace')
    expect(done.status, done.stderr).toBe(0)
    expect(it.config()).toEqual({ workspaces: { main: { source: other.url, kind: 'local-api' } } })
  })
})

describe('NC12 a Tana that falters', () => {
  test('NC12 a closed port: the copy answers for all of it, with a warning', async () => {
    const { it, tana } = await withTana()
    await tana.stop()
    const meta = metaOf(await it.runWith(TOKEN, ...ASK))
    expect(meta.backend).toBe('sqlite')
    expect(meta.warnings?.join(' ')).toMatch(
      /This answer is from the copy of \d{4}-\d\d-\d\d: .*Local API/,
    )
    const told = await it.runWith(TOKEN, 'context', COMPANY_PROJECT)
    expect(told.stdout).toContain('This answer is from the copy of')
  })

  test('NC12 a hiccup in the middle: no document of two minds', async () => {
    let isBroken = false
    const { it, tana } = await withTana({
      fault: (path) => (isBroken && path.includes('/children') ? { status: 503 } : undefined),
    })
    const copy = await it.runWith(TOKEN, ...ASK, '--offline')
    isBroken = true
    const done = await it.runWith(TOKEN, ...ASK)
    const { meta, nodes } = json<ContextDocument>(done)
    expect(tana.exchanges.some((one) => one.status === 503)).toBe(true)
    expect(meta.backend).toBe('sqlite')
    expect(meta.warnings?.join(' ')).toContain('This answer is from the copy of')
    expect(nodes[0]).toEqual(json<ContextDocument>(copy).nodes[0])
  })

  test('NC12 one that is not ready yet is not waited for', async () => {
    const { it, tana } = await withTana()
    await tana.stop()
    const loading = await startTanaServer({ health: { status: 'ok', nodeSpaceReady: false } })
    it.configure({ workspaces: { main: { source: loading.url, kind: 'local-api' } } })
    const meta = metaOf(await it.runWith(TOKEN, ...ASK))
    expect(meta.backend).toBe('sqlite')
    expect(meta.warnings?.join(' ')).toContain('not loaded')
  })

  test('NC12 without a token the copy answers, and says how to do better', async () => {
    const { it } = await withTana()
    const meta = metaOf(await it.run(...ASK))
    expect(meta.backend).toBe('sqlite')
    expect(meta.warnings?.join(' ')).toContain('token')
  })

  test('NC12 a wrong token is an error, not an old answer', async () => {
    const { it } = await withTana()
    const wrong = { DOSSIER_TANA_TOKEN: 'hunter2' }
    const { code, message, hint } = errorIn(await it.runWith(wrong, ...ASK))
    expect(code).toBe('POC_E_UNAUTHORIZED')
    expect(hint).toContain('DOSSIER_TANA_TOKEN')
    expect(message + hint).not.toContain('hunter2')
    const { env, folder } = it
    const { client } = await served(folder, ['--notes'], { ...env, ...wrong })
    const args = { query: COMPANY_PROJECT }
    const refused = await client.callTool({ name: 'tana_context', arguments: args })
    expect(codeOf(refused)).toBe('POC_E_UNAUTHORIZED')
    expect(textOf(refused)).not.toContain('hunter2')
  })

  test('NC12 nobody there and nothing imported: the error itself', async () => {
    const it = person({})
    const source = await closedPort()
    it.configure({ workspaces: { main: { source, kind: 'local-api' } } })
    const { code, message } = errorIn(await it.runWith(TOKEN, ...ASK))
    expect(code).toBe('POC_E_READ_FAILED')
    expect(message).toContain(source)
    const imported = errorIn(await it.runWith(TOKEN, 'notes', 'sync', '--json'))
    expect(imported.code).toBe('POC_E_READ_FAILED')
    expect(errorIn(await it.run(...ASK)).code).toBe('POC_E_UNAUTHORIZED')
  })

  test('NC12 a server answers live, from the copy, and live again, call by call', async () => {
    const { it, tana } = await withTana()
    const { client } = await served(it.folder, ['--notes'], { ...it.env, ...TOKEN })
    const backend = async () => {
      const args = { query: COMPANY_PROJECT, format: 'json' }
      const answer = await client.callTool({ name: 'tana_context', arguments: args })
      return (JSON.parse(textOf(answer)) as ContextDocument).meta.backend
    }
    expect(await backend()).toBe('local-api')
    await tana.stop()
    expect(await backend()).toBe('sqlite')
    await tana.start()
    expect(await backend()).toBe('local-api')
  })
})
