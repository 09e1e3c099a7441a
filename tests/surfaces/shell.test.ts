/** The prompt: lines from a pipe, lines at a terminal, and what completes them. */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { splitCommandLine } from '../../src/surfaces/shell/command-words.ts'
import { listCompletions } from '../../src/surfaces/shell/completions.ts'
import {
  FLOW_ID,
  type ScriptsRepository,
  scriptsRepository,
} from './support/evidence-repository.ts'
import { folderWith, write } from './support/folder.ts'
import {
  BIN,
  dossier,
  ENVIRONMENT,
  type Finished,
  type RunOptions,
  shell,
} from './support/program.ts'
import { until } from './support/until.ts'

const SCRIPT = '/usr/bin/script'

function piped(where: RunOptions, lines: readonly string[], flags = ''): Promise<Finished> {
  write(where.cwd, { '.dossier/lines': lines.join('\n') })
  return shell(`dossier shell ${flags} < .dossier/lines`, where)
}

async function withFlow(): Promise<ScriptsRepository> {
  const where = scriptsRepository()
  await dossier(['flow', 'new', 'fix parser'], where)
  return where
}

describe('SH1 words of a line', () => {
  test.each([
    ['evidence add a b', ['evidence', 'add', 'a', 'b']],
    ['  ask   "two words"  ', ['ask', 'two words']],
    [`ask "What's missing?"`, ['ask', "What's missing?"]],
    [`add '"odd #1.md"::5,9#draft'`, ['add', '"odd #1.md"::5,9#draft']],
    ['add "\\"odd\\" \\d"', ['add', '"odd" \\d']],
    ['add a\\ b', ['add', 'a b']],
    ['add a#tag # a comment', ['add', 'a#tag']],
    ['add ""', ['add', '']],
    ['add x"y z"', ['add', 'xy z']],
    ['# nothing', []],
    ['', []],
  ])('%s', (line, words) => {
    expect(splitCommandLine(line)).toEqual({ kind: 'words', words })
  })

  test.each(['ask "open', "ask 'open"])('a quote that is not closed is said: %s', (line) => {
    expect(splitCommandLine(line)).toEqual({ kind: 'unclosed', quote: line.charAt(4) })
  })
})

describe('SH2 completions', () => {
  const known = {
    commands: ['evidence add', 'evidence toggle', 'ask', 'assemble', 'help'],
    targets: ['100', '100_flow_sh', '300_example'],
    values: new Map<string, readonly string[]>(),
  }

  test.each([
    ['/', ['/ask ', '/assemble ', '/evidence ', '/help '], '/'],
    ['/as', ['/ask ', '/assemble '], '/as'],
    ['/evidence ', ['add ', 'toggle '], ''],
    ['/e to', ['toggle '], 'to'],
    ['/evidence toggle 100', ['100 ', '100_flow_sh '], '100'],
    ['/evidence toggle off 3', ['300_example '], '3'],
    ['/e toggle ', ['100 ', '100_flow_sh ', '300_example '], ''],
    ['/nothing x', [], 'x'],
    ['cat', [], 'cat'],
  ])('%s', (line, candidates, replaced) => {
    expect(listCompletions(line, known)).toEqual([candidates, replaced])
  })
})

