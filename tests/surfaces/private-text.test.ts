/** T3: likely secrets are redacted in everything that is handed out, and patterns pick no credentials. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from '@modelcontextprotocol/client'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { ContextPlan } from '../../src/model/evidence.ts'
import { newFolder, removeFolder, write } from './support/folder.ts'
import { served, textOf } from './support/mcp.ts'
import { person } from './support/person.ts'
import { dossier, type Finished, json, type RunOptions } from './support/program.ts'

// Put together here, so that no scanner takes this file for a leak.
const TOKEN = ['gh', 'p_', 'q7Zt3VbN8xKf2LwR9mYc4HsD6jGp1TaE5uBo'].join('')
const PASSWORD = ['xK7', 'qLm2', '!vR'].join('')
const KEY_LINE = 'MIIEpAIBAAKCAQEAq7Zt3VbN8xKf2LwR9mYc4HsD6jGp1TaE5uBo0iQkWe7Zr3'
const KEY = `-----BEGIN RSA ${'PRIVATE'} KEY-----\n${KEY_LINE}\n${KEY_LINE}\n-----END RSA ${'PRIVATE'} KEY-----\n`
const SECRETS = [TOKEN, PASSWORD, KEY_LINE]

const FILES: Readonly<Record<string, string>> = {
  'deploy.yml': `harbor:\n  password: ${PASSWORD}\n${KEY}# The harbor closes at night.\n  token: ${TOKEN}\n`,
  'src/harbor.ts': 'export const harbor = 1\n',
  '.env': `HARBOR_TOKEN=${TOKEN}\n`,
  'keys/id_rsa': KEY,
  'docs/setup.md': `# Setup\n\nThe harbor opens with ${TOKEN} in the morning.\n\n## Night with ${TOKEN}\n\npassword: ${PASSWORD}\n`,
  'docs/keys.md': `# Harbor keys\n\n${KEY}\nThe lamp is lit at dusk.\n`,
}

function expectNone(text: string): void {
  for (const secret of SECRETS) expect(text).not.toContain(secret)
}

async function ok(args: readonly string[], where: RunOptions): Promise<Finished> {
  const done = await dossier(args, where)
  expect(done.status, `${args.join(' ')}: ${done.stderr}${done.stdout}`).toBe(0)
  return done
}

/** A new repository, with a flow in it that has `deploy.yml` as evidence. */
async function repository(): Promise<RunOptions> {
  const cwd = newFolder()
  onTestFinished(() => removeFolder(cwd))
  write(cwd, FILES)
  const where = { cwd, env: { SOURCE_DATE_EPOCH: '1737030896' } }
  await ok(['flow', 'new', 'harbor', '--request', `Why does ${TOKEN} fail?`], where)
  await ok(['evidence', 'add', 'deploy.yml'], where)
  return where
}

function promptFile({ cwd }: RunOptions): string {
  return readFileSync(join(cwd, '.dossier/flows/harbor-20250116T123456/build/prompt.mdctx'), 'utf8')
}

