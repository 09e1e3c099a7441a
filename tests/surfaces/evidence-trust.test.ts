/** Evidence commands lose nothing and say what they did: each promise through the program. */
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ContextPlan } from '../../src/model/evidence.ts'
import { realTokens } from '../support/world.ts'
import { type ScriptsRepository, scriptsRepository } from './support/evidence-repository.ts'
import { write } from './support/folder.ts'
import { served, textOf } from './support/mcp.ts'
import { dossier, type ErrorJson, type Finished, json, shell } from './support/program.ts'

interface Workspace extends ScriptsRepository {
  run(...words: readonly string[]): Promise<Finished>
  /** What a command printed, which must have succeeded. */
  said(...words: readonly string[]): Promise<string>
  /** What each line printed at one prompt. */
  typed(...lines: readonly string[]): Promise<readonly string[]>
  evidence(): readonly string[]
  file(name: string): string
}

const MARK = '-- next --'

/** A flow in a repository with these files. */
async function workspace(
  files: Readonly<Record<string, string | Uint8Array>> = {},
): Promise<Workspace> {
  const where = scriptsRepository()
  write(where.cwd, files)
  const run = (...words: readonly string[]) => dossier(words, where)
  const said = async (...words: readonly string[]) => {
    const done = await run(...words)
    expect(done.status, done.stderr).toBe(0)
    return done.stdout
  }
  await said('flow', 'new', 'fix parser')
  const typed = async (...lines: readonly string[]) => {
    const script = lines.flatMap((line) => [`/${line}`, `echo '${MARK}'`])
    write(where.cwd, { '.dossier/lines': `${script.join('\n')}\n` })
    const done = await shell('dossier shell < .dossier/lines 2>&1', where)
    return done.stdout.split(`${MARK}\n`).slice(0, -1)
  }
  const folder = join(where.flow, 'ctx/evidence')
  return {
    ...where,
    run,
    said,
    typed,
    evidence: () => readdirSync(folder).toSorted(),
    file: (name) => readFileSync(join(folder, name), 'utf8'),
  }
}

const TOTALS =
  / {2}Total context: \d+ bytes \(~\d+ tokens\)\n {2}Budget: \d+% of 10000 token limit\n/

function numbered(from: number, to: number): string {
  return Array.from({ length: to - from + 1 }, (_, at) => `line ${from + at}\n`).join('')
}

describe('T17 adding a piece again', () => {
  test('T17 applies its tags and its rank, says so, and can be undone', async () => {
    const it = await workspace()
    await it.said('evidence', 'add', 'core/flow.sh#flow', 'core/assembler.sh')
    const before = it.file('100_flow_sh.evidence.md')
    const said = await it.said('evidence', 'add', 'core/flow.sh#bug', '--rank', '200')
    expect(it.evidence()).toEqual(['110_assembler_sh.evidence.md', '200_flow_sh.evidence.md'])
    expect(it.file('200_flow_sh.evidence.md')).toContain('; span=full; tags=flow,bug -->\n')
    expect(said).toContain('✓ Updated evidence: 200_flow_sh.evidence.md\n')
    expect(said).toContain('  Rank: 100 → 200\n')
    expect(said).toContain('  Tags: flow, bug (added: bug)\n')
    expect(said).toMatch(TOTALS)
    await it.said('evidence', 'undo')
    expect(it.file('100_flow_sh.evidence.md')).toBe(before)
  })

  test('T17 without tags or a rank changes nothing, and the same tags are no change', async () => {
    const it = await workspace()
    await it.said('evidence', 'add', 'core/flow.sh#flow', '--rank', '150')
    const before = it.file('150_flow_sh.evidence.md')
    expect(await it.said('evidence', 'add', 'core/flow.sh')).toContain('is already evidence')
    expect(await it.said('evidence', 'add', 'core/flow.sh#flow')).toContain('is already evidence')
    expect(it.file('150_flow_sh.evidence.md')).toBe(before)
  })

  test('T17 in one command merges the tags of a piece that is named twice', async () => {
    const it = await workspace()
    await it.said('evidence', 'add', 'core/flow.sh#flow', 'core/flow.sh#bug')
    expect(it.evidence()).toEqual(['100_flow_sh.evidence.md'])
    expect(it.file('100_flow_sh.evidence.md')).toContain('tags=flow,bug -->')
  })

  test('T17 says that a piece is skipped or that its source has changed since', async () => {
    const it = await workspace()
    await it.said('evidence', 'add', 'examples/example.sh')
    await it.said('evidence', 'toggle', 'off', '100')
    write(it.cwd, { 'examples/example.sh': 'echo other\n' })
    const said = await it.said('evidence', 'add', 'examples/example.sh')
    expect(said).toContain('`dossier evidence toggle on 100_example_sh`')
    expect(said).toContain('`dossier evidence refresh 100_example_sh`')
  })

  test('T17 a link cannot have tags, and that is said', async () => {
    const it = await workspace()
    const done = await it.run('evidence', 'add', 'core/flow.sh#bug', '--link', '--json')
    expect(json<ErrorJson>(done).error.message).toContain('tags')
    expect(it.evidence()).toEqual([])
  })
})

