/** Context packs over MCP: one or many repositories, fresh at every call, and nothing beside them. */
import { rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { CallToolResult, Client } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { realTokens } from '../support/world.ts'
import { folderWith, GUIDE, newFolder, removeFolder, write } from './support/folder.ts'
import { editBerths, HARBOR, harborFolder, reindex } from './support/harbor.ts'
import { codeOf, served, textOf } from './support/mcp.ts'
import { dossier } from './support/program.ts'

let folder = ''

beforeAll(async () => {
  folder = newFolder()
  write(folder, HARBOR)
  await reindex(folder)
})

afterAll(() => removeFolder(folder))

interface Schema {
  readonly properties: Readonly<Record<string, { readonly enum?: readonly string[] }>>
}

interface AboutJson {
  readonly packId: string
  readonly tokens: number
  readonly isStale: boolean
  readonly items: Readonly<Record<string, number>>
}

function call(
  client: Client,
  name: string,
  args: Record<string, unknown>,
): Promise<CallToolResult> {
  return client.callTool({ name, arguments: args })
}

function packOf(result: CallToolResult): string {
  const [first] = result.content
  return first?.type === 'text' ? first.text : ''
}

function aboutOf(result: CallToolResult): AboutJson {
  const { _meta: meta } = result
  return meta?.['dossier/pack'] as AboutJson
}

/** Those on evidence are for others to judge. */
async function packTools(client: Client) {
  const { tools } = await client.listTools()
  return tools.filter((it) => !/evidence|assemble/.test(it.name))
}

describe('PK12 a repository', () => {
  test('PK12 has three tools, whose inputs name no place', async () => {
    const { client, stderr } = await served(folder, ['--repo', '.', '--tools', 'all'])
    const inputs = (await packTools(client)).map(({ name, inputSchema }) => [
      name,
      Object.keys((inputSchema as unknown as Schema).properties).toSorted(),
    ])
    expect(inputs).toEqual([
      [
        'context_pack_create',
        ['diff', 'focus', 'format', 'intent', 'mode', 'query', 'request', 'tokens', 'write'],
      ],
      ['context_pack_get', ['format', 'packId', 'stale']],
      ['index_status', []],
    ])
    expect(client.getInstructions()).toContain('context_pack_create')
    expect(client.getInstructions()).toContain(`# Code: ${basename(folder)}`)
    expect(client.getInstructions()).not.toContain('# Documentation')
    expect(stderr()).toBe('')
  })

  test('PK12 gives a pack as text, with its id and size beside it', async () => {
    const { client } = await served(folder, ['--repo', '.'])
    const args = { query: 'where do ships get a berth', tokens: 500, intent: 'debug' }
    const made = await call(client, 'context_pack_create', args)
    expect(made.isError ?? false, textOf(made)).toBe(false)
    expect(packOf(made)).toMatch(/^# Context: where do ships get a berth\n/)
    expect(packOf(made)).toContain('berthFor')
    const count = await realTokens()
    expect(count(packOf(made))).toBeLessThanOrEqual(500)
    const about = aboutOf(made)
    expect(about).toMatchObject({ tokens: count(packOf(made)), isStale: false })
    expect(textOf(made)).toContain(`packId ${about.packId}`)
    // Hosts that are given structured content show the model nothing else.
    expect(made.structuredContent).toBeUndefined()
    expect(JSON.stringify(made)).not.toContain(folder)
  })

  test('PK16 keeps the cap in every format, and has the whole pack beside the text for programs', async () => {
    const { client } = await served(folder, ['--repo', '.'])
    const args = { query: 'where do ships get a berth', tokens: 500, intent: 'debug' }
    const made = await call(client, 'context_pack_create', args)
    const count = await realTokens()
    const { packId } = aboutOf(made)
    const asked = { ...args, format: 'json' }
    for (const asJson of [
      await call(client, 'context_pack_create', asked),
      await call(client, 'context_pack_get', { packId, format: 'json' }),
    ]) {
      expect(packOf(asJson)).toBe(packOf(made))
      expect(count(packOf(asJson))).toBeLessThanOrEqual(500)
      const stats = { tokens: count(packOf(made)) }
      expect(asJson.structuredContent).toMatchObject({ packId, stats })
      expect(JSON.stringify(asJson)).not.toContain(folder)
    }
  })

  test('PK12 gives the pack again by its id, in another format if wanted', async () => {
    const { client } = await served(folder, ['--repo', '.'])
    const made = await call(client, 'context_pack_create', { query: 'dockShip' })
    const { packId } = aboutOf(made)
    const again = await call(client, 'context_pack_get', { packId })
    expect(packOf(again)).toBe(packOf(made))
    const asXml = await call(client, 'context_pack_get', { packId, format: 'xml' })
    expect(packOf(asXml)).toMatch(/^</)
    const missing = await call(client, 'context_pack_get', { packId: '0'.repeat(64) })
    expect(missing.isError).toBe(true)
    expect(codeOf(missing)).toBe('POC_E_PACK_MISSING')
    expect(textOf(missing)).toContain('make it again with context_pack_create')
    expect(textOf(missing)).not.toContain('`dossier')
    const begun = await call(client, 'context_pack_get', { packId: packId.slice(0, 12) })
    expect(packOf(begun)).toBe(packOf(made))
  })

  test('PK12 gives packs that the command line has kept', async () => {
    const written = await dossier(['context-pack', '-q', 'HarborOffice', '--write'], {
      cwd: folder,
    })
    const { client } = await served(folder, ['--repo', '.'])
    const got = await call(client, 'context_pack_get', { packId: written.stdout.trim() })
    expect(packOf(got)).toContain('class HarborOffice')
  })

  test('PK12 answers dotted names, and lists them where told', async () => {
    const { client } = await served(folder, ['--repo', '.'])
    const made = await call(client, 'context_pack.create', { query: 'dockShip' })
    const { packId } = aboutOf(made)
    expect(packOf(await call(client, 'context_pack.get', { packId }))).toBe(packOf(made))
    const dotted = await served(folder, ['--repo', '.', '--dotted-tool-names'])
    const tools = await packTools(dotted.client)
    expect(tools.map((it) => it.name)).toEqual(['context_pack.create', 'context_pack.get'])
    const plain = await call(dotted.client, 'context_pack_create', { query: 'dockShip' })
    expect(packOf(plain)).toBe(packOf(made))
    await expect(call(client, 'context_pack', {})).rejects.toThrow('not found')
  })

  test('PK12 says what is indexed', async () => {
    const { client } = await served(folder, ['--repo', '.'])
    const status = await call(client, 'index_status', {})
    expect(textOf(status)).toContain('typescript')
    const empty = harborFolder()
    const other = await served(empty, ['--repo', '.'])
    expect(codeOf(await call(other.client, 'index_status', {}))).toBe('POC_E_INDEX_MISSING')
  })
})

describe('PK13 a long-lived server', () => {
  test('PK13 makes the index, sees edits, and tells that a former pack is stale', async () => {
    const live = harborFolder()
    const { client } = await served(live, ['--repo', '.'])
    const first = await call(client, 'context_pack_create', { query: 'berthFor' })
    expect(packOf(first)).toContain('return undefined')
    editBerths(live)
    const second = await call(client, 'context_pack_create', { query: 'berthFor' })
    expect(packOf(second)).toContain("'pier'")
    const { packId } = aboutOf(first)
    const stale = await call(client, 'context_pack_get', { packId })
    expect(codeOf(stale)).toBe('POC_E_PACK_STALE')
    const anyway = await call(client, 'context_pack_get', { packId, stale: true })
    expect(packOf(anyway)).toBe(packOf(first))
    expect(aboutOf(anyway).isStale).toBe(true)
    expect(textOf(anyway)).toContain('older than the files')
  })

  test('PK13 sees what another process has indexed, and an index that was made anew', async () => {
    const live = harborFolder()
    await reindex(live)
    const { client } = await served(live, ['--repo', '.'])
    await call(client, 'context_pack_create', { query: 'berthFor' })
    rmSync(join(live, '.dossier'), { recursive: true })
    editBerths(live)
    const again = await call(client, 'context_pack_create', { query: 'berthFor' })
    expect(packOf(again)).toContain("'pier'")
  })

  test('PK13 answers many calls at once, each as if alone', async () => {
    const { client } = await served(folder, ['--repo', '.'])
    const queries = ['dockShip', 'berthFor', 'HarborOffice', 'ships', 'length', 'south']
    const alone: string[] = []
    for (const query of queries)
      alone.push(packOf(await call(client, 'context_pack_create', { query })))
    const together = await Promise.all(
      queries.map((query) => call(client, 'context_pack_create', { query })),
    )
    expect(together.map(packOf)).toEqual(alone)
  })
})

describe('PK14 places', () => {
  test('PK14 many repositories are chosen by name', async () => {
    const top = folderWith({
      'harbor/a.ts': 'export function dockShip() {}\n',
      'station/b.ts': 'export function stopTrain() {}\n',
    })
    const { client } = await served(top, ['--repo', 'harbor', '--repo', 'station'])
    for (const { inputSchema } of (await client.listTools()).tools) {
      const { properties } = inputSchema as unknown as Schema
      expect(properties['repo']?.enum).toEqual(['harbor', 'station'])
    }
    const args = { query: 'stopTrain dockShip', repo: 'station' }
    const made = await call(client, 'context_pack_create', args)
    expect(packOf(made)).toContain('b.ts')
    expect(packOf(made)).not.toContain('a.ts')
    const wrong = await call(client, 'context_pack_create', { query: 'x', repo: 'elsewhere' })
    expect(codeOf(wrong)).toBe('POC_E_REQUEST_INVALID')
  })

  test('PK14 code and documents are served side by side', async () => {
    const both = folderWith({ 'src/a.ts': HARBOR['src/berths.ts'] ?? '', 'docs/README.md': GUIDE })
    await dossier(['ctx', 'sync', '-s', 'docs'], { cwd: both })
    const { client } = await served(both, ['--repo', '.', '--segment', 'docs'])
    const tools = await packTools(client)
    expect(tools.map((it) => it.name).toSorted()).toEqual([
      'context_pack_create',
      'context_pack_get',
      'get_context',
      'search_context',
    ])
    expect(client.getInstructions()).toContain('# Documentation: docs')
    expect(client.getInstructions()).toContain('# Code: ')
    expect(textOf(await call(client, 'search_context', { query: 'token' }))).toContain('1. Guide')
  })

  test.each([
    ['a repository by path', { query: 'x', repo: '/' }],
    ['a path', { query: 'x', path: '..' }],
    ['another index', { query: 'x', indexRoot: '/tmp' }],
    ['a focus outside', { query: 'x', focus: '../../../etc/passwd' }],
    ['a budget of 0', { query: 'x', tokens: 0 }],
    ['a fraction', { query: 'x', tokens: 1.5 }],
    ['an empty query', { query: ' ' }],
    ['no query', {}],
    ['standard input', { query: '-' }],
    ['too long a query', { query: 'x'.repeat(1_048_577) }],
  ])('PK14 %s is refused with a code', async (_, args) => {
    const { client } = await served(folder, ['--repo', '.'])
    const refused = await call(client, 'context_pack_create', args)
    expect(refused.isError, textOf(refused)).toBe(true)
    expect(codeOf(refused)).toBe('POC_E_REQUEST_INVALID')
    // And the server still answers.
    const fine = await call(client, 'context_pack_create', { query: 'dockShip' })
    expect(packOf(fine)).toContain('src/harbor.ts')
  })
})
