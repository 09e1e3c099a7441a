/** T8: a flow that came with a clone leads nowhere out of the repository, whatever its links say. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { folderWith, write } from './support/folder.ts'
import { codeOf, served, textOf } from './support/mcp.ts'
import { dossier, type Finished } from './support/program.ts'

const TEXT = 'What lies outside is private.'

interface Clone {
  readonly cwd: string
  readonly flow: string
  readonly outside: string
  run(...args: readonly string[]): Promise<Finished>
}

/** A repository that comes with a flow, and a folder outside of it with a whole flow and a file. */
function clone(): Clone {
  const outside = folderWith({
    'private.txt': `${TEXT}\n`,
    'theirs/ctx/010_request.user.md': `${TEXT}\n`,
    'theirs/ctx/evidence/100_private_txt.evidence.md': `${TEXT}\n`,
    'theirs/build/prompt.mdctx': `${TEXT}\n`,
  })
  const cwd = folderWith({
    '.git/HEAD': '',
    'own.txt': 'Own text.\n',
    '.dossier/flows/current': 'task\n',
    '.dossier/flows/task/ctx/010_request.user.md': 'Do it.\n',
    '.dossier/flows/task/ctx/evidence/100_own_txt.evidence.md': 'Own evidence.\n',
  })
  const run = (...args: readonly string[]) => dossier(args, { cwd })
  return { cwd, flow: join(cwd, '.dossier/flows/task'), outside, run }
}

function link(target: string, path: string): void {
  rmSync(path, { recursive: true, force: true })
  mkdirSync(dirname(path), { recursive: true })
  symlinkSync(target, path)
}

/** By what is linked, relative to the flow and to the folder outside. */
const LINKS: readonly (readonly [string, string])[] = [
  ['ctx/evidence/110_a.evidence.link', 'private.txt'],
  ['ctx/evidence/110_a.evidence.md', 'private.txt'],
  ['ctx/evidence/110_a.evidence.md.skip', 'private.txt'],
  ['ctx/000_policy.system.md', 'private.txt'],
  ['ctx/evidence', 'theirs/ctx/evidence'],
  ['ctx', 'theirs/ctx'],
  ['build', 'theirs/build'],
  ['focus.json', 'private.txt'],
  ['sources', 'theirs'],
  ['sources/sha256-00.lines', 'private.txt'],
  ['.', 'theirs'],
  ['..', '.'],
  ['../..', '.'],
]

const COMMANDS: readonly (readonly string[])[] = [
  ['assemble', '--print'],
  ['evidence', 'list'],
  ['evidence', 'plan'],
  ['evidence', 'budget'],
  ['evidence', 'diff'],
  ['evidence', 'add', 'own.txt'],
  ['submit', '--dry-run', '--api', 'openai'],
  ['ask', 'what covers private'],
]

