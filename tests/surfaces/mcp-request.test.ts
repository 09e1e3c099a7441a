/** A whole PackRequest over MCP: T12. */
import type { CallToolResult, Client } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ContextPack } from '../../src/model/context-pack.ts'
import { newFolder, removeFolder, write } from './support/folder.ts'
import { HARBOR, reindex } from './support/harbor.ts'
import { codeOf, served, textOf } from './support/mcp.ts'
import { dossier, json } from './support/program.ts'

let folder = ''

beforeAll(async () => {
  folder = newFolder()
  write(folder, HARBOR)
  await reindex(folder)
})

afterAll(() => removeFolder(folder))

async function connect(): Promise<Client> {
  return (await served(folder, ['--repo', '.'])).client
}

function create(client: Client, args: Record<string, unknown>): Promise<CallToolResult> {
  return client.callTool({ name: 'context_pack_create', arguments: args })
}

function packIdOf(result: CallToolResult): string {
  return /packId ([0-9a-f]{64})/.exec(textOf(result))?.[1] ?? textOf(result)
}

async function commandLine(...flags: readonly string[]): Promise<ContextPack> {
  return json<ContextPack>(await dossier(['context-pack', ...flags, '--json'], { cwd: folder }))
}

const WHOLE = {
  query: 'dockShip',
  seedMode: 'code',
  seedProvider: 'sparse',
  intent: 'debug',
  focus: { fileRelPath: 'src/berths.ts', line: 4 },
  expansion: {
    maxHops: 1,
    edgeTypes: ['call', 'export'],
    direction: 'in',
    includeSameFileNeighbors: true,
    includeImports: false,
    includeExports: true,
    includeDataflow: false,
    requireEvidence: true,
    evidenceKinds: ['callsite', 'tooling'],
  },
  budgets: {
    maxTotalChars: 5000,
    maxTotalTokens: 900,
    maxItems: 7,
    maxItemsPerSection: 3,
    maxBytesPerItem: 512,
  },
  ordering: { primary: 'graphDistance', stableTieBreakers: ['chunkUid'] },
  strictness: 'loose',
  includeExplain: false,
  rendering: 'xml',
} as const

const WHOLE_FLAGS = `--query dockShip --mode code --provider sparse --intent debug
  --focus src/berths.ts:4 --hops 1 --edge-types call,export --direction in --same-file
  --require-evidence --evidence-kinds callsite,tooling --max-total-chars 5000 --tokens 900
  --max-items 7 --max-items-per-section 3 --max-bytes-per-item 512 --order-by graphDistance
  --tie-breakers chunkUid --strictness loose --no-envelope --format xml`.split(/\s+/)

describe('T12 a request over MCP', () => {
  test('T12 every field reaches the pack, which is the one of the command line', async () => {
    const client = await connect()
    const made = await create(client, { request: WHOLE, write: true })
    expect(made.isError ?? false, textOf(made)).toBe(false)
    expect(textOf(made)).toMatch(/^<context /)
    const packId = packIdOf(made)
    const kept = await commandLine('--read', '--pack-id', packId)
    expect(kept.request).toMatchObject(WHOLE)
    expect((await commandLine(...WHOLE_FLAGS)).packId).toBe(packId)
  })

  test('T12 inputs and a request go together, and what is not given has its default', async () => {
    const client = await connect()
    const made = await create(client, {
      query: 'dockShip',
      tokens: 700,
      request: { budgets: { maxItems: 5 }, expansion: { maxHops: 3 } },
    })
    const flags = ['-q', 'dockShip', '--tokens', '700', '--max-items', '5', '--hops', '3']
    expect(packIdOf(made)).toBe((await commandLine(...flags)).packId)
  })

  test('T12 a pack is kept only with write', async () => {
    const client = await connect()
    const args = { query: 'HarborOffice receive' }
    const packId = packIdOf(await create(client, args))
    const read = (): Promise<{ status: number | null }> =>
      dossier(['context-pack', '--read', '--pack-id', packId], { cwd: folder })
    expect((await read()).status).not.toBe(0)
    const written = await create(client, { ...args, write: true })
    expect(packIdOf(written)).toBe(packId)
    expect((await read()).status).toBe(0)
  })

  test.each([
    ['an unknown field', { seedMod: 'code' }, 'request has no field seedMod', 'seedMode'],
    ['a nested one', { expansion: { maxHop: 1 } }, 'request.expansion has no', 'maxHops'],
    ['another value', { seedMode: 'all' }, 'request.seedMode', 'code'],
    ['a place', { indexRoot: '/tmp' }, 'request.indexRoot', 'omit it'],
    ['a name', { repoId: 'other' }, 'request.repoId', 'omit it'],
    ['a fraction', { budgets: { maxItems: 1.5 } }, 'maxItems', 'whole number'],
    ['another query', { query: 'other' }, 'request.query', 'once'],
    ['two focuses', { focus: { fileRelPath: 'a', symbolId: 'b' } }, 'focus', 'one'],
    ['a file outside', { focus: { fileRelPath: '../../etc/passwd' } }, 'nothing in', 'index'],
    ['contrary types', { expansion: { edgeTypes: ['import'], includeImports: false } }, 'imp', ''],
  ])('T12 %s in a request is refused', async (_, request, ...parts) => {
    const refused = await create(await connect(), { query: 'dockShip', request })
    expect(refused.isError, textOf(refused)).toBe(true)
    expect(codeOf(refused)).toBe('POC_E_REQUEST_INVALID')
    for (const part of parts) expect(textOf(refused)).toContain(part)
  })

  test.each([
    ['POC_E_BUDGET_EXCEEDED', { strictness: 'strict', expansion: { maxHops: 5 } }],
    ['POC_E_BUDGET_EXCEEDED', { strictness: 'strict', budgets: { maxItems: 251 } }],
    ['POC_E_NOT_SUPPORTED', { seedProvider: 'ann' }],
  ])('T12 %s is the code as on the command line', async (code, request) => {
    const refused = await create(await connect(), { query: 'dockShip', request })
    expect(codeOf(refused), textOf(refused)).toBe(code)
  })

  test('T12 a focus beside one in the request is refused', async () => {
    const request = { focus: { fileRelPath: 'src/berths.ts' } }
    const refused = await create(await connect(), { query: 'x', focus: 'dockShip', request })
    expect(codeOf(refused)).toBe('POC_E_REQUEST_INVALID')
    expect(textOf(refused)).toContain('request.focus')
  })

  test('T12 what the list of tools says of it is short, and names every field', async () => {
    const { tools } = await (await connect()).listTools()
    const tool = tools.find((it) => it.name === 'context_pack_create')
    const said = JSON.stringify(tool?.inputSchema.properties?.['request'])
    expect(said.length).toBeLessThan(900)
    const names = Object.entries(WHOLE).flatMap(([key, value]) =>
      typeof value === 'object' ? [key, ...Object.keys(value)] : [key],
    )
    const missing = names.filter((it) => !said.includes(it))
    expect(missing).toEqual(['query'])
  })
})