describe('T17 redundancy', () => {
  test('T17 a question without quotes is told how to be written', async () => {
    const it = await workspace()
    const done = await it.run('ask', 'what', 'is', 'redundant', '--json')
    expect(json<ErrorJson>(done).error.hint).toContain('quote arguments')
  })

  test('T17 equal pieces are redundant at any size', async () => {
    const it = await workspace({ 'a.txt': 'one\ntwo\n', 'b.txt': 'one\ntwo\n', 'c.txt': 'three\n' })
    await it.said('evidence', 'add', 'a.txt', 'b.txt', 'c.txt')
    const said = await it.said('ask', 'What evidence is redundant?')
    expect(said).toMatch(/^110_b_txt: 100 % is in 100_a_txt/)
    expect(said).not.toContain('120_c_txt')
  })

  test('T17 lines of a file that are inside other lines of it are redundant at any size', async () => {
    const it = await workspace({ 'a.txt': numbered(1, 9) })
    await it.said('evidence', 'add', 'a.txt', 'a.txt::3,4', 'a.txt::8,9')
    const said = await it.said('ask', 'What evidence is redundant?')
    expect(said).toMatch(/^110_a_txt_2: 100 % is in 100_a_txt; lines 5–6 are lines 7–8 there$/m)
    expect(said).toMatch(/^120_a_txt_3: 100 % is in 100_a_txt/m)
  })
})

/** Two functions that call each other's helpers many times. */
function callers(name: string, helper: string): string {
  const calls = Array.from({ length: 30 }, (_, at) => `  total += ${helper}(${at})`)
  return `export function ${name}(): number {\n  let total = 0\n${calls.join('\n')}\n  return total\n}\n`
}

describe('T17 deps', () => {
  test('T17 name only what is inside the piece, grouped, with counts', async () => {
    const code = `${callers('first', 'help')}\n${callers('second', 'help')}\nexport function help(at: number): number {\n  return at\n}\n`
    const it = await workspace({ 'src/sums.ts': code })
    await it.said('index')
    const lines = code.split('\n')
    const end = lines.indexOf('export function second(): number {')
    // Two pieces that overlap, and one with the helper alone.
    await it.said('evidence', 'add', `src/sums.ts::1,${end}`, `src/sums.ts::10,${end}`)
    await it.said('evidence', 'add', 'symbol:help')
    const said = await it.said('evidence', 'deps', '100')
    expect(said.split('\n').filter((line) => line.includes('help'))).toEqual([
      'Calls help in 120_help.evidence.md (30 places: lines 7, 8, 9, …)',
    ])
    // The same lines in another piece are no reference to this one.
    expect(said).not.toContain('110_')
    const helper = await it.said('evidence', 'deps', '120')
    expect(helper).toContain(
      'Referenced by 100_sums_ts.evidence.md:7 (call of help, 30 places: lines 7, 8, 9, …)\n',
    )
    expect(helper).not.toContain('second')
  })

  test('T17 are at most a screen, and the rest is counted', async () => {
    const names = Array.from({ length: 60 }, (_, at) => `helper${at}`)
    const it = await workspace({
      'src/helpers.ts': names
        .map((name) => `export function ${name}(): number {\n  return 1\n}\n`)
        .join(''),
      'src/user.ts': `import { ${names.join(', ')} } from './helpers'\nexport const all = [\n${names.map((name) => `  ${name}(),\n`).join('')}]\n`,
    })
    await it.said('index')
    await it.said('evidence', 'add', 'src/helpers.ts', 'src/user.ts')
    const said = await it.said('evidence', 'deps', 'user_ts', '--quiet')
    expect(said.split('\n').length - 1).toBeLessThanOrEqual(40)
    expect(said).toMatch(/and \d+ more, with \d+ places/)
    const all = json<{ refersTo: readonly { what: string; lines: readonly number[] }[] }>(
      await it.run('evidence', 'deps', 'user_ts', '--json'),
    )
    expect(new Set(all.refersTo.map((one) => one.what))).toEqual(new Set(names))
  })

  test('T17 without an index, a name inside a longer one is no reference', async () => {
    const it = await workspace({
      'a.ts': 'alpha\n',
      'b.md': 'See data.ts.\n',
      'c.md': 'See a.ts.\n',
    })
    await it.said('evidence', 'add', 'a.ts', 'b.md', 'c.md')
    const said = await it.said('evidence', 'deps', '100')
    expect(said).toContain('Referenced by 120_c_md.evidence.md:5 (mention of a.ts)\n')
    expect(said).not.toContain('110_b_md')
  })
})

