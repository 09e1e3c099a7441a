/** Help, examples and completion, walked off the table of operations. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readInputs } from '../../src/surfaces/cli/flags.ts'
import { loadAll, TABLE } from '../../src/surfaces/operations/table.ts'
import { hasGit } from '../support/git-repository.ts'
import { startEndpoint } from '../support/vectors.ts'
import { GUIDE, newFolder, removeFolder, withHistory, write } from './support/folder.ts'
import { dossier, type HitsJson, json, type RunOptions, shell } from './support/program.ts'

let folder = ''
const OPERATIONS = await loadAll()
/** Where the program runs, with a home of its own: examples import notes. */
let here: RunOptions = { cwd: '' }
const ids = new Map<string, string>()

/** A folder in which every example of the table makes sense. */
beforeAll(async () => {
  folder = newFolder()
  here = { cwd: folder, env: { DOSSIER_HOME: join(folder, 'home') } }
  write(folder, {
    'README.md': GUIDE,
    'SPEC.md': '# Promises\n\nEvery readme has a title path and a token budget.\n',
    'docs/manual.md': GUIDE,
    'handbook/handbook.md': GUIDE,
    'commands.txt': '/flow list\n',
    // What examples and tests write is no part of what they ask about.
    '.dossierignore': '*.json\n/.bin/\n/home/\n/out/\n/script\n',
  })
  if (hasGit) withHistory(folder, 'SPEC.md')
  for (const segment of ['docs', 'handbook', '.']) {
    await dossier(['ctx', 'sync', '-s', segment], { cwd: folder })
  }
  for (const [name, query] of [
    ['before.json', 'title path'],
    ['after.json', 'token budget'],
  ] as const) {
    const { stdout } = await dossier(['pack', query, '--json', '--quiet'], { cwd: folder })
    write(folder, { [name]: stdout })
  }
  await dossier(['notes', 'import', 'docs'], here)
  // Examples are about the first evidence of a flow; the one that they begin themselves is empty.
  await dossier(['flow', 'new', 'first'], here)
  await dossier(['evidence', 'add', 'README.md', 'README.md::1,3'], here)
  const args = ['ctx', 'search', '-q', 'title path', '--json']
  for (const { id } of json<HitsJson>(await dossier(args, { cwd: folder })).hits) {
    ids.set(id.slice(0, id.indexOf(':')), id)
  }
})

afterAll(() => removeFolder(folder))

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ')
}

const MADE_UP_PACK = '0123456789ab'

const OLLAMA = 'http://127.0.0.1:11434/v1'

/** Examples name made-up ids; the documents that they name are real. */
async function withRealIds(command: string): Promise<string> {
  if (command.includes(OLLAMA)) return command.replace(OLLAMA, (await startEndpoint()).url)
  if (command.includes(MADE_UP_PACK)) {
    const args = ['context-pack', '--query', 'token budget', '--write']
    const { stdout } = await dossier(args, { cwd: folder })
    return command.replace(MADE_UP_PACK, stdout.slice(0, MADE_UP_PACK.length))
  }
  return command.replace(/([A-Z]+):[0-9a-f]{10}/g, (made, doc: string) => ids.get(doc) ?? made)
}

