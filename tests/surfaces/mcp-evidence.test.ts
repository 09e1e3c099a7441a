/** Evidence over MCP: an agent picks, orders, asks and assembles, and reaches nothing else. */
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { CallToolResult, Client } from '@modelcontextprotocol/client'
import { describe, expect, test } from 'vitest'
import { FLOW_ID, SCRIPTS, scriptsRepository } from './support/evidence-repository.ts'
import { folderWith, write } from './support/folder.ts'
import { codeOf, served, textOf } from './support/mcp.ts'
import { dossier } from './support/program.ts'

interface Schema {
  readonly required?: readonly string[]
  readonly properties: Readonly<Record<string, { readonly enum?: readonly string[] }>>
}

function call(
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
): Promise<CallToolResult> {
  return client.callTool({ name, arguments: args })
}

/** What a tool said, which must be no error. */
async function said(
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
): Promise<string> {
  const result = await call(client, name, args)
  expect(result.isError ?? false, textOf(result)).toBe(false)
  return textOf(result)
}

/** A server for one repository, with what its client sees of it. */
async function oneServed(env: Readonly<Record<string, string>> = {}) {
  const where = scriptsRepository()
  const flags = ['--repo', '.', '--tools', 'all']
  const { client, stderr } = await served(where.cwd, flags, { ...where.env, ...env })
  return { ...where, client, stderr }
}

const READING = ['ask_evidence', 'evidence_list']
const CHANGING = [
  'assemble_prompt',
  'evidence_add',
  'evidence_focus',
  'evidence_rank',
  'evidence_remove',
  'evidence_toggle',
]