describe('T17 a limit of tokens', () => {
  test('T17 passes over what does not fit, keeps what does, and says why', async () => {
    const it = await workspace({
      'small.txt': numbered(1, 5),
      'large.txt': numbered(1, 2000),
      'last.txt': numbered(6, 9),
    })
    await it.said('evidence', 'add', 'small.txt', 'large.txt', 'last.txt')
    const said = await it.said('assemble', '--max-tokens', '3000')
    const plan = JSON.parse(
      readFileSync(join(it.flow, 'build/ctxplan.json'), 'utf8'),
    ) as ContextPlan
    expect(plan.parts.map((one) => [one.kind, one.status])).toEqual([
      ['policy', 'active'],
      ['request', 'active'],
      ['small_txt', 'active'],
      ['large_txt', 'skipped'],
      ['last_txt', 'active'],
    ])
    const [reason] = plan.parts.flatMap((one) => one.reason ?? [])
    expect(reason).toMatch(/^does not fit: \d+ tokens, \d+ left of 3000$/)
    expect(said).toContain(`  ✂ left out: 110_large_txt ${reason}\n`)
    const prompt = readFileSync(join(it.flow, 'build/prompt.mdctx'), 'utf8')
    expect(prompt).toContain('line 9\n')
    const planned = await it.said('evidence', 'plan', '--max-tokens', '3000')
    expect(planned).toContain(`ctx/evidence/110_large_txt.evidence.md  ${reason}\n`)
  })

  test('T17 gives the room to the lowest rank first', async () => {
    const it = await workspace({ 'a.txt': numbered(1, 100), 'b.txt': numbered(101, 200) })
    await it.said('evidence', 'add', 'a.txt', 'b.txt')
    const kept = async () =>
      json<ContextPlan>(await it.run('evidence', 'plan', '--max-tokens', '700', '--json'))
        .parts.filter((one) => one.role === 'evidence' && one.status === 'active')
        .map((one) => one.kind)
    expect(await kept()).toEqual(['a_txt'])
    await it.said('evidence', 'rank', 'b_txt', '50')
    expect(await kept()).toEqual(['b_txt'])
  })
})

