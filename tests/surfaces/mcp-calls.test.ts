/** How a client and the server deal with each other: tools, cancelling, progress, structured answers. */
import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Progress } from '@modelcontextprotocol/client'
import { describe, expect, test } from 'vitest'
import type { ContextPack } from '../../src/model/context-pack.ts'
import { realTokens } from '../support/world.ts'
import { folderWith, GUIDE } from './support/folder.ts'
import { harborFolder } from './support/harbor.ts'
import { codeOf, type Served, served, textOf } from './support/mcp.ts'
import { person } from './support/person.ts'
import { dossier } from './support/program.ts'
import { until } from './support/until.ts'

const MOST_CHARACTERS = 3500

async function namesOf({ client }: Served): Promise<readonly string[]> {
  return (await client.listTools()).tools.map((it) => it.name).toSorted()
}

const PACK_TOOLS = ['context_pack_create', 'context_pack_get']

/** Enough work that a client can call it off. */
function largeRepository(): string {
  const files: Record<string, string> = {}
  for (let file = 0; file < 400; file += 1) {
    const functions = Array.from(
      { length: 40 },
      (_, at) => `export function reads${file}x${at}(gauge: number) {\n  return gauge + ${at}\n}\n`,
    )
    files[`src/gauge${file}.ts`] = functions.join('\n')
  }
  return folderWith(files)
}

describe('T19 tools', () => {
  test('T19 those of one repository are two, and take at most 3,500 characters', async () => {
    const { client } = await served(harborFolder(), ['--repo', '.'])
    const { tools } = await client.listTools()
    expect(tools.map((it) => it.name)).toEqual(PACK_TOOLS)
    expect(JSON.stringify(tools).length).toBeLessThanOrEqual(MOST_CHARACTERS)
    for (const it of tools) expect(it.title, it.name).toBeUndefined()
    expect(client.getInstructions()).not.toContain('evidence_add')
  })

  test('T19 those on evidence come with a flow, and all of them where they are wanted', async () => {
    const folder = harborFolder()
    const before = await served(folder, ['--repo', '.'])
    expect(await namesOf(before)).toEqual(PACK_TOOLS)
    await dossier(['flow', 'new', 'berths'], { cwd: folder })
    const after = await namesOf(before)
    expect(after).toContain('evidence_add')
    expect(after).not.toContain('index_status')
    const all = await namesOf(await served(harborFolder(), ['--repo', '.', '--tools', 'all']))
    expect(all).toEqual([...after, 'index_status'].toSorted())
  })

  test('T19 a tool that is not listed is answered', async () => {
    const { client } = await served(harborFolder(), ['--repo', '.'])
    const added = await client.callTool({
      name: 'evidence_add',
      arguments: { selectors: ['README.md'] },
    })
    expect(added.isError ?? false, textOf(added)).toBe(false)
    expect((await client.listTools()).tools.map((it) => it.name)).toContain('evidence_list')
  })
})

describe('T19 what is served', () => {
  test('T19 without options: code and documents of the current folder, and notes', async () => {
    const mara = person({
      'src/lamp.ts': 'export function lightLamp(): void {}\n',
      'handbook/rules.md': GUIDE,
      'vault/Lamp oil.md': '# Lamp oil\n\nTwo barrels a month.\n',
    })
    const bare = await served(mara.folder, [], mara.env)
    expect(await namesOf(bare)).toEqual(PACK_TOOLS)
    expect(bare.client.getInstructions()).toContain(`# Code: ${basename(mara.folder)}`)
    const made = await bare.client.callTool({
      name: 'context_pack_create',
      arguments: { query: 'lightLamp' },
    })
    expect(textOf(made)).toContain('src/lamp.ts')
    await mara.run('ctx', 'build', '--segment', 'handbook')
    await mara.run('notes', 'import', 'vault')
    const full = await served(mara.folder, [], mara.env)
    expect(await namesOf(full)).toEqual([
      ...PACK_TOOLS,
      'get_context',
      'search_context',
      'tana_context',
    ])
    const found = await full.client.callTool({
      name: 'search_context',
      arguments: { query: 'title path' },
    })
    expect(textOf(found)).toContain('handbook/rules.md')
  })

  test.each([
    ['a repository that is missing', '/nonexistent'],
    ['a file', 'README.md'],
  ])('T19 %s is an error with a code', async (_, repo) => {
    const done = await dossier(['mcp', '--repo', repo], { cwd: harborFolder() })
    expect(done.stderr).toContain('POC_E_REQUEST_INVALID')
    expect(done.stderr).toContain(repo)
    expect(done.status).toBe(2)
    expect(done.stdout).toBe('')
  })
})