describe('EV18 tools', () => {
  test('M1 are there where a repository is served, and their inputs name no place', async () => {
    const { client, stderr } = await oneServed()
    const { tools } = await client.listTools()
    const ours = tools.filter((it) => /evidence|assemble/.test(it.name))
    expect(ours.map((it) => it.name).toSorted()).toEqual([...READING, ...CHANGING].toSorted())
    const inputs = Object.fromEntries(
      ours.map(({ name, inputSchema }) => [
        name,
        Object.keys((inputSchema as unknown as Schema).properties).toSorted(),
      ]),
    )
    expect(inputs).toEqual({
      ask_evidence: ['limit', 'question'],
      assemble_prompt: ['maxTokens'],
      evidence_add: ['rank', 'selectors'],
      evidence_focus: ['query'],
      evidence_list: ['budget'],
      evidence_rank: ['rank', 'target'],
      evidence_remove: ['targets'],
      evidence_toggle: ['state', 'target'],
    })
    expect(client.getInstructions()).toContain('evidence_add')
    expect(stderr()).toBe('')
  })

  test('M1 say whether they change something, and that nothing is lost by it', async () => {
    const { client } = await oneServed()
    const { tools } = await client.listTools()
    const changing = tools.filter((it) => it.annotations?.readOnlyHint === false)
    expect(changing.map((it) => it.name).toSorted()).toEqual(CHANGING)
    for (const { annotations } of changing) expect(annotations?.destructiveHint).toBe(false)
    const reading = tools.filter((it) => it.annotations?.readOnlyHint === true)
    expect(reading.map((it) => it.name)).toEqual(expect.arrayContaining(READING))
  })

  test('M1 are not there where documents alone are served', async () => {
    const folder = folderWith({ 'docs/README.md': '# Guide\n' })
    await dossier(['ctx', 'sync', '-s', 'docs'], { cwd: folder })
    const { client } = await served(folder, ['--segment', 'docs'])
    const { tools } = await client.listTools()
    expect(tools.map((it) => it.name).toSorted()).toEqual(['get_context', 'search_context'])
  })

  test('EV18 an agent picks, orders, asks, focuses and assembles', async () => {
    const { client, cwd, flow } = await oneServed()
    await dossier(['flow', 'new', 'fix parser'], { cwd, env: { SOURCE_DATE_EPOCH: '1737030896' } })
    const selectors = ['core/error_handler.sh', 'core/flow.sh::1,20#intro', 'symbol:check_token']
    const added = await said(client, 'evidence_add', { selectors })
    expect(added).toContain('✓ Added evidence: 100_error_handler_sh.evidence.md\n')
    expect(added).toContain('✓ Added evidence: 120_check_token.evidence.md\n')
    expect(added).toMatch(/Budget: \d+% of 10000 token limit/)
    expect(added).not.toContain('✓ Flow')
    await said(client, 'evidence_toggle', { target: '110_flow_sh', state: 'off' })
    await said(client, 'evidence_rank', { target: '120', rank: '50' })
    expect(await said(client, 'evidence_list')).toMatch(/\$e1 +\[050\] 050_check_token/)
    const covers = await said(client, 'ask_evidence', { question: 'What covers error handling?' })
    expect(covers).toContain('100_error_handler_sh.evidence.md')
    const missing = await said(client, 'ask_evidence', { question: 'What is missing for auth?' })
    expect(missing).toContain('auth/login.sh::')
    await said(client, 'evidence_focus', { query: 'error handling' })
    expect(await said(client, 'assemble_prompt')).not.toContain('check_token')
    await said(client, 'evidence_focus', { query: 'off' })
    await said(client, 'evidence_remove', { targets: ['110_flow_sh'] })
    const prompt = await call(client, 'assemble_prompt')
    const written = readFileSync(join(flow, 'build/prompt.mdctx'), 'utf8')
    expect(prompt.content[0]).toEqual({ type: 'text', text: written })
    expect(written).toContain(SCRIPTS['core/error_handler.sh'])
    const talk = [added, covers, missing, JSON.stringify(prompt)].join('\n')
    expect(talk, 'where it lies is none of their business').not.toContain(cwd)
  })

  test('EV17 without a flow the first evidence begins one, and all else says so', async () => {
    const { client, cwd } = await oneServed()
    const early = await call(client, 'evidence_list')
    expect(early.isError).toBe(true)
    expect(codeOf(early)).toBe('POC_E_FLOW_MISSING')
    expect(textOf(early)).toContain('evidence_add')
    expect(textOf(early)).not.toContain(cwd)
    const added = await said(client, 'evidence_add', { selectors: ['auth/login.sh'] })
    expect(added).toContain('✓ Flow: agent-20250116T123456\n')
    expect(await said(client, 'evidence_add', { selectors: ['auth/tokens.sh'] })).not.toContain(
      '✓ Flow',
    )
    expect(await said(client, 'assemble_prompt')).toContain('# User Request\n\nAnswer the question')
    expect(readdirSync(join(cwd, '.dossier/flows')).toSorted()).toEqual([
      'agent-20250116T123456',
      'current',
    ])
  })

  test('EV17 a repository that is named is the one that is changed', async () => {
    const folder = folderWith({ 'one/a.md': 'One.\n', 'two/b.md': 'Two.\n' })
    const elsewhere = { FLOW_DIR: join(folder, 'one/.dossier/flows/mine') }
    mkdirSync(join(elsewhere.FLOW_DIR, 'ctx/evidence'), { recursive: true })
    const { client } = await served(
      folder,
      ['--repo', 'one', '--repo', 'two', '--tools', 'all'],
      elsewhere,
    )
    const { tools } = await client.listTools()
    const schema = tools.find((it) => it.name === 'evidence_add')?.inputSchema as unknown as Schema
    expect(schema.properties['repo']?.enum).toEqual(['one', 'two'])
    await said(client, 'evidence_add', { selectors: ['b.md'], repo: 'two' })
    await said(client, 'evidence_add', { selectors: ['a.md'], repo: 'one' })
    expect(await said(client, 'evidence_list', { repo: 'two' })).toContain('100_b_md')
    expect(readdirSync(join(elsewhere.FLOW_DIR, 'ctx/evidence'))).toEqual(['100_a_md.evidence.md'])
  })

  test.each([
    ['a flow by its path', 'evidence_list', { flow: '/tmp' }],
    ['a repository by its path', 'evidence_list', { repo: '/tmp' }],
    ['notes of a workspace', 'evidence_add', { selectors: ['a'], workspace: 'x' }],
    ['a link', 'evidence_add', { selectors: ['a'], link: true }],
    ['nothing', 'evidence_add', {}],
  ])('EV18 %s cannot be asked for', async (_, tool, args) => {
    const { client } = await oneServed()
    const result = await call(client, tool, args)
    expect(result.isError).toBe(true)
    expect(codeOf(result)).toBe('POC_E_REQUEST_INVALID')
  })
})

