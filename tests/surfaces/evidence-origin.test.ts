/**
 * What went wrong in the workspace that this one comes after, each by the number of the section that
 * tells it, through the program: `toggle 10`, rank 080, links, fences, `$e1`, many files, records,
 * locales, odd paths.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ContextPlan } from '../../src/model/evidence.ts'
import { type ScriptsRepository, scriptsRepository } from './support/evidence-repository.ts'
import { write } from './support/folder.ts'
import { dossier, type ErrorJson, type Finished, json, shell } from './support/program.ts'

interface Workspace extends ScriptsRepository {
  run(...words: readonly string[]): Promise<Finished>
  evidence(): readonly string[]
  file(name: string): string
}

/** A flow with these evidence files, as a person may have written them. */
async function workspace(...names: readonly string[]): Promise<Workspace> {
  const where = scriptsRepository()
  const run = (...words: readonly string[]) => dossier(words, where)
  await run('flow', 'new', 'fix parser')
  const folder = join(where.flow, 'ctx/evidence')
  for (const name of names) write(folder, { [name]: `What ${name} says.\n` })
  return {
    ...where,
    run,
    evidence: () => readdirSync(folder).toSorted(),
    file: (name) => readFileSync(join(folder, name), 'utf8'),
  }
}

async function planOf({ run }: Workspace): Promise<ContextPlan> {
  return json<ContextPlan>(await run('evidence', 'plan', '--json'))
}

/** All but ranks. */
function toldOf({ parts }: ContextPlan): readonly unknown[] {
  return parts.map(({ kind, status, cid }) => [kind, status, cid])
}

describe('origin 4.1 commands that had no code', () => {
  test('C2 4.1 every command exists, and a misspelled one is answered with the right one', async () => {
    const { run } = await workspace()
    const help = await run('evidence', '--help')
    for (const name of ['remove', 'rebase', 'rank', 'focus', 'deps', 'plan', 'budget'])
      expect(help.stdout).toMatch(new RegExp(`^ {2}${name} `, 'm'))
    const wrong = await run('evidence', 'rebse', '--json')
    expect(wrong.status).toBe(2)
    expect(json<ErrorJson>(wrong).error.hint).toContain('rebase')
  })
})