describe('T17 provenance', () => {
  test('T17 a small piece says where it comes from once, with every field', async () => {
    const it = await workspace()
    await it.said('evidence', 'add', 'core/flow.sh::3,3#flow,manager')
    const prompt = await it.said('assemble', '--print')
    const piece = prompt.slice(prompt.indexOf('## Evidence: '))
    const plan = JSON.parse(
      readFileSync(join(it.flow, 'build/ctxplan.json'), 'utf8'),
    ) as ContextPlan
    const cid = plan.parts.at(-1)?.cid
    expect(piece).toBe(
      [
        '## Evidence: core/flow.sh',
        `<!-- source_uri=file://ctx/evidence/100_flow_sh.evidence.md; cid=${cid}; span=lines=3:3; tags=flow,manager -->`,
        '',
        '```sh',
        'source "$(dirname "$0")/state_manager.sh"',
        '```',
        '',
      ].join('\n'),
    )
    const countTokens = await realTokens()
    const body = countTokens('source "$(dirname "$0")/state_manager.sh"\n')
    expect(countTokens(piece) - body).toBeLessThan(100)
  })

  test('T17 a heading that does not name the source leaves its comment in the prompt', async () => {
    const it = await workspace()
    await it.said('evidence', 'add', 'core/flow.sh::3,3')
    const text = it.file('100_flow_sh.evidence.md').replace('core/flow.sh\n', 'how it begins\n')
    write(it.flow, { 'ctx/evidence/100_flow_sh.evidence.md': text })
    const prompt = await it.said('assemble', '--print')
    expect(prompt).toContain('## Evidence: how it begins\n')
    expect(prompt).toContain('<!-- source_uri=file://core/flow.sh; cid=')
  })
})

describe('T17 feedback', () => {
  test('T17 every change reports the bytes and tokens of its parts, the total and its share', async () => {
    const it = await workspace()
    const commands = [
      'evidence toggle off 110',
      'evidence rank 100_flow_sh 300',
      'evidence rebase',
      'evidence remove 110_error_handler_sh',
      'evidence undo',
      'evidence focus "error handling"',
      'evidence focus off',
      'evidence refresh',
      'ask authentication --missing --add 1',
      'evidence toggle 100',
    ]
    const [, ...said] = await it.typed(
      'evidence add core/flow.sh core/assembler.sh core/error_handler.sh',
      ...commands.flatMap((command) => [command, 'evidence list']),
    )
    for (const [at, command] of commands.entries()) {
      const feedback = said[2 * at] ?? ''
      expect(feedback, command).toMatch(TOTALS)
      expect(said[2 * at + 1], command).toContain(TOTALS.exec(feedback)?.[0])
      // Nothing was to be refreshed, and an undo is about no parts alone.
      if (!/undo|refresh/.test(command))
        expect(feedback, command).toMatch(/^ {2}Bytes: \d+ \(~\d+ tokens\)$/m)
    }
    const bytes = Buffer.byteLength(it.file('100_assembler_sh.evidence.md'))
    expect(said.at(-2)).toMatch(
      new RegExp(`^✓ Activated: 100_assembler_sh\\.evidence\\.md\n {2}Bytes: ${bytes} \\(~`),
    )
  })

  test('T17 a change is done and said even where the total cannot be known', async () => {
    const it = await workspace({ 'a.txt': 'a\n', 'b.txt': 'b\n' })
    await it.said('evidence', 'add', 'a.txt', 'b.txt', 'core/flow.sh', '--rank', '300')
    await it.said('evidence', 'add', 'examples/example', '--link')
    rmSync(join(it.cwd, 'examples/example'))
    const said = await it.said('evidence', 'remove', 'a_txt')
    expect(said).toContain('✗ Removed: 300_a_txt.evidence.md\n')
    expect(said).toMatch(/ {2}Total context: unknown, because 310_example is a link to /)
  })

  test('T17 the focus survives a refresh', async () => {
    const it = await workspace()
    await it.said('evidence', 'add', 'core/error_handler.sh', 'core/flow.sh')
    await it.said('evidence', 'focus', 'error handling')
    write(it.cwd, { 'core/flow.sh': 'echo other\n' })
    await it.said('evidence', 'refresh')
    await it.said('evidence', 'focus', 'off')
    expect(it.evidence()).toEqual(['100_error_handler_sh.evidence.md', '110_flow_sh.evidence.md'])
  })
})