describe('EV18 a client of a server stays in the repository', () => {
  test('EV18 no path, link or pattern leads out of it, and none to credentials', async () => {
    const { client, cwd } = await oneServed()
    const outside = folderWith({ 'secret.txt': 'do not read me\n' })
    symlinkSync(join(outside, 'secret.txt'), join(cwd, 'core/innocent.txt'))
    write(cwd, { '.env': 'KEY=do not read me\n', 'config/id_rsa': 'do not read me\n' })
    const wrong = [
      join(outside, 'secret.txt'),
      `../${basename(outside)}/secret.txt`,
      `../${basename(outside)}/*`,
      `../${basename(outside)}`,
      `../${basename(outside)}/not-there`,
      'core/innocent.txt',
      '.env',
      'config/id_rsa',
      'note:abc',
    ]
    for (const selector of wrong) {
      const result = await call(client, 'evidence_add', { selectors: [selector] })
      expect(codeOf(result), selector).toBe('POC_E_SELECTOR_INVALID')
      expect(textOf(result)).not.toContain('do not read me')
    }
    // Whether something is there is not to be learned either.
    const there = await call(client, 'evidence_add', { selectors: [wrong[3] ?? ''] })
    const notThere = await call(client, 'evidence_add', { selectors: [wrong[4] ?? ''] })
    expect(textOf(there)).toBe(textOf(notThere))
    expect(await said(client, 'evidence_list')).toContain('Active: 2  Skipped: 0  Total: 2')
  })

  test('EV18 a flow that came with the repository leads nowhere else', async () => {
    const { client, cwd, flow } = await oneServed()
    const outside = folderWith({ 'secret.txt': 'do not read me\n' })
    write(flow, { 'ctx/010_request.user.md': 'Do it.\n', 'ctx/evidence/.keep': '' })
    write(cwd, { '.dossier/flows/current': `${FLOW_ID}\n` })
    for (const name of ['100_a.evidence.link', '110_b.evidence.md']) {
      symlinkSync(join(outside, 'secret.txt'), join(flow, 'ctx/evidence', name))
    }
    for (const [tool, args] of [
      ['assemble_prompt', {}],
      ['evidence_list', {}],
      ['ask_evidence', { question: 'what covers read' }],
      ['evidence_focus', { query: 'read' }],
    ] as const) {
      const result = await call(client, tool, args)
      expect(result.isError, tool).toBe(true)
      expect(textOf(result)).not.toContain('do not read me')
      expect(textOf(result)).not.toContain(outside)
    }
  })

  test('EV18 a flow in use that lies elsewhere is refused', async () => {
    const { client, cwd } = await oneServed()
    const other = folderWith({ '.dossier/flows/theirs/ctx/010_request.user.md': 'Theirs.\n' })
    write(cwd, { '.dossier/flows/current': 'theirs\n' })
    symlinkSync(join(other, '.dossier/flows/theirs'), join(cwd, '.dossier/flows/theirs'))
    expect(codeOf(await call(client, 'evidence_list'))).toBe('POC_E_FLOW_MISSING')
    write(cwd, { '.dossier/flows/current': `../../../${basename(other)}/.dossier/flows/theirs\n` })
    expect(codeOf(await call(client, 'evidence_list'))).toBe('POC_E_FLOW_MISSING')
  })

  test('EV18 a folder that is served is the whole world, whatever lies above it', async () => {
    const folder = folderWith({ '.git/HEAD': '', 'above.txt': 'Above.\n', 'sub/own.txt': 'Own.\n' })
    await dossier(['flow', 'new', 'above'], { cwd: folder })
    const { client } = await served(folder, ['--repo', 'sub', '--tools', 'all'])
    const result = await call(client, 'evidence_add', { selectors: ['../above.txt'] })
    expect(codeOf(result)).toBe('POC_E_SELECTOR_INVALID')
    await said(client, 'evidence_add', { selectors: ['own.txt'] })
    expect(readdirSync(join(folder, 'sub/.dossier/flows'))).toHaveLength(2)
  })
})

describe('M4 in words of clients', () => {
  test('M4 what a tool needs is required, and no description speaks of flags or standard input', async () => {
    const { client } = await oneServed()
    const { tools } = await client.listTools()
    const required = Object.fromEntries(
      tools.map((it) => [it.name, (it.inputSchema as unknown as Schema).required ?? []]),
    )
    expect(required).toMatchObject({
      context_pack_create: ['query'],
      context_pack_get: ['packId'],
      ask_evidence: ['question'],
      evidence_add: ['selectors'],
      index_status: [],
    })
    for (const tool of tools)
      expect(JSON.stringify(tool)).not.toMatch(/--[a-z]|standard input|- reads/)
    const missing = await call(client, 'context_pack_create', { tokens: 500 })
    expect(codeOf(missing)).toBe('POC_E_REQUEST_INVALID')
    expect(textOf(missing)).toContain('query: ')
  })

  test('M4 hints name tools and inputs', async () => {
    const { client } = await oneServed()
    await said(client, 'evidence_add', { selectors: ['core/flow.sh'] })
    const unknown = await call(client, 'evidence_toggle', { target: 'qqqq' })
    expect(textOf(unknown)).toMatch(/see evidence_list$/)
    expect(unknown.structuredContent).toMatchObject({ error: { hint: 'see evidence_list' } })
    const small = await call(client, 'assemble_prompt', { maxTokens: 1 })
    expect(textOf(small)).toContain('give more with maxTokens')
  })

  test('M4 what no tool does is a command for the person', async () => {
    const { client } = await oneServed()
    const none = await call(client, 'index_status', {})
    expect(codeOf(none)).toBe('POC_E_INDEX_MISSING')
    expect(textOf(none)).toContain('`dossier index`; context_pack_create makes one too')
  })

  test('M4 notes, which a client cannot pick, are not offered', async () => {
    const { client } = await oneServed()
    const { tools } = await client.listTools()
    const tool = JSON.stringify(tools.find((it) => it.name === 'evidence_add'))
    expect(tool).toContain('doc:id')
    expect(tool).not.toMatch(/note/i)
  })
})