describe('SH1 lines from a pipe', () => {
  test('SH1 commands, comments, empty lines, outside commands, and variables of the moment', async () => {
    const where = await withFlow()
    const done = await piped({ ...where, env: { ...where.env, e7: 'stale' } }, [
      '# picks two files',
      '',
      '/evidence add core/flow.sh core/assembler.sh --quiet  # both',
      'echo "$EVIDENCE_COUNT:$(basename "$e1"):$(basename "$e2")"',
      '/e toggle off 100',
      'echo "$EVIDENCE_COUNT:$(basename "$e1"):$e2:$e7"',
      '  /e rank "110_assembler_sh" 50  ',
      'head -n 1 "$e1"; pwd',
      '/quit',
      'echo never',
    ])
    expect(done).toMatchObject({ status: 0, stderr: '' })
    const lines = done.stdout
      .split('\n')
      .filter((line) => !/^ {2}(?:Bytes|Total|Budget)/.test(line))
    expect(lines.slice(-7)).toEqual([
      '2:100_flow_sh.evidence.md:110_assembler_sh.evidence.md',
      '○ Skipped: 100_flow_sh.evidence.md.skip',
      '1:110_assembler_sh.evidence.md::',
      '✓ Renamed: 110_assembler_sh.evidence.md → 050_assembler_sh.evidence.md',
      '## Evidence: core/assembler.sh',
      where.cwd,
      '',
    ])
  })

  test('SH1 the status is that of the first failure, and the lines after it are read', async () => {
    const where = await withFlow()
    const done = await piped(where, ['/evidence toggle nothing', '(exit 7)', 'echo on'])
    expect(done).toMatchObject({ status: 1, stdout: 'on\n' })
    expect(done.stderr).toContain('POC_E_TARGET_UNKNOWN')
    expect(await piped(where, ['false', '/evidence list', '(exit 7)'])).toMatchObject({ status: 1 })
    expect(await piped(where, ['(exit 7)'])).toMatchObject({ status: 7 })
    expect(await piped(where, [])).toEqual(expect.objectContaining({ status: 0, stdout: '' }))
  })

  test('SH1 what cannot be read is an error with a hint', async () => {
    const where = await withFlow()
    for (const [line, said] of [
      ['/evidnce list', 'did you mean evidence'],
      ['/evidence lst', 'did you mean list?'],
      ['/ask "open', 'a quote is not closed'],
      ['/shell', 'not available in this prompt'],
      ['/mcp', 'not available in this prompt'],
      ['/flow new x --request -', 'there is no input'],
    ] as const) {
      const done = await piped(where, [line, 'echo on'])
      expect(done.stderr, line).toContain(said)
      expect(done, line).toMatchObject({ status: 2, stdout: 'on\n' })
    }
  })

  test('SH1 /help lists the commands, /help of one says more', async () => {
    const where = await withFlow()
    const all = await piped(where, ['/help'])
    expect(all.stdout).toMatch(/^ {2}\/evidence {2}add \| list \| status \| plan /m)
    expect(all.stdout).toMatch(/^ {2}\/ask$/m)
    expect((await piped(where, ['/help e rank'])).stdout).toContain('dossier evidence rank')
    expect((await piped(where, ['/ask --help'])).stdout).toContain('--missing')
  })

  test('SH1 works without a flow, and says how to begin one', async () => {
    const where = { cwd: folderWith({ 'a.txt': 'A.\n' }) }
    const done = await piped(where, [
      'echo "[$e1]"',
      '/e list',
      '/flow new one',
      '/e add a.txt',
      'cat $e1',
    ])
    expect(done.status).toBe(3)
    expect(done.stderr).toContain('dossier flow new')
    expect(done.stdout).toMatch(/^\[\]\n✓ Flow: one-/)
    expect(done.stdout).toContain('\nA.\n')
  })

  test('SH1 --flow holds for every line, and for what the shell is given', async () => {
    const where = await withFlow()
    await dossier(['flow', 'new', 'another'], where)
    const lines = ['/e add core/flow.sh --quiet', 'echo $FLOW_DIR', '/flow status']
    const done = await piped(where, lines, '--flow fix')
    expect(done).toMatchObject({ status: 0, stderr: '' })
    expect(done.stdout).toContain(`\n${where.flow}\n`)
    expect(done.stdout).toContain(`\n${FLOW_ID}\n`)
    expect(existsSync(join(where.flow, 'ctx/evidence/100_flow_sh.evidence.md'))).toBe(true)
    const wrong = await piped(where, lines, '--flow nowhere')
    expect(wrong).toMatchObject({ status: 3, stdout: '' })
  })
})