describe('T17 a file with the name of no part', () => {
  test('T17 is reported by plan and assemble, and wherever else parts are counted', async () => {
    const it = await workspace()
    await it.said('evidence', 'add', 'core/flow.sh')
    write(it.flow, { 'ctx/evidence/20_notes.evidence.md': 'Notes.\n' })
    const said = / {2}not a part: ctx\/evidence\/20_notes\.evidence\.md \(/
    for (const words of [
      ['evidence', 'plan'],
      ['assemble'],
      ['evidence', 'list'],
      ['evidence', 'status'],
    ])
      expect(await it.said(...words), words.join(' ')).toMatch(said)
    const strays = ['ctx/evidence/20_notes.evidence.md']
    expect(json(await it.run('evidence', 'plan', '--json'))).toMatchObject({ strays })
    expect(json(await it.run('assemble', '--json'))).toMatchObject({ strays })
    const printed = await it.run('assemble', '--print')
    expect(printed.stdout).not.toContain('20_notes')
    expect(printed.stderr).toContain('ctx/evidence/20_notes.evidence.md')
    const sent = await it.run('submit', '--dry-run', '--api', 'anthropic')
    expect(sent.stderr).toContain('ctx/evidence/20_notes.evidence.md')
  })
})

describe('T17 refresh of a range of lines', () => {
  test('T17 follows both ends, and says where the lines are now', async () => {
    const it = await workspace({ 'a.txt': numbered(1, 40) })
    await it.said('evidence', 'add', 'a.txt::10,20#kept')
    write(it.cwd, { 'a.txt': `top\n${numbered(1, 14)}new\n${numbered(15, 40)}` })
    const said = await it.said('evidence', 'refresh')
    expect(said).toContain('  Range: lines=10:20 → lines=11:22\n')
    const file = it.file('100_a_txt.evidence.md')
    expect(file).toContain('; span=lines=11:22; tags=kept -->\n')
    expect(file).toContain(`\n${numbered(10, 14)}new\n${numbered(15, 20)}\`\`\`\n`)
  })
})

describe('T17 a file that is not UTF-8', () => {
  const LATIN = Uint8Array.from([0x67, 0x72, 0xfc, 0x6e, 0x0a])

  test('T17 is left out of a pattern with a diagnostic, and the rest is added', async () => {
    const it = await workspace({ 'in/a.txt': 'a\n', 'in/latin.txt': LATIN, 'in/z.txt': 'z\n' })
    const done = await it.run('evidence', 'add', 'in/*.txt', '--json')
    expect(it.evidence()).toEqual(['100_a_txt.evidence.md', '110_z_txt.evidence.md'])
    expect(json(done)).toMatchObject({
      diagnostics: [{ code: 'invalid-utf8', path: 'in/latin.txt' }],
    })
    const said = await it.said('evidence', 'add', 'in/*.txt', 'core/flow.sh')
    expect(said).toContain('  left out: in/latin.txt (not UTF-8 text)\n')
  })

  test('T17 named exactly, or alone in a pattern, is an error that says so', async () => {
    const it = await workspace({ 'in/latin.txt': LATIN })
    for (const selector of ['in/latin.txt', 'in/*.txt']) {
      const done = await it.run('evidence', 'add', selector, '--json')
      expect(json<ErrorJson>(done).error.message).toMatch(/in\/latin\.txt .*not UTF-8 text/)
    }
  })
})

describe('T17 ranks over MCP', () => {
  test('T17 are integers or their digits', async () => {
    const it = await workspace()
    const { client } = await served(it.cwd, ['--repo', '.'], it.env)
    const call = async (name: string, args: Record<string, unknown>) => {
      const result = await client.callTool({ name, arguments: args })
      return { text: textOf(result), isError: result.isError ?? false }
    }
    const added = await call('evidence_add', { selectors: ['core/flow.sh'], rank: 150 })
    expect(added.isError, added.text).toBe(false)
    expect(it.evidence()).toEqual(['150_flow_sh.evidence.md'])
    expect((await call('evidence_rank', { target: '150', rank: 50 })).isError).toBe(false)
    expect(it.evidence()).toEqual(['050_flow_sh.evidence.md'])
    expect((await call('evidence_rank', { target: '050', rank: '080' })).isError).toBe(false)
    expect(it.evidence()).toEqual(['080_flow_sh.evidence.md'])
    await call('evidence_toggle', { target: '080', state: 'off' })
    const again = await call('evidence_add', { selectors: ['core/flow.sh'] })
    expect(again.text).toContain('is already evidence: 080_flow_sh\n  Note: it is skipped\n')
    for (const rank of [1000, -1, 1.5, '1000'])
      expect((await call('evidence_rank', { target: '080', rank })).isError).toBe(true)
  })
})
