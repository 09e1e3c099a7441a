/** Packs about changes, through the program and over MCP: DF1, DF6, DF7, DF8. */
import { describe, expect, test } from 'vitest'
import type { ContextPack } from '../../src/model/context-pack.ts'
import { EXIT_STATUS } from '../../src/surfaces/cli/exit-status.ts'
import { hasGit } from '../support/git-repository.ts'
import { writeFile } from '../support/project.ts'
import { harborRepository } from '../support/review.ts'
import { folderWith } from './support/folder.ts'
import { codeOf, served, textOf } from './support/mcp.ts'
import { dossier, type ErrorJson, type Finished, json, shell } from './support/program.ts'

const CHANGED = 'export function depthAt(depth: number): number {\n  return depth\n}\n'

function run(folder: string, ...args: readonly string[]): Promise<Finished> {
  return dossier(args, { cwd: folder })
}

describe.skipIf(!hasGit)('DF1 on the command line', () => {
  test('DF1 --diff alone, with a range, with a question before it, --staged and a pipe', async () => {
    const repository = harborRepository()
    const { folder } = repository
    writeFile(folder, 'src/tide.ts', CHANGED)
    const alone = await run(folder, 'pack', '--diff', '--quiet')
    expect(alone, alone.stderr).toMatchObject({ status: 0, stderr: '' })
    expect(alone.stdout).toMatch(/^# Changes in working tree\n.* · review · .*\n1 file changed/)
    expect(alone.stdout).toContain('\n- src/berth.ts:12 assignBerth → depthAt\n')
    expect((await run(folder, 'pack', '--diff')).stdout).toBe(alone.stdout)
    const asked = await run(folder, 'pack', 'depth of water', '.', '--diff', 'HEAD', '--json')
    expect(json<ContextPack>(asked)).toMatchObject({
      request: { query: 'depth of water', diff: { source: 'working tree since HEAD' } },
      changes: { files: [{ path: 'src/tide.ts' }] },
    })
    const piped = await shell('git diff | dossier pack --diff - --tokens 900', { cwd: folder })
    expect(piped.stdout).toContain('# Changes in patch\n')
    expect(piped.stdout).toContain('\n-const RANGE = 4\n')
    repository.run('add', 'src')
    const staged = await run(folder, 'pack', '--staged', '--format', 'xml')
    expect(staged.stdout).toMatch(/^<context [^>]*diff="staged">\n<changes>\n1 file changed/)
    repository.run('commit', '--quiet', '--message', 'Change')
    const range = await run(folder, 'context-pack', '--diff', 'HEAD~1..', '--intent', 'impact')
    expect(range.stdout).toMatch(/^# Changes in HEAD~1\.\.\n.* · impact · /)
  })

  test('DF7 nothing has changed: a pack that says so, and a notice', async () => {
    const { folder } = harborRepository()
    await run(folder, 'index')
    const done = await run(folder, 'pack', '--diff')
    expect(done).toMatchObject({
      status: 0,
      stderr: expect.stringContaining('nothing has changed'),
    })
    expect(done.stdout).toContain('Nothing has changed.')
    const pack = json<ContextPack>(await run(folder, 'pack', '--diff', '--json'))
    expect(pack.changes).toMatchObject({ counts: { files: 0 }, files: [] })
  })

  test('DF8 what cannot be met is an error with a code and a hint', async () => {
    const { folder } = harborRepository()
    await run(folder, 'index')
    const wrong = [
      ['--diff', 'nowhere..'],
      ['--diff', 'depth of water'],
      ['--diff=--output=x'],
      ['--diff', '--staged'],
      ['--diff', '--focus', 'src/tide.ts'],
      ['-', '.', '--diff', '-'],
    ]
    for (const args of wrong) {
      const done = await run(folder, 'pack', ...args, '--json')
      expect(done.status, args.join(' ')).toBe(EXIT_STATUS.POC_E_REQUEST_INVALID)
      const { error } = json<ErrorJson>(done)
      expect([error.code, error.hint !== '']).toEqual(['POC_E_REQUEST_INVALID', true])
    }
    const piped = await shell('echo garbage | dossier pack --diff -', { cwd: folder })
    expect(piped.stderr).toMatch(/^POC_E_REQUEST_INVALID the input is not a unified diff.*\n {2}\S/)
    const outside = folderWith({ 'a.ts': 'export const a = 1\n' })
    expect((await run(outside, 'pack', '--diff')).stderr).toMatch(
      /^POC_E_REQUEST_INVALID .* is not in a git repository\n {2}\S/m,
    )
  })

  test('DF6 a kept pack of a change is read by its id, and proved', async () => {
    const { folder } = harborRepository()
    await run(folder, 'index')
    writeFile(folder, 'src/tide.ts', CHANGED)
    const kept = await run(folder, 'context-pack', '--diff', '--write')
    expect(kept.stdout, kept.stderr).toMatch(/^[0-9a-f]{64}\n$/)
    const id = kept.stdout.trim()
    expect((await run(folder, 'context-pack', 'get', id)).stdout).toContain(
      '# Changes in working tree',
    )
    expect((await run(folder, 'pack', 'verify', id)).stdout).toMatch(/^equal /)
  })
})

test.skipIf(!hasGit)('DF1 over MCP a range is given as diff, and a patch cannot be', async () => {
  const { folder } = harborRepository()
  await run(folder, 'index')
  writeFile(folder, 'src/tide.ts', CHANGED)
  const { client } = await served(folder, ['--repo', '.'])
  const create = (args: Record<string, unknown>) =>
    client.callTool({ name: 'context_pack_create', arguments: args })
  const made = await create({ diff: 'HEAD' })
  expect(textOf(made)).toContain('# Changes in working tree since HEAD\n')
  expect(textOf(made)).toContain('\n- src/berth.ts:12 assignBerth → depthAt\n')
  expect(codeOf(await create({ diff: '-' }))).toBe('POC_E_REQUEST_INVALID')
  expect(codeOf(await create({ diff: '--no-index' }))).toBe('POC_E_REQUEST_INVALID')
  expect(codeOf(await create({ query: 'x', request: { diff: {} } }))).toBe('POC_E_REQUEST_INVALID')
})
