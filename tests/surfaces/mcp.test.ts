/** The MCP server as a client meets it. */
import { spawn } from 'node:child_process'
import { readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadAll } from '../../src/surfaces/operations/table.ts'
import { folderWith, GUIDE, newFolder, packOf, removeFolder, write } from './support/folder.ts'
import { codeOf, served, textOf } from './support/mcp.ts'
import { BIN, dossier, ENVIRONMENT } from './support/program.ts'
import { until } from './support/until.ts'

const OPERATIONS = await loadAll()
const SPECIAL = '# Special\n\nThe marker <|endoftext|> ends a text, and <|im_start|> begins one.\n'

let folder = ''

beforeAll(async () => {
  folder = newFolder()
  write(folder, {
    'docs/README.md': GUIDE,
    'docs/special.md': SPECIAL,
    'handbook/rules.md': '# Rules\n\nAsk before you deploy.\n',
    'private/secret.md': '# Secret\n\nhunter2\n',
  })
  for (const segment of ['docs', 'handbook', 'private']) {
    await dossier(['ctx', 'sync', '-s', segment], { cwd: folder })
  }
})

afterAll(() => removeFolder(folder))

interface Schema {
  readonly properties: Readonly<Record<string, { readonly enum?: readonly string[] }>>
  readonly required?: readonly string[]
}

describe('M1 one segment', () => {
  test('the server names itself, and its instructions carry digest and index', async () => {
    const { client, stderr } = await served(folder, ['-s', 'docs'])
    expect(client.getServerVersion()).toMatchObject({ name: 'dossier', version: '0.1.0' })
    const instructions = client.getInstructions() ?? ''
    expect(instructions).toContain('# Documentation: docs')
    expect(instructions).toContain('## Digest')
    expect(instructions).toContain('- README: Guide')
    expect(instructions).toMatch(/\[README:[0-9a-f]{10}\] Guide → Title path/)
    expect(instructions).toContain('get_context')
    expect(stderr()).toBe('')
  })

  test('C3 the tools are those of the table, without the places and --reveal', async () => {
    const { client } = await served(folder, ['-s', 'docs'])
    const { tools } = await client.listTools()
    const expected = OPERATIONS.flatMap((it) =>
      'segment' in it.input.shape ? (it.tool ?? []) : [],
    )
    expect(tools.map((it) => it.name)).toEqual(expected)
    expect(expected.toSorted()).toEqual(['get_context', 'search_context'])
    for (const tool of tools) {
      const { properties } = tool.inputSchema as unknown as Schema
      const operation = OPERATIONS.find((it) => it.tool === tool.name)
      const places = ['segment', 'repoRoot', 'pack', 'reveal']
      const own = Object.keys(operation?.input.shape ?? {}).filter((it) => !places.includes(it))
      expect(Object.keys(properties).toSorted()).toEqual(own.toSorted())
      expect(tool.description).toBe(operation?.summary)
      expect(tool.annotations).toMatchObject({ readOnlyHint: true })
    }
  })

  test('search gives ids that get reads', async () => {
    const { client } = await served(folder, ['-s', 'docs'])
    const found = await client.callTool({
      name: 'search_context',
      arguments: { query: 'title path' },
    })
    expect(textOf(found)).toContain('1. Guide → Title path')
    const id = /\[(README:[0-9a-f]{10})\]/.exec(textOf(found))?.[1] ?? ''
    const got = await client.callTool({ name: 'get_context', arguments: { ids: [id] } })
    expect(got.isError ?? false).toBe(false)
    expect(textOf(got)).toContain('A title path names a section by the headings above it.')
  })

  test('special tokens are text, in documents and in queries', async () => {
    const { client } = await served(folder, ['-s', 'docs'])
    for (const query of ['<|endoftext|>', '<|im_start|> marker', '" OR * NEAR( :', '\0']) {
      const found = await client.callTool({ name: 'search_context', arguments: { query } })
      expect(found.isError ?? false, query).toBe(false)
    }
    const found = await client.callTool({ name: 'search_context', arguments: { query: 'marker' } })
    const id = /\[(special:[0-9a-f]{10})\]/.exec(textOf(found))?.[1] ?? ''
    const got = await client.callTool({ name: 'get_context', arguments: { ids: [id] } })
    expect(textOf(got)).toContain(SPECIAL.trim())
  })

  test('a pack that is missing at the start is served once it is built', async () => {
    const late = folderWith({ 'docs/README.md': GUIDE })
    const { client, stderr } = await served(late, ['-s', 'docs'])
    expect(client.getInstructions()).toContain('Not available')
    expect(stderr()).toContain('dossier ctx build')
    const call = { name: 'search_context', arguments: { query: 'token' } }
    const before = await client.callTool(call)
    expect(before.isError).toBe(true)
    expect(codeOf(before)).toBe('POC_E_PACK_MISSING')
    await dossier(['ctx', 'build', '-s', 'docs'], { cwd: late })
    const after = await client.callTool(call)
    expect(after.isError ?? false).toBe(false)
    expect(textOf(after)).toContain('1. Guide')
  })

  test('a pack that is rebuilt while serving is seen at once', async () => {
    const live = folderWith({ 'docs/README.md': GUIDE })
    await dossier(['ctx', 'build', '-s', 'docs'], { cwd: live })
    const { client } = await served(live, ['-s', 'docs'])
    const call = { name: 'search_context', arguments: { query: 'walrus' } }
    expect(textOf(await client.callTool(call))).toContain('Nothing found')
    write(live, { 'docs/README.md': `${GUIDE}\n## Walrus\n\nTusks.\n` })
    await dossier(['ctx', 'sync', '-s', 'docs'], { cwd: live })
    expect(textOf(await client.callTool(call))).toContain('Guide → Walrus')
  })
})