describe('origin 4.2 selectors', () => {
  test('EV3 4.2 a range that is reversed or beyond the end is an error with the real size', async () => {
    const it = await workspace()
    for (const [selector, said] of [
      ['tests/test_flow.sh::3,2', 'tests/test_flow.sh has 3 lines'],
      ['tests/test_flow.sh::2,9', 'tests/test_flow.sh has 3 lines'],
      ['tests/test_flow.sh::0c,99999c', 'tests/test_flow.sh has 67 bytes'],
    ] as const) {
      const done = await it.run('evidence', 'add', selector, '--json')
      expect(json<ErrorJson>(done).error).toMatchObject({
        code: 'POC_E_SELECTOR_INVALID',
        message: expect.stringContaining(said),
      })
    }
    expect(it.evidence()).toEqual([])
  })

  test('EV3 4.2 bytes never split a character, and newlines at the end stay', async () => {
    const it = await workspace()
    write(it.cwd, { 'word.txt': 'héllo\n\n\n' })
    const done = await it.run('evidence', 'add', 'word.txt::2c,4c', 'word.txt')
    expect(done.stdout).toContain('widened to whole characters')
    expect(it.file('100_word_txt.evidence.md')).toContain('\n```txt\nél\n```\n')
    expect(it.file('110_word_txt_2.evidence.md')).toContain('\n```txt\nhéllo\n\n\n```\n')
  })

  test('EV1 4.2 the same file name of two folders is two names', async () => {
    const it = await workspace()
    write(it.cwd, { 'core/a.sh': 'echo core\n', 'lib/a.sh': 'echo lib\n' })
    await it.run('evidence', 'add', 'core/a.sh', 'lib/a.sh')
    expect(it.evidence()).toEqual(['100_a_sh.evidence.md', '110_lib_a_sh.evidence.md'])
  })

  test('EV1 4.2 a new rank is after skipped and linked parts too, and no file is overwritten', async () => {
    const it = await workspace('100_a.evidence.md', '150_b.evidence.md.skip')
    await it.run('evidence', 'add', 'examples/example', '--link', '--rank', '300')
    await it.run('evidence', 'add', 'core/state_manager.sh')
    await it.run('evidence', 'add', 'auth/login.sh', '--rank', '7')
    await it.run('evidence', 'add', 'auth/tokens.sh', '--rank', '310')
    expect(it.evidence()).toEqual([
      '007_login_sh.evidence.md',
      '100_a.evidence.md',
      '150_b.evidence.md.skip',
      '300_example.evidence.link',
      '310_state_manager_sh.evidence.md',
      '310_tokens_sh.evidence.md',
    ])
  })

  test('EV4 4.2 a file that has fences in it does not end the block', async () => {
    const it = await workspace()
    const text = 'Before\n\n````md\n```sh\nls\n```\n````\n\nAfter\n'
    write(it.cwd, { 'nested.md': text })
    await it.run('evidence', 'add', 'nested.md')
    expect(it.file('100_nested_md.evidence.md').split('\n\n').slice(1).join('\n\n')).toBe(
      `\`\`\`\`\`md\n${text}\`\`\`\`\`\n`,
    )
    const { stdout } = await it.run('assemble', '--print')
    expect(stdout).toContain(`\n\`\`\`\`\`md\n${text}\`\`\`\`\`\n`)
  })

  test('EV7 4.2 records of changes are JSON whatever is in the names', async () => {
    const it = await workspace()
    const odd = 'a "quoted" \\ name.txt'
    write(it.cwd, { [odd]: 'odd\n' })
    await it.run('evidence', 'add', `${odd}#it`, 'auth/login.sh#"')
    await it.run('evidence', 'add', odd)
    const folder = join(it.flow, 'changes')
    const records = readdirSync(folder).map(
      (name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as { what: string },
    )
    expect(records.map((record) => record.what)).toEqual([`add ${odd}`])
  })

  test('EV2 4.2 paths with any signs are added, refreshed and assembled', async () => {
    const it = await workspace()
    const paths = [
      ['a long name.txt', 'a long name.txt'],
      ['a::b:c.txt', 'a::b:c.txt'],
      ['a#b.txt', 'a#b.txt'],
      ['issue #7.txt', '"issue #7.txt"::1,2#bug'],
      [`it's "so"; <b>--> 5%.txt`, `it's "so"; <b>--> 5%.txt`],
      ['überschrift 日本.txt', 'überschrift 日本.txt'],
    ] as const
    for (const [path] of paths) write(it.cwd, { [path]: 'one\ntwo\nthree\n' })
    const added = await it.run('evidence', 'add', ...paths.map(([, selector]) => selector))
    expect(added, added.stderr).toMatchObject({ status: 0, stderr: '' })
    const heads = it.evidence().map((name) => it.file(name).split('\n'))
    expect(heads.map(([heading]) => heading)).toEqual(paths.map(([path]) => `## Evidence: ${path}`))
    for (const [, comment] of heads)
      expect(comment).toMatch(/^<!-- source_uri=file:\/\/[^\s"<>#;]+; cid=sha256:\w+; span=/)
    for (const [path] of paths) write(it.cwd, { [path]: 'one\n2\nthree\n' })
    const refreshed = await it.run('evidence', 'refresh')
    expect(refreshed.stdout.match(/-two\n\+2\n/g)).toHaveLength(paths.length)
    const { stdout } = await it.run('assemble', '--print')
    expect(stdout.match(/\none\n2\n/g)).toHaveLength(paths.length)
  })
})

describe('origin 4.3 toggle, remove, rebase, variables', () => {
  test('EV5 4.3 `toggle 10` hits neither 100 nor 110, and `remove 1` removes nothing', async () => {
    const names = ['010_x', '100_a', '101_b', '110_c', '120_d'].map((it) => `${it}.evidence.md`)
    const it = await workspace(...names)
    const toggled = await it.run('evidence', 'toggle', '10', '--json')
    expect(json<ErrorJson>(toggled).error.message).toContain(
      '4 parts: 010_request, 010_x, 100_a, 101_b',
    )
    const removed = await it.run('evidence', 'remove', '1', '--json')
    expect(json<ErrorJson>(removed).error.code).toBe('POC_E_TARGET_AMBIGUOUS')
    expect(it.evidence()).toEqual(names)
  })

  test('EV5 4.3 a target is no pattern', async () => {
    const it = await workspace('100_a.evidence.md', '110_b.evidence.md')
    for (const target of ['.*', '[ab]', '_', ''])
      expect((await it.run('evidence', 'remove', target)).status, target).toBe(1)
    expect(it.evidence()).toHaveLength(2)
  })

  test('EV5 4.3 ranks with a zero in front are toggled by range and by rank', async () => {
    const it = await workspace('080_early.evidence.md', '090_later.evidence.md')
    const off = await it.run('evidence', 'toggle', 'off', '080-099')
    expect(off.stdout.split('  Bytes: ')[0]).toBe(
      '○ Skipped: 080_early.evidence.md.skip\n○ Skipped: 090_later.evidence.md.skip\n',
    )
    expect((await it.run('evidence', 'toggle', '080')).stdout).toContain('✓ Activated: 080_early')
    await it.run('evidence', 'rank', '090', '8')
    expect(it.evidence()).toEqual(['008_later.evidence.md.skip', '080_early.evidence.md'])
  })

  test('EV15 4.3 what is so already is said, not counted', async () => {
    const it = await workspace('300_a.evidence.md', '310_b.evidence.md.skip')
    const done = await it.run('evidence', 'toggle', 'off', '300-399')
    expect(done.stdout.split('  Bytes: ')[0]).toBe(
      '○ Skipped: 300_a.evidence.md.skip\n  310_b is skipped already\n',
    )
  })

  test('EV8 4.3 rebase of more than 90 files keeps three digits, the order, links and skipped', async () => {
    const names = Array.from(
      { length: 120 },
      (_, at) => `${100 + at * 3}_part${at}.evidence.md${at % 7 === 0 ? '.skip' : ''}`,
    )
    const it = await workspace(...names)
    await it.run('evidence', 'add', 'examples/example', '--link', '--rank', '900')
    const before = await planOf(it)
    const rebased = await it.run('evidence', 'rebase')
    expect(rebased.stdout).toMatch(/and \d+ parts more\n {2}Bytes: /)
    const after = await planOf(it)
    expect(after.parts.every((part) => /^\d{3}$/.test(part.rank))).toBe(true)
    expect(toldOf(after)).toEqual(toldOf(before))
    expect(after.parts.at(-1)).toMatchObject({ rank: '940', status: 'linked' })
  })

  test('EV10 4.3 links are listed, and always active', async () => {
    const it = await workspace()
    await it.run('evidence', 'add', 'examples/example', '--link')
    expect((await it.run('evidence', 'list')).stdout).toMatch(/→ \$e1 {3}\[100\] 100_example \(/)
    const toggled = await it.run('evidence', 'toggle', 'off', '100')
    expect(toggled.stdout).toMatch(
      /^ {2}100_example is linked, so it is always active\n {2}Total context: /,
    )
  })

  /** Shells are not ours to install; where one is, it judges what it is to evaluate. */
  describe.each([
    ['bash', 'bash -c', 'eval "$(dossier evidence env)"'],
    ['zsh', 'zsh -c', 'eval "$(dossier evidence env --shell zsh)"'],
    ['fish', 'fish -c', 'dossier evidence env --shell fish | source'],
  ])('4.3 variables in %s', (name, run, evaluate) => {
    const isThere = ['/bin', '/usr/bin', '/usr/local/bin'].some((it) => existsSync(join(it, name)))

    test.skipIf(!isThere)(
      'EV14 $e1 is the first part that is in, and stale ones are unset',
      async () => {
        const it = await workspace('100_a.evidence.md', '110_b.evidence.md', '120_c.evidence.md')
        const script = [
          evaluate,
          'cat $e1',
          'echo $EVIDENCE_COUNT $e3',
          'dossier evidence toggle off 100-110 --quiet',
          evaluate,
          'cat $e1',
          'echo $EVIDENCE_COUNT "[$e2$e3]" $FLOW_DIR',
        ].join('\n')
        write(it.cwd, { '.dossier/script': script })
        const done = await shell(`${run} "$(cat .dossier/script)"`, it)
        expect(done.stderr).toBe('')
        const lines = done.stdout.split('\n').filter((line) => !/^ {2}\w/.test(line))
        expect(lines).toEqual([
          'What 100_a.evidence.md says.',
          `3 ${it.flow}/ctx/evidence/120_c.evidence.md`,
          '○ Skipped: 100_a.evidence.md.skip',
          '○ Skipped: 110_b.evidence.md.skip',
          'What 120_c.evidence.md says.',
          `1 [] ${it.flow}`,
          '',
        ])
      },
    )
  })

  test('EV14 4.3 $e1 of a folder with a quote and a space in its name', async () => {
    const it = await workspace()
    const inner = `it's here`
    write(it.cwd, { [`${inner}/a.txt`]: 'quoted\n', [`${inner}/.git/HEAD`]: '' })
    const where = { ...it, cwd: join(it.cwd, inner) }
    await dossier(['flow', 'new', 'x'], where)
    await dossier(['evidence', 'add', 'a.txt'], where)
    const done = await shell('eval "$(dossier evidence env)"; grep -c quoted "$e1"', where)
    expect(done).toMatchObject({ stdout: '1\n', stderr: '' })
  })

  test('EV1 4.3 the policy counts as a system part', async () => {
    const it = await workspace()
    expect((await it.run('evidence', 'status')).stdout).toMatch(/System: +1 part, [1-9]\d* bytes/)
  })
})

describe('origin 4.4 assembly', () => {
  test('EV10 4.4 a linked file is in, as it is at the moment of assembly', async () => {
    const it = await workspace()
    await it.run('evidence', 'add', 'examples/example', '--link')
    write(it.cwd, { 'examples/example': 'Changed since.\n' })
    const { stdout } = await it.run('assemble', '--print')
    expect(stdout).toContain('## Evidence: examples/example\n')
    expect(stdout).toContain('Changed since.\n')
    expect(stdout).not.toContain('A linked example.')
  })

  test('EV10 4.4 every locale gives the same bytes', async () => {
    const it = await workspace(
      ...['100_b', '100_B', '100_a-b', '100_a_b', '100_ä', '100_z', '099_y'].map(
        (name) => `${name}.evidence.md`,
      ),
    )
    const digests = new Set<string>()
    for (const locale of ['C', 'C.UTF-8', 'en_US.UTF-8', 'de_DE.UTF-8', 'tr_TR.UTF-8', 'POSIX']) {
      const env = { ...it.env, LC_ALL: locale, LANG: locale }
      const done = await dossier(['assemble', '--json'], { cwd: it.cwd, env })
      digests.add(done.stdout)
    }
    expect(digests.size).toBe(1)
    const { parts } = JSON.parse([...digests][0] ?? '') as ContextPlan
    expect(parts.slice(2).map((part) => part.kind)).toEqual(['y', 'B', 'a-b', 'a_b', 'b', 'z', 'ä'])
  })

  test('EV11 4.4 the plan has the ranks of the files, skipped parts, and the id of the flow', async () => {
    const it = await workspace('250_a.evidence.md', '260_b.evidence.md.skip')
    const plan = await planOf(it)
    expect(plan.flow_id).toMatch(/^fix-parser-/)
    expect(plan.parts.map((part) => [part.rank, part.status])).toEqual([
      ['000', 'active'],
      ['010', 'active'],
      ['250', 'active'],
      ['260', 'skipped'],
    ])
  })

  test('EV12 4.4 headings and comments stand once, and a limit is kept', async () => {
    const it = await workspace()
    await it.run('evidence', 'add', 'core/assembler.sh', 'core/flow.sh')
    const whole = (await it.run('assemble', '--print')).stdout
    expect(whole.match(/^## Evidence: core\/flow\.sh$/gm)).toHaveLength(1)
    expect(whole.match(/^# System$/gm)).toHaveLength(1)
    const limited = await it.run('assemble', '--max-tokens', '900')
    expect(limited.stdout).toContain('✂ left out: 110_flow_sh does not fit: ')
    const tight = await it.run('assemble', '--max-tokens', '9', '--json')
    expect(json<ErrorJson>(tight).error.code).toBe('POC_E_BUDGET_EXCEEDED')
  })
})

describe('origin 4.5 selection', () => {
  test('AS2 4.5 what is suggested is added by its path, the best first', async () => {
    const it = await workspace()
    const done = await it.run('ask', 'authentication', '--missing', '--add', '2')
    expect(done.stdout).toContain('✓ Added evidence: 100_login_sh.evidence.md\n')
    expect(it.evidence()).toEqual(['100_login_sh.evidence.md', '110_tokens_sh.evidence.md'])
  })
})
