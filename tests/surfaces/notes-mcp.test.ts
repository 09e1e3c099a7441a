/** Notes over MCP: which workspaces are offered, and the tool by the names of its contract. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { CallToolResult, Client } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ContextDocument } from '../../src/model/context-document.ts'
import { writeTanaWorkspace } from '../support/tana-workspace.ts'
import { realTokens } from '../support/world.ts'
import { GUIDE, removeFolder, write } from './support/folder.ts'
import { codeOf, served, textOf } from './support/mcp.ts'
import { newPerson, type Person, person } from './support/person.ts'
import { until } from './support/until.ts'

let mara: Person

beforeAll(async () => {
  mara = newPerson()
  await mara.run('notes', 'import', 'vault', '--workspace', 'lamp')
  await mara.run('notes', 'import', writeTanaWorkspace(mara.folder), '--workspace', 'company')
  mara.configure({
    ...(mara.config() as object),
    defaultWorkspace: 'lamp',
    lenses: { brief: { extends: 'general', maxDepth: 1 } },
  })
})

afterAll(() => removeFolder(mara.folder))

interface Schema {
  readonly properties: Readonly<
    Record<string, { readonly enum?: readonly string[]; readonly default?: unknown }>
  >
  readonly required?: readonly string[]
}

function call(client: Client, args: Record<string, unknown>): Promise<CallToolResult> {
  return client.callTool({ name: 'tana_context', arguments: args })
}

async function toolsOf(client: Client): Promise<readonly string[]> {
  return (await client.listTools()).tools.map((it) => it.name).toSorted()
}

/** The code of the folder is served too, where nothing is named. */
const PACK_TOOLS = ['context_pack_create', 'context_pack_get']

describe('NC9 tana_context', () => {
  test('NC9 has the inputs of the contract, and no others', async () => {
    const { client, stderr } = await served(mara.folder, ['--notes'], mara.env)
    const { tools } = await client.listTools()
    expect(tools.map((it) => it.name)).toEqual(['tana_context'])
    const [tool] = tools
    const { properties, required } = (tool?.inputSchema ?? {}) as unknown as Schema
    expect(Object.keys(properties).toSorted()).toEqual([
      'depth',
      'format',
      'includeFields',
      'lens',
      'maxTokens',
      'query',
      'workspace',
    ])
    expect(required).toEqual(['query'])
    expect(properties).toMatchObject({
      depth: { default: 2 },
      maxTokens: { default: 4000 },
      includeFields: { default: true },
      format: { enum: ['markdown', 'json'], default: 'markdown' },
      lens: {
        enum: ['general', 'writing', 'coding', 'planning', 'meeting-prep', 'brief'],
        default: 'general',
      },
      workspace: { enum: ['lamp', 'company'] },
    })
    expect(client.getInstructions()).toContain('tana_context')
    expect(client.getInstructions()).toContain('# Notes: lamp, company')
    expect(stderr()).toBe('')
  })

  test('NC9 answers with the text that the command prints, within its budget', async () => {
    const { client } = await served(mara.folder, ['--notes'], mara.env)
    const args = { query: 'Atlas search engine', workspace: 'company', maxTokens: 900 }
    const answer = await call(client, args)
    expect(answer.isError ?? false, textOf(answer)).toBe(false)
    expect(textOf(answer)).toContain('Atlas search engine')
    const count = await realTokens()
    expect(count(textOf(answer))).toBeLessThanOrEqual(900)
    // Hosts that are given structured content show the model nothing else.
    expect(answer.structuredContent).toBeUndefined()
    expect(JSON.stringify(answer)).not.toContain(mara.folder)
    const asJson = await call(client, { ...args, format: 'json', lens: 'brief' })
    const { meta } = JSON.parse(textOf(asJson)) as ContextDocument
    expect(meta).toMatchObject({ workspace: 'company', lens: 'brief', backend: 'sqlite' })
  })

  test('NC9 asks the default workspace where none is named, at the time of the call', async () => {
    const { client } = await served(mara.folder, ['--notes'], mara.env)
    const ask = async () =>
      JSON.parse(
        textOf(await call(client, { query: 'lamp oil', format: 'json' })),
      ) as ContextDocument
    const first = await ask()
    expect(first.meta.workspace).toBe('lamp')
    await until(
      'an answer has a later time',
      async () => (await ask()).meta.assembledAt > first.meta.assembledAt,
    )
  })

  test('NC9 sees what was imported since', async () => {
    const it = person()
    await it.run('notes', 'import', 'vault')
    const { client } = await served(it.folder, [], it.env)
    expect(textOf(await call(client, { query: 'foghorn' }))).toContain('no notes found')
    write(it.folder, { 'vault/Foghorn.md': '# Foghorn\n\nBlows at night.\n' })
    await it.run('notes', 'sync')
    expect(textOf(await call(client, { query: 'foghorn' }))).toContain('Blows at night')
  })

  test.each([
    ['a path for a workspace', { query: 'x', workspace: '../home/notes/lamp' }],
    ['a workspace that there is not', { query: 'x', workspace: 'nowhere' }],
    ['depth 6', { query: 'x', depth: 6 }],
    ['a lens with a typo', { query: 'x', lens: 'planing' }],
    ['no tokens', { query: 'x', maxTokens: 0 }],
    ['an empty query', { query: ' ' }],
    ['no query', {}],
    ['a time', { query: 'x', now: '2026-01-01T00:00:00Z' }],
  ])('NC9 %s is refused with a code, and the server goes on', async (_, args) => {
    const { client } = await served(mara.folder, ['--notes'], mara.env)
    const refused = await call(client, args)
    expect(refused.isError, textOf(refused)).toBe(true)
    expect(codeOf(refused)).toBe('POC_E_REQUEST_INVALID')
    expect(textOf(await call(client, { query: 'lamp oil' }))).toContain('Lamp oil')
  })
})