describe('M1 M2 many segments', () => {
  test('are offered by name, and each answers for itself', async () => {
    const { client } = await served(folder, ['-s', 'docs', '-s', 'handbook'])
    for (const tool of (await client.listTools()).tools) {
      const { properties, required } = tool.inputSchema as unknown as Schema
      expect(properties['segment']?.enum).toEqual(['docs', 'handbook'])
      expect(properties).not.toHaveProperty('repoRoot')
      expect(properties).not.toHaveProperty('pack')
      expect(required).not.toContain('segment')
      expect(JSON.stringify(properties['segment'])).toContain('(default: docs)')
    }
    expect(client.getInstructions()).toContain('# Documentation: docs')
    expect(client.getInstructions()).toContain('# Documentation: handbook')
    const asked = { query: 'deploy', segment: 'handbook' }
    const found = await client.callTool({ name: 'search_context', arguments: asked })
    expect(textOf(found)).toContain('1. Rules')
  })
})

describe('M2 a client reaches the served segments and nothing else', () => {
  const attempts: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
    ['a segment that is not served', { segment: 'private' }],
    ['a segment by path', { segment: '../private' }],
    ['a repository root', { repoRoot: '/' }],
    ['a pack by path', { pack: 'private/_ctx/context_pack.json' }],
  ]

  test.each(attempts)('%s is refused', async (_, extra) => {
    for (const flags of [
      ['-s', 'docs'],
      ['-s', 'docs', '-s', 'handbook'],
    ]) {
      const { client } = await served(folder, flags)
      const args = { query: 'hunter2', ...extra }
      const refused = await client.callTool({ name: 'search_context', arguments: args })
      expect(refused.isError, textOf(refused)).toBe(true)
      expect(textOf(refused)).not.toContain('Secret')
      expect(codeOf(refused), 'M3').toBe('POC_E_REQUEST_INVALID')
    }
  })

  test('source paths in a pack are never opened', async () => {
    const top = folderWith({ 'root/docs/README.md': GUIDE, 'secret.md': '# Key\n\nhunter2\n' })
    const root = join(top, 'root')
    await dossier(['ctx', 'build', '-s', 'docs'], { cwd: root })
    const pack = packOf(join(root, 'docs'))
    const forged = readFileSync(pack, 'utf8').replaceAll('docs/README.md', '../secret.md')
    writeFileSync(pack, forged)
    const { client } = await served(root, ['-s', 'docs'])
    const id = /"id":"(README:[0-9a-f]{10})"/.exec(forged)?.[1] ?? ''
    const got = await client.callTool({ name: 'get_context', arguments: { ids: [id] } })
    expect(got.isError ?? false).toBe(false)
    expect(textOf(got)).not.toContain('hunter2')
    const query = { query: 'hunter2' }
    const found = await client.callTool({ name: 'search_context', arguments: query })
    expect(textOf(found)).toContain('Nothing found')
  })

  test('a segment, or a pack, that is a link out of the root is refused', async () => {
    const top = folderWith({ 'root/docs/README.md': GUIDE })
    const root = join(top, 'root')
    symlinkSync(join(folder, 'private'), join(root, 'link'))
    symlinkSync(join(folder, 'private', '_ctx'), join(root, 'docs', '_ctx'))
    for (const segment of ['link', 'docs']) {
      const { client } = await served(root, ['-s', segment])
      expect(client.getInstructions(), segment).not.toContain('Secret')
      const args = { query: 'hunter2' }
      const refused = await client.callTool({ name: 'search_context', arguments: args })
      expect(textOf(refused), segment).not.toContain('hunter2')
      expect(refused.isError, segment).toBe(true)
    }
  })
})