describe('T22 the state of the shell', () => {
  test('T22 cd and export persist between lines, and commands see both', async () => {
    const where = await withFlow()
    const done = await piped(where, [
      'cd core',
      'pwd',
      '/evidence add flow.sh --quiet',
      `export NAME="it's  two words" LINES_OF="$(printf 'a\\nb')"; LOCAL=1`,
      'echo "$NAME:$LOCAL:$(echo "$LINES_OF" | wc -l)"',
      'cd ..',
      'cd -',
      'unset NAME; cd "$OLDPWD"; pwd',
      'echo "[$NAME] $(basename "$e1")"',
      'export OPENAI_MODEL=of-the-prompt',
      '/submit --dry-run --api openai',
    ])
    expect(done).toMatchObject({ status: 0, stderr: '' })
    const core = join(where.cwd, 'core')
    const said = done.stdout.split('\n').filter((it) => !/^[ ✓]/.test(it))
    expect(said.slice(0, 5)).toEqual([
      core,
      "it's  two words::2",
      core,
      where.cwd,
      '[] 100_flow_sh.evidence.md',
    ])
    expect(done.stdout).toContain('  "model": "of-the-prompt",')
    expect(done.stdout).toContain('## Evidence: core/flow.sh')
  })

  test('T22 exit ends the prompt with its status, and nothing else does', async () => {
    const where = await withFlow()
    for (const [line, status] of [
      ['exit', 0],
      ['exit 3', 3],
      ['cd core && exit 4', 4],
      ['false; exit', 1],
    ] as const) {
      const done = await piped(where, [line, 'echo on'])
      expect(done, line).toMatchObject({ status, stdout: '', stderr: '' })
    }
    for (const line of ['(exit 3)', "bash -c 'exit 3'", 'echo exit', 'if', 'kill -9 $$', '"open']) {
      const done = await piped(where, [line, 'echo on'])
      expect(done.stdout, line).toMatch(/on\n$/)
    }
    const failed = await piped(where, ['false', 'exit 5'])
    expect(failed.status).toBe(5)
    expect((await piped(where, ['(exit 9)', 'echo "was $?"'])).stdout).toBe('was 9\n')
  })

  test('T22 lines that end oddly are one line each', async () => {
    const where = await withFlow()
    const done = await piped(where, [
      'echo a \\',
      'echo b # a comment',
      'sleep 3 > /dev/null 2>&1 & echo c',
      'mkdir core/gone; cd core/gone; rmdir ../gone',
      'echo d',
    ])
    expect(done.stdout).toMatch(/^a ?\\?\nb\nc\nd\n$/)
  })

  test.each([
    ['/bin/bash', 'bash'],
    ['/bin/dash', 'other'],
    ['/nowhere/fish', 'other'],
    ['/bin/true', 'other'],
  ])('T22 $SHELL %s runs the lines, and /bin/sh where it cannot', async (path, kind) => {
    const where = await withFlow()
    const lines = [
      'if [ -n "$BASH_VERSION" ]; then echo bash; else echo other; fi',
      'export X="$HOME"; cd core',
      'basename "$(pwd)"; echo "${X:+kept}"',
    ]
    const done = await piped({ ...where, env: { ...where.env, SHELL: path } }, lines)
    const isSh = kind === 'other' && existsSync('/bin/sh')
    expect(isSh || kind === 'bash').toBe(true)
    expect(done.stdout.split('\n').slice(1)).toEqual(['core', 'kept', ''])
    if (path === '/bin/bash' || path === '/bin/dash') expect(done.stdout).toMatch(`${kind}\n`)
    expect(done).toMatchObject({ status: 0, stderr: '' })
  })

  /** Shells are not ours to install; where one is, it runs the lines in its own language. */
  describe.each([
    ['zsh', ['/usr/bin/zsh', '/bin/zsh'], 'export A="x y"; cd core'],
    ['fish', ['/usr/bin/fish', '/usr/local/bin/fish'], "set -gx A 'x y'; cd core"],
  ])('T22 in %s', (_, paths, first) => {
    const path = paths.find((it) => existsSync(it)) ?? ''
    test.skipIf(path === '')('T22 the state is kept as well', async () => {
      const where = await withFlow()
      const lines = [first, 'echo "$A"', 'pwd', 'exit 3']
      const done = await piped({ ...where, env: { ...where.env, SHELL: path } }, lines)
      expect(done.status).toBe(3)
      expect(done.stdout).toMatch(/^x y\n.*\/core\n$/)
    })
  })

  test('T22 values of a flag are completed: lenses, those of the settings as well', () => {
    const known = {
      commands: ['context', 'evidence add'],
      targets: ['100_flow_sh'],
      values: new Map([
        ['context --lens', ['general', 'review']],
        ['context -l', ['general', 'review']],
      ]),
    }
    expect(listCompletions('/context "a topic" --lens ', known)[0]).toEqual(['general ', 'review '])
    expect(listCompletions('/context -l re', known)[0]).toEqual(['review '])
    expect(listCompletions('/context --lens=ge', known)[0]).toEqual(['--lens=general '])
    expect(listCompletions('/context --le', known)[0]).toEqual(['--lens '])
    expect(listCompletions('/evidence add --lens ', known)[0]).toEqual(['100_flow_sh '])
  })
})