describe('T3 evidence', () => {
  test('T3 an assembled prompt is redacted, printed and as a file; --reveal shows it', async () => {
    const where = await repository()
    const told = await ok(['assemble'], where)
    expect(told.stdout).toContain('Redacted: 4 likely secrets')
    expectNone(promptFile(where))
    expect(promptFile(where)).toContain('  password: [redacted]\n')
    const plan = json<ContextPlan>(await ok(['assemble', '--json'], where))
    expect(plan.redacted).toBe(4)
    const digest = createHash('sha256').update(promptFile(where)).digest('hex')
    expect(plan.ctx_digest).toBe(`sha256:${digest}`)

    const printed = await ok(['assemble', '--print'], where)
    expectNone(printed.stdout)
    expect(printed.stderr).toContain('4 likely secrets are redacted; --reveal shows them')
    const revealed = await ok(['assemble', '--print', '--reveal'], where)
    for (const secret of SECRETS) expect(revealed.stdout).toContain(secret)
    expect(revealed.stderr).toBe('')
    expect(promptFile(where)).toContain(TOKEN)
  })

  test('T3 a linked file is redacted like a copied one', async () => {
    const where = await repository()
    await ok(['evidence', 'remove', '100'], where)
    await ok(['evidence', 'add', 'deploy.yml', '--link'], where)
    const printed = await ok(['assemble', '--print'], where)
    expectNone(printed.stdout)
    expect(printed.stdout).toContain('[redacted]')
  })

  test('T3 a request to a model is redacted', async () => {
    const where = await repository()
    for (const api of ['anthropic', 'openai']) {
      const env = { ...where.env, ANTHROPIC_API_KEY: 'none', OPENAI_API_KEY: 'none' }
      const request = ['submit', '--dry-run', '--api', api]
      const done = await ok(request, { ...where, env })
      expectNone(done.stdout)
      expect(done.stderr).toContain('4 likely secrets are redacted')
      expect((await ok([...request, '--reveal'], { ...where, env })).stdout).toContain(TOKEN)
    }
  })

  test('T3 answers about evidence quote it redacted, at the lines where it is', async () => {
    const where = await repository()
    const asked = ['ask', 'what covers harbor token at night']
    const done = await ok(asked, where)
    expectNone(done.stdout)
    expect(done.stdout).toMatch(/ 12 {2}.*token: \[redacted\]/)
    expect((await ok([...asked, '--reveal'], where)).stdout).toContain(TOKEN)
  })

  test('T3 a diff shows that a secret changed, and not what it is', async () => {
    const where = await repository()
    const other = TOKEN.replace('q7Zt', 'w2Rk')
    const night = 'The harbor closes at dusk.'
    const text = `${FILES['deploy.yml']}`
    write(where.cwd, { 'deploy.yml': text.replace(TOKEN, other).replace(/The harbor.*/, night) })
    for (const command of ['diff', 'refresh']) {
      const done = await dossier(['evidence', command], where)
      expectNone(done.stdout)
      expect(done.stdout).not.toContain(other)
      expect(done.stdout).toContain('-  token: [redacted]\n')
      expect(done.stdout).toContain('+  token: [redacted]\n')
      expect(done.stdout).toContain(`+# ${night}`)
      expect(done.stderr).toContain('redacted; --reveal shows')
      expectNone((await dossier(['evidence', 'diff', '--json'], where)).stdout)
    }
    write(where.cwd, { 'deploy.yml': text })
    expect((await dossier(['evidence', 'diff', '--reveal'], where)).stdout).toContain(
      `+  token: ${TOKEN}`,
    )
  })

  test('T3 what is stored keeps its text: secrets added again are as they were', async () => {
    const where = await repository()
    expect((await ok(['evidence', 'add', 'deploy.yml'], where)).stdout).not.toContain('changed')
    await ok(['evidence', 'add', 'deploy.yml#night', 'deploy.yml::2,2'], where)
    write(where.cwd, { 'deploy.yml': `# One line more.\n${FILES['deploy.yml']}` })
    const moved = await ok(['evidence', 'refresh', '110'], where)
    expect(moved.stdout).toContain('Range: lines=2:2 → lines=3:3')
    const revealed = await ok(['assemble', '--print', '--reveal'], where)
    for (const secret of SECRETS) expect(revealed.stdout).toContain(secret)
  })

  test('T3 no pattern takes in credentials; an exact name does', async () => {
    const where = await repository()
    const done = await ok(['evidence', 'add', '**/*'], where)
    expect(done.stderr).toContain('.env')
    expect(done.stderr).toContain('keys/id_rsa')
    const list = await ok(['evidence', 'list', '--json'], where)
    expect(list.stdout).toContain('harbor.ts')
    expect(list.stdout).not.toMatch(/\.env|id_rsa/)
    const only = await dossier(['evidence', 'add', 'keys/*'], where)
    expect(only.status).not.toBe(0)
    expect(only.stderr).toContain('keys/id_rsa')
    await ok(['evidence', 'add', '.env', 'keys/id_rsa'], where)
    expect((await ok(['evidence', 'list', '--json'], where)).stdout).toMatch(/\.env[\s\S]*id_rsa/)
    expectNone((await ok(['assemble', '--print'], where)).stdout)
  })
})

describe('T3 documents and notes', () => {
  test('T3 sections, previews and the block for a prompt are redacted', async () => {
    const where = await repository()
    await ok(['ctx', 'build', '-s', 'docs'], where)
    const search = ['ctx', 'search', '-s', 'docs', '-q', 'harbor opens morning']
    const found = json<{ hits: readonly { id: string }[] }>(await ok([...search, '--json'], where))
    const ids = found.hits.map((it) => it.id).join(',')
    const commands = [
      search,
      [...search, '--json'],
      ['ctx', 'prompt', '-s', 'docs'],
      ...['raw', 'excerpt', 'skeleton'].map((mode) => [
        'ctx',
        'get',
        '-s',
        'docs',
        '-i',
        ids,
        '-m',
        mode,
      ]),
      ['ctx', 'get', '-s', 'docs', '-i', ids, '--json'],
    ]
    for (const command of commands) {
      const done = await ok(command, where)
      expectNone(done.stdout)
      expect(done.stdout).toContain('[redacted]')
      expect(done.stderr).toContain('redacted; --reveal shows')
      const revealed = await ok([...command, '--reveal'], where)
      expect(revealed.stdout).toContain(TOKEN)
      expect(revealed.stderr).toBe('')
    }
  })

  test('T3 notes are redacted, their fields by their names', async () => {
    const mara = person({
      'vault/Harbor.md': `---\napi key: ${TOKEN.slice(4)}\n---\n# Harbor\n\nOpens with ${TOKEN}.\n\nSee [[Lamp]].\n`,
      'vault/Lamp.md': `# Lamp\n\npassword: ${PASSWORD}\n`,
    })
    expect((await mara.run('notes', 'import', 'vault', '--workspace', 'lamp')).status).toBe(0)
    for (const format of ['markdown', 'json']) {
      const done = await mara.run('context', 'Harbor', '--format', format)
      expectNone(done.stdout)
      expect(done.stdout).not.toContain(TOKEN.slice(4))
      expect(done.stdout).toContain('[redacted]')
      expect(done.stderr).toContain('3 likely secrets are redacted; --reveal shows them')
      const revealed = await mara.run('context', 'Harbor', '--format', format, '--reveal')
      expect(revealed.stdout).toContain(TOKEN)
      expect(revealed.stdout).toContain(PASSWORD)
    }
    const { client } = await served(mara.folder, ['--notes'], mara.env)
    const said = await client.callTool({ name: 'tana_context', arguments: { query: 'Harbor' } })
    expect(textOf(said)).toContain('[redacted]')
    expectNone(JSON.stringify(said))
  })
})