describe('M3 errors', () => {
  test('carry code, sentence and hint', async () => {
    const { client } = await served(folder, ['-s', 'docs'])
    const ids = ['README:0000000000']
    const unknown = await client.callTool({ name: 'get_context', arguments: { ids } })
    expect(unknown).toMatchObject({
      isError: true,
      structuredContent: {
        error: {
          code: 'POC_E_CHUNK_UNKNOWN',
          message: expect.stringContaining('README:0000000000'),
          hint: expect.stringContaining('did you mean README:'),
        },
      },
    })
    expect(textOf(unknown)).toContain('POC_E_CHUNK_UNKNOWN')
  })

  test.each([
    ['get_context', { ids: ['README:0000000000'], budget: 0 }],
    ['get_context', { ids: [] }],
    ['get_context', { ids: ['x'], mode: 'everything' }],
    ['search_context', { query: ' ' }],
    ['search_context', { query: 'x', limit: 1.5 }],
    ['search_context', {}],
  ])('an argument of %s that is not valid has a code: %j', async (name, args) => {
    const { client } = await served(folder, ['-s', 'docs'])
    const refused = await client.callTool({ name, arguments: args })
    expect(refused.isError).toBe(true)
    expect(codeOf(refused)).toBe('POC_E_REQUEST_INVALID')
  })

  test('TX5 an unknown id beside a known one: the text of one, the code of the other', async () => {
    const { client } = await served(folder, ['-s', 'docs'])
    const known = /\[(README:[0-9a-f]{10})\]/.exec(client.getInstructions() ?? '')?.[1] ?? ''
    const ids = [known, 'README:0000000000']
    const got = await client.callTool({ name: 'get_context', arguments: { ids } })
    expect(textOf(got)).toContain('token budget')
    expect(textOf(got)).toContain('POC_E_CHUNK_UNKNOWN')
    expect(codeOf(got)).toBe('POC_E_CHUNK_UNKNOWN')
  })

  test('a damaged database is a notice on stderr, never an error', async () => {
    const damaged = folderWith({ 'docs/README.md': GUIDE })
    await dossier(['ctx', 'build', '-s', 'docs'], { cwd: damaged })
    writeFileSync(join(damaged, 'docs', '_ctx', 'context.db'), 'junk')
    const { client, stderr } = await served(damaged, ['-s', 'docs'])
    const args = { query: 'token' }
    const found = await client.callTool({ name: 'search_context', arguments: args })
    expect(found.isError ?? false).toBe(false)
    expect(stderr()).toContain('context.db cannot be read')
  })
})

describe('M1 the process', () => {
  test('ends with status 0 when the client closes its end', async () => {
    const { client, transport } = await served(folder, ['-s', 'docs'])
    const pid = transport.pid ?? 0
    expect(isAlive(pid)).toBe(true)
    await client.close()
    await until('the server has gone', () => !isAlive(pid))
  })

  test('writes nothing but JSON-RPC to stdout, whatever it is sent', async () => {
    const late = folderWith({ 'docs/README.md': GUIDE })
    const child = spawn(process.execPath, [BIN, 'mcp', '-s', 'docs'], {
      cwd: late,
      env: { ...ENVIRONMENT },
    })
    const out: Buffer[] = []
    child.stdout.on('data', (bytes: Buffer) => out.push(bytes))
    const lines = (): readonly string[] =>
      Buffer.concat(out).toString('utf8').split('\n').slice(0, -1)
    const send = (message: object): boolean =>
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
    const clientInfo = { name: 'raw', version: '1' }
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }
    send({ id: 1, method: 'initialize', params })
    await until('it has answered', () => lines().length >= 1)
    send({ method: 'notifications/initialized' })
    child.stdin.write('this is no JSON\n{"jsonrpc": "1.0"}\n\n')
    const search = { name: 'search_context', arguments: { query: 'token' } }
    send({ id: 2, method: 'tools/call', params: search })
    await until('the call is answered', () => lines().some((it) => it.includes('"id":2')))
    const closed = new Promise((resolve) => {
      child.once('close', (status) => resolve(status))
    })
    child.stdin.end()
    expect(await closed).toBe(0)
    for (const line of lines()) {
      expect(JSON.parse(line), line).toMatchObject({ jsonrpc: '2.0' })
    }
  })

  test('starts where the documents are not yet, and says so', async () => {
    const empty = folderWith({ 'README.md': GUIDE })
    rmSync(join(empty, 'README.md'))
    const { client } = await served(empty, ['-s', 'docs'])
    expect(client.getInstructions()).toContain('Not available')
    const args = { query: 'x' }
    const refused = await client.callTool({ name: 'search_context', arguments: args })
    expect(codeOf(refused)).toBe('POC_E_SEGMENT_MISSING')
  })
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
