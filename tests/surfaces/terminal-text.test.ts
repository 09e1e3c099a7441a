/** Names and texts of a repository are shown to people, and never obeyed by what shows them. */
import { join } from 'node:path'
import pc from 'picocolors'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { visible, visibleName } from '../../src/base/visible.ts'
import { createScreen } from '../../src/surfaces/cli/screen.ts'
import { newFolder, removeFolder, write } from './support/folder.ts'
import { served, textOf } from './support/mcp.ts'
import { dossier, json, shell } from './support/program.ts'

/** Sets a title, rings, moves the cursor, hides, turns the reading direction round. */
const HOSTILE =
  '\u001b]0;owned\u0007\u001b[2J\u001b[8m\u009b5m\u0085\u202egnp.\u2066x\u200f\u061c\u007f'
const NAME = `a${HOSTILE}b`
const OBEYED =
  // oxlint-disable-next-line no-control-regex -- They are what must not be there.
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/
// oxlint-disable-next-line no-control-regex -- What emphasis, progress and line ends are made of.
const OURS = /\u001b\[(?:1|2|22|31|32|39)m|\r\n|\r[^\r\n]*\u001b\[K/g

let folder = ''
let env: Readonly<Record<string, string>> = {}

beforeAll(async () => {
  folder = newFolder()
  env = { DOSSIER_HOME: join(folder, 'home') }
  write(folder, {
    [`src/${NAME}.ts`]: `export const bell = 'dock ${HOSTILE}'\n`,
    [`src/${NAME}.bin`]: new Uint8Array([0, 1, 2, 0]),
    'src/two\nlines.bin': new Uint8Array([0, 1, 2, 0]),
    'src/plain.ts': `export const plain = 'ship ${HOSTILE}'\n`,
    [`docs/${NAME}.md`]: `# Dock ${HOSTILE}\n\nShips ${HOSTILE} dock.\n`,
    'vault/Pier.md': `# Pier ${HOSTILE}\n\nShips ${HOSTILE} lie here.\n`,
  })
  for (const args of [['index'], ['flow', 'new', `Dock ${HOSTILE}`], ['notes', 'import', 'vault']])
    await dossier(args, { cwd: folder, env })
})

afterAll(() => removeFolder(folder))

/** Their output is ours alone: names and numbers, nothing of what files hold. */
const REPORTS: readonly (readonly string[])[] = [
  ['index', '--verbose'],
  ['status', '--verbose'],
  ['evidence', 'add', `src/${NAME}.ts`],
  ['evidence', 'list'],
  ['flow', 'list'],
  ['flow', 'use', NAME],
  ['evidence', 'add', `src/${HOSTILE}`],
  ['ask', `ship ${HOSTILE}`],
  ['ctx', 'build', '--segment', 'docs', '--verbose'],
  ['ctx', 'search', '-q', 'dock', '--segment', 'docs'],
  ['ctx', 'get', '--ids', `x${HOSTILE}`, '--segment', 'docs'],
  ['notes', 'import', `none${HOSTILE}`],
  [`no${HOSTILE}`],
  ['pack', 'x', '--focus', `src/${NAME}`],
]
/** These hand on what files hold. */
const CONTENT: readonly (readonly string[])[] = [
  ['pack', 'dock ship bell', '--explain'],
  ['context-pack', '-q', 'bell', '--json'],
  ['assemble', '--print'],
  ['context', 'Pier'],
]

describe('T7 no control character reaches a reader', () => {
  test('T7 of what commands say, not even in a pipe', async () => {
    for (const args of REPORTS) {
      const { stdout, stderr } = await dossier(args, { cwd: folder, env })
      expect(stdout + stderr, args.join(' ')).not.toMatch(OBEYED)
    }
    const { stdout } = await dossier(['status', '--verbose'], { cwd: folder, env })
    // A name is one line, whatever is in it.
    expect(stdout).toContain('    src/two\u240alines.bin ')
    expect(stdout).toContain('a\u241b]0;owned\u2407')
  })

  test('T7 at a terminal, of what files hold neither', async () => {
    for (const args of [...REPORTS.slice(0, 2), ...REPORTS.slice(-1), ...CONTENT]) {
      const line = args.map((it) => `'${it.replaceAll("'", "'\\''")}'`).join(' ')
      const typed = `dossier ${line}`.replaceAll(/["$`\\]/g, '\\$&')
      const done = await shell(`script -qec "${typed}" /dev/null < /dev/null`, { cwd: folder, env })
      const shown = done.stdout.replaceAll(OURS, '')
      expect(shown, args.join(' ')).not.toMatch(OBEYED)
      expect(shown.length, args.join(' ')).toBeGreaterThan(20)
    }
  })

  test('T7 in a pipe, names are clean and the text of files is exact', async () => {
    const { stdout } = await dossier(['pack', 'plain ship'], { cwd: folder, env })
    expect(stdout).toContain(`plain = 'ship ${HOSTILE}'`)
    const heads = stdout.split('\n').filter((it) => it.startsWith('### '))
    expect(heads.join('\n')).toContain('owned')
    expect(heads.join('\n')).not.toMatch(OBEYED)
  })

  test('T7 JSON has escapes for them, and the same values', async () => {
    const done = await dossier(['status', '--json'], { cwd: folder, env })
    expect(done.stdout).not.toMatch(OBEYED)
    const { skipped } = json<{ skipped: readonly { path: string }[] }>(done)
    expect(skipped.map((it) => it.path)).toContain(`src/${NAME}.bin`)
    const refused = await dossier(['pack', 'x', '--focus', NAME, '--json'], { cwd: folder, env })
    expect(refused.stdout).not.toMatch(OBEYED)
  })

  test('T7 over MCP, in messages, names and diagnostics', async () => {
    const { client } = await served(folder, ['--repo', folder], env)
    const call = async (name: string, args: Record<string, unknown>) =>
      client.callTool({ name, arguments: args })
    for (const [name, args] of [
      ['index_status', {}],
      ['evidence_add', { selectors: [`src/${HOSTILE}`] }],
      ['evidence_list', {}],
      ['context_pack_create', { query: 'x', focus: [`src/${HOSTILE}`] }],
    ] as const) {
      const result = await call(name, args)
      expect(textOf(result), name).not.toMatch(OBEYED)
      expect(JSON.stringify(result.structuredContent ?? {}), name).not.toMatch(OBEYED)
    }
    const pack = textOf(await call('context_pack_create', { query: 'plain ship' }))
    const heads = pack.split('\n').filter((it) => it.startsWith('### '))
    expect(heads.join('\n')).not.toMatch(OBEYED)
  })
})

describe('T7 the cleaning', () => {
  test('T7 shows each of them, and keeps lines and tabs', () => {
    expect(visible('a\u001bb\u0007\u007f\tc\nd\r\ne\rf')).toBe(
      'a\u241bb\u2407\\u007f\tc\nd\r\ne\u240df',
    )
    expect(visible('\u009b\u202e\u2066\u200f')).toBe('\\u009b\\u202e\\u2066\\u200f')
    expect(visibleName('a\nb\tc')).toBe('a\u240ab\u2409c')
    const value = { name: HOSTILE }
    expect(JSON.parse(visible(JSON.stringify(value)))).toEqual(value)
  })

  test('T7 lets our own emphasis through, and none that a text brings along', () => {
    const written: string[] = []
    const stream = { isTTY: true, write: (text: string) => written.push(text) }
    const screen = createScreen(stream, pc.createColors(true))
    screen.write(`${screen.paint.strong('ours')} \u001b[1mtheirs${screen.paint.faint('\u001b[2J')}`)
    const [shown = ''] = written
    expect(shown).toBe('\u001b[1mours\u001b[22m \u241b[1mtheirs\u001b[2m\u241b[2J\u001b[22m')
  })
})