describe.each(OPERATIONS.map((it) => [it.name, it] as const))('C3 %s', (name, operation) => {
  test('C8 has help with its summary, every flag with a description, and its examples', async () => {
    const done = await dossier([...name.split(' '), '--help'], { cwd: folder })
    expect(done).toMatchObject({ status: 0, stderr: '' })
    const help = oneLine(done.stdout)
    expect(help).toContain(operation.summary)
    for (const flag of readInputs(operation).flags) {
      expect(flag.description, flag.long).toMatch(/^[A-Z].*\.$/)
      expect(help).toContain(`--${flag.long} `)
      expect(help).toContain(flag.description)
      if (flag.short !== undefined) expect(help).toContain(`-${flag.short}, --${flag.long}`)
    }
    const [described = ''] = done.stdout.split('\nExamples:')
    expect(described.split('\n').filter((it) => it.length > 80)).toEqual([])
    for (const { choices = [] } of readInputs(operation).flags)
      if (choices.length > 1) expect(help.split(choices.join('|'))).toHaveLength(1)
    expect(operation.examples.length).toBeGreaterThan(0)
    for (const { command, purpose } of operation.examples) {
      expect(help).toContain(oneLine(command))
      expect(help).toContain(purpose)
    }
  })

  test.skipIf(name === 'eval' && !hasGit)('has examples that run', async () => {
    for (const { command } of operation.examples) {
      expect(command.startsWith(`dossier ${name}`)).toBe(true)
      const done = await shell(await withRealIds(command), here)
      expect(done, `${command}\n${done.stderr}`).toMatchObject({ status: 0 })
      expect(done.stdout).not.toBe('')
    }
  })

  test('has one-letter flags that are its own', () => {
    const letters = readInputs(operation).flags.flatMap((it) => it.short ?? [])
    expect(new Set(letters).size).toBe(letters.length)
    expect(letters).not.toContain('h')
    expect(letters).not.toContain('v')
  })
})

test.each(['mcp', 'shell', 'completion'])(
  'C3 %s has help with an example that runs',
  async (name) => {
    const help = await dossier([name, '--help'], { cwd: folder })
    expect(help).toMatchObject({ status: 0, stderr: '' })
    const examples = help.stdout.split('Examples:\n')[1]?.match(/^ {2}\S.*$/gm) ?? []
    expect(examples.length).toBeGreaterThan(0)
    for (const example of examples) {
      const done = await shell(`${example} </dev/null`, here)
      expect(done, example).toMatchObject({ status: 0, stderr: '' })
    }
  },
)

test('C3 each line of the table loads the operation of its name, with its summary', () => {
  expect(OPERATIONS.map(({ name, summary }) => ({ name, summary }))).toEqual(
    TABLE.map(({ name, summary }) => ({ name, summary })),
  )
})

test('C3 the help of a group lists every command of the table', async () => {
  const { stdout } = await dossier(['ctx', '--help'], { cwd: folder })
  for (const { name } of OPERATIONS.filter((it) => it.name.startsWith('ctx '))) {
    expect(stdout).toMatch(new RegExp(`^ {2}${name.slice(4)} `, 'm'))
  }
})

/** What bash offers after these words, the last of them unfinished. */
function offered(...words: readonly string[]): Promise<readonly string[]> {
  return offeredIn({}, ...words)
}

async function offeredIn(
  env: Readonly<Record<string, string>>,
  ...words: readonly string[]
): Promise<readonly string[]> {
  const quoted = words.map((it) => `'${it}'`).join(' ')
  const line = [
    'source <(dossier completion bash)',
    `COMP_WORDS=(dossier ${quoted})`,
    `COMP_CWORD=${words.length}`,
    '_dossier',
    `printf '%s\\n' "$\{COMPREPLY[@]}"`,
  ].join('; ')
  const done = await shell(line, { cwd: folder, env })
  expect(done).toMatchObject({ status: 0, stderr: '' })
  return done.stdout.trim().split('\n').toSorted()
}