describe('T3 outlines of notes', () => {
  const EXPORT = JSON.stringify({
    version: 'TanaIntermediateFile V0.1',
    summary: {
      leafNodes: 0,
      topLevelNodes: 1,
      totalNodes: 9,
      calendarNodes: 0,
      fields: 0,
      brokenRefs: 0,
    },
    nodes: [
      note('Harbor', [
        note(`The gate opens with ${TOKEN} at dawn`, [note(`password: ${PASSWORD}`)]),
        ...KEY.trimEnd()
          .split('\n')
          .map((it) => note(it)),
        note(`${'It is a long line, which is a paragraph and no title. '.repeat(90)}${TOKEN}`),
      ]),
    ],
    supertags: [],
    attributes: [],
  })

  test.each(['4000', '600'])(
    'T3 lines below a note are redacted within %s tokens',
    async (most) => {
      const mara = person({ 'harbor.json': EXPORT })
      const imported = await mara.run('notes', 'import', 'harbor.json', '--workspace', 'lamp')
      expect(imported.status, imported.stderr).toBe(0)
      for (const format of ['markdown', 'json']) {
        const asked = ['context', 'Harbor', '--format', format, '--max-tokens', most]
        const done = await mara.run(...asked)
        expect(done.stdout).toContain('The gate opens with [redacted] at dawn')
        expectNone(done.stdout)
        expect(done.stderr).toContain('4 likely secrets are redacted; --reveal shows them')
        expect((await mara.run(...asked, '--reveal')).stdout).toContain(TOKEN)
      }
      const { client } = await served(mara.folder, ['--notes'], mara.env)
      const args = { query: 'Harbor', maxTokens: Number(most) }
      const said = await client.callTool({ name: 'tana_context', arguments: args })
      expect(textOf(said)).toContain('The gate opens with [redacted] at dawn')
      expectNone(JSON.stringify(said))
    },
  )
})

let notes = 0

function note(name: string, children: readonly object[] = []): object {
  notes += 1
  const time = 1_700_000_000_000
  return { uid: `n${notes}`, name, createdAt: time, editedAt: time, type: 'node', children }
}

describe('T3 over MCP', () => {
  let where: RunOptions
  let client: Client

  beforeAll(() => {
    where = { cwd: newFolder(), env: {} }
    write(where.cwd, FILES)
    return () => removeFolder(where.cwd)
  })

  async function all(name: string, args: Record<string, unknown>): Promise<string> {
    const result = await client.callTool({ name, arguments: args })
    expect(result.isError ?? false, textOf(result)).toBe(false)
    return JSON.stringify(result)
  }

  test('T3 no answer of a tool holds a secret, and no client can ask for one', async () => {
    await ok(['ctx', 'build', '-s', 'docs'], where)
    ;({ client } = await served(where.cwd, ['--repo', '.', '--segment', 'docs']))
    expectNone(client.getInstructions() ?? '')
    await all('evidence_add', { selectors: ['*.yml', 'docs/*.md', '{src,keys}/*'] })
    const found = await client.callTool({ name: 'search_context', arguments: { query: 'harbor' } })
    const ids = [...textOf(found).matchAll(/\[([\w-]+:[0-9a-f]{10})\]/g)].map(([, id]) => id)
    expect(ids.length).toBeGreaterThan(1)
    const answers = [
      JSON.stringify(found),
      await all('get_context', { ids }),
      await all('assemble_prompt', {}),
      await all('ask_evidence', { question: 'what covers the harbor token' }),
      await all('evidence_list', {}),
    ]
    for (const answer of answers) expectNone(answer)
    expect(answers[1]).toContain('[redacted]')
    expect(answers[2]).toMatch(/\d+ likely secrets redacted/)
    const { tools } = await client.listTools()
    for (const { inputSchema } of tools) {
      expect(Object.keys(inputSchema.properties ?? {})).not.toContain('reveal')
    }
    const refused = await client.callTool({
      name: 'get_context',
      arguments: { ids, reveal: true },
    })
    expect(refused.isError).toBe(true)
  })
})