/** The program in a terminal, whose keys are pressed by the test. */
function opened(where: ScriptsRepository) {
  // Without a shell between, which would take a Ctrl-C for its own.
  const line = `exec '${process.execPath}' '${BIN}' shell`
  const child = spawn(SCRIPT, ['-qec', line, '/dev/null'], {
    cwd: where.cwd,
    env: { ...ENVIRONMENT, ...where.env, TERM: 'xterm', NO_COLOR: '1' },
  })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  let shown = ''
  let seen = 0
  child.stdout.on('data', (bytes: Buffer) => {
    shown += bytes.toString('utf8')
  })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  return {
    ended,
    /** Types, then waits until something shows after what was awaited before. */
    async typed(keys: string, awaited: string): Promise<void> {
      child.stdin.write(keys)
      const place = (): number => shown.indexOf(awaited, seen)
      await until(`${awaited} shows after ${JSON.stringify(keys)}`, () => place() >= 0)
      seen = place() + awaited.length
    },
  }
}

/** A terminal is made with util-linux's `script`; without it there is none to be had here. */
describe.skipIf(!existsSync(SCRIPT))('SH2 at a terminal', () => {
  test('SH2 greets, completes, remembers, gives the keyboard away, and survives Ctrl-C', async () => {
    const where = await withFlow()
    await dossier(['evidence', 'add', 'core/flow.sh'], where)
    const first = opened(where)
    await first.typed('', 'dossier> ')
    await first.typed('/evi\t', 'dence ')
    await first.typed('tog\t', 'gle ')
    await first.typed('100_\t', 'flow_sh ')
    await first.typed('\r', '○ Skipped: 100_flow_sh.evidence.md.skip')
    await first.typed('', 'dossier> ')
    await first.typed('echo rea""dy; read -r answer; echo "got <$answer>"\r', 'ready')
    await first.typed('a word\r', 'got <a word>')
    await first.typed('', 'dossier> ')
    // A line that is given up is gone.
    await first.typed('/nonsense', '/nonsense')
    await first.typed('\x03', 'dossier> ')
    await first.typed('echo cle""an\r', '\nclean\r')
    await first.typed('', 'dossier> ')
    // What runs outside ends, the prompt does not, and commands go on to work.
    // It says itself that it has begun: a shell loses signals between two commands.
    await first.typed('echo sta""rted | cat - /dev/tty\r', 'started')
    await first.typed('\x03', 'dossier> ')
    await first.typed('/e toggle 100_flow_sh\r', '✓ Activated: 100_flow_sh.evidence.md')
    await first.typed('', 'dossier> ')
    await first.typed('/context x --lens mee\t', 'ting-prep ')
    await first.typed('\x03', 'dossier> ')
    await first.typed('exit 6\r', '')
    expect(await first.ended).toBe(6)

    const history = readFileSync(join(where.cwd, '.home/shell-history'), 'utf8')
    expect(history.split('\n').at(-3)).toBe('/e toggle 100_flow_sh')
    expect(history.split('\n').at(-2)).toBe('exit 6')
    const second = opened(where)
    await second.typed('', 'dossier> ')
    await second.typed('\x1b[A\x1b[A', '/e toggle 100_flow_sh')
    await second.typed('\r', '○ Skipped: 100_flow_sh')
    await second.typed('\x04', '')
    expect(await second.ended).toBe(0)
  })
})