describe('T19 long calls', () => {
  test('T19 a call that is cancelled stops the work', async () => {
    const folder = largeRepository()
    const { client } = await served(folder, ['--repo', '.'])
    const cancelling = new AbortController()
    const made = client.callTool(
      { name: 'context_pack_create', arguments: { query: 'gauge' } },
      { signal: cancelling.signal },
    )
    const refused = expect(made).rejects.toThrow()
    await until('the index is being made', () => existsSync(join(folder, '.dossier')))
    cancelling.abort()
    await refused
    // Calls on one repository are answered one after the other: this one when the work has ended.
    const next = await client.callTool({
      name: 'context_pack_get',
      arguments: { packId: '0'.repeat(64) },
    })
    expect(codeOf(next), textOf(next)).toBe('POC_E_INDEX_MISSING')
  })

  test('T19 a client that gives a token is told of progress, which only rises', async () => {
    const { client } = await served(largeRepository(), ['--repo', '.'])
    const reports: Progress[] = []
    const made = await client.callTool(
      { name: 'context_pack_create', arguments: { query: 'gauge' } },
      { onprogress: (it) => reports.push(it) },
    )
    expect(made.isError ?? false, textOf(made)).toBe(false)
    expect(reports.map((it) => it.message).join('\n')).toMatch(/reading: \d+ of 400/)
    for (const [at, it] of reports.entries()) {
      expect(it.progress).toBeGreaterThan(reports[at - 1]?.progress ?? 0)
      expect(it.progress).toBeLessThanOrEqual(it.total ?? Number.POSITIVE_INFINITY)
    }
  })
})

describe('T19 structured content', () => {
  test('T19 is the JSON of the pack for a program that asks for it, and the text keeps its cap', async () => {
    const folder = harborFolder()
    const { client } = await served(folder, ['--repo', '.'])
    const args = { query: 'where do ships get a berth', tokens: 500 }
    const call = (more: object) =>
      client.callTool({ name: 'context_pack_create', arguments: { ...args, ...more } })
    const count = await realTokens()
    const [plain, asJson] = [await call({}), await call({ format: 'json' })]
    const pack = asJson.structuredContent as unknown as ContextPack
    expect(pack).toMatchObject({ schema: 'ContextPack', schemaVersion: '1.0.0' })
    expect(pack.sections[0]?.items[0]?.excerpt.text).toContain('berth')
    expect(asJson.content[0]).toEqual(plain.content[0])
    expect(count(textOf({ content: asJson.content.slice(0, 1) }))).toBe(pack.stats.tokens)
    expect(pack.stats.tokens).toBeLessThanOrEqual(500)
    // Hosts that are given structured content may show the model nothing else.
    expect(plain.structuredContent).toBeUndefined()
    expect(JSON.stringify(asJson)).not.toContain(folder)
    const { packId } = pack
    const again = await client.callTool({
      name: 'context_pack_get',
      arguments: { packId, format: 'json' },
    })
    expect(again.structuredContent).toEqual(asJson.structuredContent)
  })
})

describe('T11 arguments by the names of the design', () => {
  test('T11 get_context takes chunk_id, and search_context k', async () => {
    const folder = folderWith({
      'docs/README.md': GUIDE,
      'docs/more.md': '# More\n\nA title path, again.\n',
    })
    await dossier(['ctx', 'build', '-s', 'docs'], { cwd: folder })
    const { client } = await served(folder, ['-s', 'docs'])
    const call = (name: string, args: Record<string, unknown>) =>
      client.callTool({ name, arguments: args })
    const found = await call('search_context', { query: 'title path', k: 1 })
    expect(found.isError ?? false, textOf(found)).toBe(false)
    const ids = [...textOf(found).matchAll(/\[([\w-]+:[0-9a-f]{10})\]/g)].map((it) => it[1])
    expect(ids.length).toBe(1)
    const got = await call('get_context', { chunk_id: ids[0] })
    expect(textOf(got)).toBe(textOf(await call('get_context', { ids })))
    expect(textOf(got)).toContain('title path')
  })

  test('T11 what they cannot mean is refused with a code', async () => {
    const folder = folderWith({ 'README.md': GUIDE })
    await dossier(['ctx', 'build'], { cwd: folder })
    const { client } = await served(folder, ['-s', '.'])
    const refusals: readonly (readonly [string, Record<string, unknown>, string])[] = [
      ['search_context', { query: 'x', k: 0 }, 'limit'],
      ['search_context', { query: 'x', k: 3, limit: 3 }, 'k: is an alias of limit'],
      ['get_context', { chunk_id: '' }, 'ids.0'],
      ['get_context', { chunk_id: 7 }, 'ids.0'],
      ['get_context', { chunk_id: 'a', ids: ['a'] }, 'chunk_id: is an alias of ids'],
      ['get_context', {}, 'ids'],
    ]
    for (const [name, args, said] of refusals) {
      const refused = await client.callTool({ name, arguments: args })
      expect(refused.isError, textOf(refused)).toBe(true)
      expect(codeOf(refused)).toBe('POC_E_REQUEST_INVALID')
      expect(textOf(refused)).toContain(said)
    }
  })
})