describe('T8 a link out of the repository', () => {
  test.each(LINKS)('T8 %s is refused', async (path, target) => {
    const { cwd, flow, outside, run } = clone()
    if (path === '..')
      write(outside, { 'task/ctx/010_request.user.md': `${TEXT}\n`, current: 'task' })
    if (path === '../..')
      write(outside, { 'flows/task/ctx/010_request.user.md': `${TEXT}\n`, 'flows/current': 'task' })
    link(join(outside, target), join(flow, path))
    const before = readdirSync(outside, { recursive: true })
    const done = await run('assemble', '--print')
    expect(done.status, done.stdout).not.toBe(0)
    expect(done.stdout + done.stderr).not.toContain(TEXT)
    expect(done.stderr).toContain('outside of the repository')
    expect(readdirSync(outside, { recursive: true })).toEqual(before)
    expect(readFileSync(join(outside, 'theirs/build/prompt.mdctx'), 'utf8')).toBe(`${TEXT}\n`)
    const { client } = await served(cwd, ['--repo', '.'])
    const said = await client.callTool({ name: 'assemble_prompt', arguments: {} })
    expect(said.isError, textOf(said)).toBe(true)
    expect(textOf(said)).not.toContain(outside)
    expect(codeOf(said)).toMatch(/^POC_E_/)
  })

  test('T8 every command that reads a flow refuses it', async () => {
    const { flow, outside, run } = clone()
    link(join(outside, 'private.txt'), join(flow, 'ctx/evidence/110_a.evidence.md'))
    for (const command of COMMANDS) {
      const done = await run(...command)
      expect(done.status, command.join(' ')).not.toBe(0)
      expect(done.stdout + done.stderr).not.toContain(TEXT)
      expect(done.stderr).toContain('ctx/evidence/110_a.evidence.md')
    }
    expect((await run('flow', 'list')).stdout).toBe('* task\n')
  })

  test('T8 --follow-links reads it, and links inside of the repository need none', async () => {
    const { cwd, flow, outside, run } = clone()
    link(join(cwd, 'own.txt'), join(flow, 'ctx/evidence/110_a.evidence.link'))
    expect((await run('assemble', '--print')).stdout).toContain('Own text.')
    link(join(outside, 'private.txt'), join(flow, 'ctx/evidence/120_b.evidence.link'))
    expect((await run('assemble', '--print', '--follow-links')).stdout).toContain(TEXT)
    expect((await run('evidence', 'remove', '120', '--follow-links')).status).toBe(0)
    expect((await run('assemble', '--print')).status).toBe(0)
  })

  test('T8 a link out of it is made only where it is meant', async () => {
    const { flow, outside, run } = clone()
    const path = join(outside, 'private.txt')
    const refused = await run('evidence', 'add', path, '--link')
    expect(refused.status).not.toBe(0)
    expect(refused.stderr).toContain('--follow-links')
    expect(existsSync(join(flow, 'ctx/evidence/110_private_txt.evidence.link'))).toBe(false)
    expect((await run('evidence', 'add', path, '--link', '--follow-links')).status).toBe(0)
    expect((await run('assemble', '--print', '--follow-links')).stdout).toContain(TEXT)
  })

  test('T8 a file of the repository that is a link out of it is not picked', async () => {
    const { cwd, outside, run } = clone()
    link(join(outside, 'private.txt'), join(cwd, 'README.md'))
    const refused = await run('evidence', 'add', 'README.md')
    expect(refused.status).not.toBe(0)
    expect(refused.stderr).toContain('README.md is a symbolic link to a path outside')
    const followed = await run('evidence', 'add', 'README.md', '--follow-links')
    expect(followed.status, followed.stderr).toBe(0)
    expect((await run('evidence', 'add', join(outside, 'private.txt'))).status).toBe(0)
  })

  test('T8 evidence that names a source outside is not read again unasked', async () => {
    const { flow, outside, run } = clone()
    const source = join(outside, 'private.txt')
    const head = `## Evidence: x\n<!-- source_uri=file://${source}; cid=sha256:00; span=full -->\n`
    write(flow, { 'ctx/evidence/100_own_txt.evidence.md': `${head}\n\`\`\`\nOld.\n\`\`\`\n` })
    for (const command of ['diff', 'refresh']) {
      const done = await run('evidence', command)
      expect(done.stdout + done.stderr).not.toContain(TEXT)
      expect(done.stdout).toContain('--follow-links')
    }
    const followed = await run('evidence', 'diff', '--follow-links')
    expect(followed.stdout).toContain(`+${TEXT}`)
  })

  test('T8 a new flow is not made where .dossier leads out', async () => {
    const { cwd, outside, run } = clone()
    link(outside, join(cwd, '.dossier'))
    const done = await run('flow', 'new', 'mine')
    expect(done.status).not.toBe(0)
    expect(done.stderr).toContain('outside of the repository')
    expect(existsSync(join(outside, 'flows'))).toBe(false)
  })
})