describe('NC10 what is offered', () => {
  test('NC10 a server that was told of something else has nothing of the notes', async () => {
    const { client } = await served(mara.folder, ['--repo', '.'], mara.env)
    expect(await toolsOf(client)).not.toContain('tana_context')
    expect(client.getInstructions()).not.toContain('# Notes')
  })

  test('NC10 side by side with code, and only the workspaces that are named', async () => {
    const { client } = await served(mara.folder, ['--repo', '.', '--notes', 'company'], mara.env)
    expect(await toolsOf(client)).toContain('tana_context')
    expect(await toolsOf(client)).toContain('context_pack_create')
    const refused = await call(client, { query: 'lamp oil', workspace: 'lamp' })
    expect(codeOf(refused)).toBe('POC_E_REQUEST_INVALID')
    expect(textOf(await call(client, { query: 'Mara Lindt' }))).toContain('company')
  })

  test('NC10 told nothing, it serves the notes that there are, and documents where there are', async () => {
    const { client, stderr } = await served(mara.folder, [], mara.env)
    expect(await toolsOf(client)).toEqual([...PACK_TOOLS, 'tana_context'])
    expect(stderr()).toBe('')
    const it = person({ 'README.md': GUIDE, 'vault/A.md': '# A\n' })
    await it.run('notes', 'import', 'vault')
    await it.run('ctx', 'sync')
    const both = await served(it.folder, [], it.env)
    expect(await toolsOf(both.client)).toEqual([
      ...PACK_TOOLS,
      'get_context',
      'search_context',
      'tana_context',
    ])
  })

  test('NC10 told nothing, settings that are broken are said and in nobody’s way', async () => {
    const it = person({ 'README.md': GUIDE })
    await it.run('ctx', 'sync')
    it.configure('{')
    const { client, stderr } = await served(it.folder, [], it.env)
    expect(await toolsOf(client)).toEqual([...PACK_TOOLS, 'get_context', 'search_context'])
    expect(stderr()).toContain(it.configFile)
  })

  test('NC10 an alias that there is not keeps it from starting', async () => {
    const done = await mara.run('mcp', '--notes', 'lmap')
    expect(done.status).toBe(2)
    expect(done.stderr).toContain('did you mean lamp?')
    const nobody = person({})
    const none = await nobody.run('mcp', '--notes')
    expect(none.status).toBe(2)
    expect(none.stderr).toContain('dossier notes import')
  })
})

describe('NC14 a long-lived server', () => {
  test('NC14 sees a copy that was made anew, one that is gone, and one that is back', async () => {
    const it = person()
    await it.run('notes', 'import', 'vault')
    const { client } = await served(it.folder, ['--notes'], it.env)
    const ask = () => call(client, { query: 'foghorn' })
    expect(textOf(await ask())).toContain('no notes found')
    rmSync(join(it.folder, 'home', 'notes'), { recursive: true })
    expect(codeOf(await ask())).toBe('POC_E_INDEX_MISSING')
    write(it.folder, { 'vault/Foghorn.md': '# Foghorn\n\nBlows at night.\n' })
    await it.run('notes', 'sync')
    expect(textOf(await ask())).toContain('Blows at night')
  })

  test('NC14 answers many calls at once, each as if alone', async () => {
    const { client } = await served(mara.folder, ['--notes'], mara.env)
    const asked = ['lamp oil', 'Mara', 'Lighthouse', 'bread'].flatMap((query) => [
      { query, workspace: 'lamp', format: 'json' },
      { query, workspace: 'company', format: 'json' },
    ])
    const alone: string[] = []
    for (const args of asked) alone.push(textOf(await call(client, args)))
    const together = await Promise.all(asked.map(async (args) => textOf(await call(client, args))))
    expect(together.map(withoutTime)).toEqual(alone.map(withoutTime))
    expect(new Set(alone).size).toBeGreaterThan(4)
  })
})

function withoutTime(text: string): string {
  return text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '')
}