describe('C3 completion in bash', () => {
  test('offers commands, then subcommands', async () => {
    expect(await offered('')).toEqual([
      'ask',
      'assemble',
      'completion',
      'context',
      'context-pack',
      'ctx',
      'eval',
      'evidence',
      'flow',
      'index',
      'mcp',
      'notes',
      'pack',
      'shell',
      'status',
      'submit',
    ])
    const names = OPERATIONS.flatMap((it) =>
      it.name.startsWith('ctx ') ? [it.name.slice('ctx '.length)] : [],
    )
    expect(await offered('ctx', '')).toEqual(names.toSorted())
    expect(await offered('ctx', 's')).toEqual(['search', 'stats', 'sync'])
    expect(await offered('completion', '')).toEqual(['bash', 'fish', 'zsh'])
  })

  test('offers every flag of a command', async () => {
    const search = OPERATIONS.find((it) => it.name === 'ctx search')
    const flags = search === undefined ? [] : readInputs(search).flags.map((it) => `--${it.long}`)
    expect(await offered('ctx', 'search', '--')).toEqual(
      [...flags, '--json', '--quiet', '--verbose', '--help'].toSorted(),
    )
    expect(await offered('ctx', 'get', '-i', 'x', '--bu')).toEqual(['--budget'])
  })

  test('offers the flags of the server, and no command after it', async () => {
    expect(await offered('mcp', '--s')).toEqual(['--segment'])
    expect(await offered('mcp', '')).not.toContain('ctx')
  })

  test('is not misled by a value that looks like a command', async () => {
    expect(await offered('ctx', 'search', '--query', 'sync', '--lim')).toEqual(['--limit'])
  })

  test('C7 offers the values of a flag, and nothing else there', async () => {
    const intents = ['answer', 'contract', 'debug', 'impact', 'refactor', 'review', 'summarize']
    expect(await offered('pack', '--intent', '')).toEqual(intents)
    expect(await offered('pack', 'a query', '-i', 'd')).toEqual(['debug'])
    expect(await offered('pack', '--intent', '=', 'im')).toEqual(['impact'])
    expect(await offered('pack', '--intent', '=')).toEqual(intents)
    expect(await offered('pack', '--format', 'j')).toEqual(['json'])
    expect(await offered('pack', '--tokens', '')).toEqual([''])
    expect(await offered('pack', '--format', 'json', '--tok')).toEqual(['--tokens'])
    expect(await offered('pack', '--focus', 'hand')).toEqual(['handbook'])
  })

  test('T22 offers lenses and workspaces, those of the settings as well', async () => {
    const home = join(folder, 'home-of-lenses')
    mkdirSync(home, { recursive: true })
    const settings = {
      lenses: { review: { extends: 'planning' } },
      workspaces: { work: { source: '/nowhere/vault', kind: 'vault' } },
    }
    const ours = ['coding', 'general', 'meeting-prep', 'planning', 'writing']
    expect(await offered('context', 'x', '--lens', '')).toEqual(ours)
    writeFileSync(join(home, 'config.json'), JSON.stringify(settings))
    const env = { DOSSIER_HOME: home }
    expect(await offeredIn(env, 'context', 'x', '-l', '')).toEqual([...ours, 'review'].toSorted())
    expect(await offeredIn(env, 'context', 'x', '--workspace', '')).toEqual(['work'])
    // Settings that cannot be read keep nobody from completing.
    writeFileSync(join(home, 'config.json'), '{')
    expect(await offeredIn(env, 'context', '--lens', 'wri')).toEqual(['writing'])
  })

  test.each(['list', 'status', 'pack', 'ctx', 'diff me'])('C7 a query may be %s', async (query) => {
    expect(await offered('pack', query, '--to')).toEqual(['--tokens'])
  })

  test('C7 below a command that has others, each has its own flags', async () => {
    expect(await offered('pack', 'd')).toEqual(['diff'])
    expect(await offered('pack', 'verify', '--to')).toEqual([''])
    expect(await offered('index', 'export', '--t')).toEqual(['--to'])
  })

  test('offers files where nothing else is known', async () => {
    expect(await offered('ctx', 'build', '--segment', 'hand')).toEqual(['handbook'])
  })
})

/** Shells are not ours to install; where one is, its own parser judges the script. */
describe.each([
  ['zsh', ['/usr/bin/zsh', '/bin/zsh'], 'zsh -n'],
  ['fish', ['/usr/bin/fish', '/usr/local/bin/fish'], 'fish --no-execute'],
  ['bash', ['/usr/bin/bash', '/bin/bash'], 'bash -n'],
])('C3 completion for %s', (name, paths, check) => {
  test.skipIf(!paths.some((it) => existsSync(it)))('is a script that its shell reads', async () => {
    const line = `dossier completion ${name} > script && ${check} script`
    expect(await shell(line, { cwd: folder })).toMatchObject({ status: 0, stdout: '', stderr: '' })
  })

  test('names every command of the table', async () => {
    const { stdout } = await dossier(['completion', name], { cwd: join(folder, 'docs') })
    for (const operation of OPERATIONS) {
      for (const word of operation.name.split(' ')) expect(stdout).toContain(word)
      for (const flag of readInputs(operation).flags) expect(stdout).toContain(flag.long)
    }
  })
})
