/**
 * The contract's own examples, every command of them, as a person types them: in bash with
 * `dossier …` in front, and as lines with `/` at the prompt of `dossier shell`.
 */
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ContextPlan } from '../../src/model/evidence.ts'
import { realTokens } from '../support/world.ts'
import {
  FLOW_ID,
  newScriptsRepository,
  SCRIPTS,
  type ScriptsRepository,
} from './support/evidence-repository.ts'
import { removeFolder, write } from './support/folder.ts'
import { shell } from './support/program.ts'

/** A command is run by the program under test, all else by the shell. */
interface Way {
  readonly name: string
  /** How a command is written. */
  command(words: string): string
  /** How lines with `$e1` get their variables. */
  readonly variables: string
  /** How a file of such lines is run. */
  readonly run: string
}

const WAYS: readonly Way[] = [
  {
    name: 'in bash',
    command: (words) => `dossier ${words}`,
    variables: 'eval "$(dossier evidence env)"',
    run: 'source .dossier/lines 2>&1',
  },
  {
    name: 'at the prompt',
    command: (words) => `/${words}`,
    variables: 'true',
    run: 'dossier shell < .dossier/lines 2>&1',
  },
]

const MARK = '-- next --'
const DEADLINE_MS = 110_000

/** Lines with `$` in front are for the system's shell; `$$` is how it gets the variables. */
function lineFor(way: Way, line: string): string {
  if (line === '$$') return way.variables
  return line.startsWith('$ ') ? line.slice(2) : way.command(line)
}

/** What each line printed. The file of them lies where the index does not look. */
async function transcript(
  way: Way,
  where: ScriptsRepository,
  lines: readonly string[],
): Promise<readonly string[]> {
  const script = lines.flatMap((line) => [lineFor(way, line), `echo '${MARK}'`])
  write(where.cwd, { '.dossier/lines': `${script.join('\n')}\n` })
  const done = await shell(way.run, { ...where, timeoutMs: DEADLINE_MS })
  expect(done.stderr).toBe('')
  return done.stdout.split(`${MARK}\n`).slice(0, -1)
}

/** Under a name each, so that tests can ask what it printed. */
const STEPS = {
  begin: 'flow new "fix parser" --policy "Answer with a patch." --request "Fix the parser."',
  addFlow: 'evidence add core/flow.sh',
  addAssembler: 'evidence add core/assembler.sh',
  addState: 'evidence add core/state_manager.sh',
  addTest: 'evidence add tests/test_flow.sh --rank 200',
  addExample: 'evidence add examples/example.sh --rank 300',
  addOptional: 'evidence add docs/example.md --rank 400',
  print: 'assemble --print',
  // Toggle strategy.
  toggleOff: 'evidence toggle off 300-399',
  statusWithout: 'evidence status',
  toggleOn: 'evidence toggle on 300_example',
  toggleOne: 'evidence toggle 200_test_flow_sh',
  status: 'evidence status',
  // Asking questions about context.
  plan: 'evidence plan',
  budget: 'evidence budget',
  variables: '$$',
  echo: '$ echo "$EVIDENCE_COUNT" "$FLOW_DIR"',
  cat: '$ cat $e1',
  grep: '$ grep "function" $e2',
  diff: '$ diff $e1 $e3',
  // Evidence queries.
  addErrors: 'evidence add core/error_handler.sh --rank 110',
  addErrorTest: 'evidence add tests/test_errors.sh --rank 250',
  addLines: 'evidence add core/flow.sh::100,180 --rank 420',
  covers: 'ask "What evidence covers error handling?"',
  missing: `ask "What's missing for authentication?"`,
  redundant: 'ask "What evidence is redundant?"',
  addMissing: 'ask authentication --missing --add 2',
  undoMissing: 'evidence undo',
  // Smart toggle.
  skipErrorTest: 'evidence toggle off 250_test_errors_sh',
  planBefore: 'evidence plan --json',
  focus: 'evidence focus "error handling"',
  planDuring: 'evidence plan --json',
  focusOff: 'evidence focus off',
  planAfter: 'evidence plan --json',
  // Evidence dependencies.
  deps: 'evidence deps 100_flow_sh',
  // Grooming evidence.
  removeSome: 'evidence remove 420 250 110_error_handler_sh',
  rank: 'evidence rank 100_flow_sh 50',
  rebase: 'evidence rebase',
  undoRebase: 'evidence undo',
  undoRank: 'evidence undo',
  remove: 'evidence remove 400_example',
  undoRemove: 'evidence undo',
  removeMore: 'evidence remove 400_example 300_example 120',
  // Assembly.
  addLink: 'evidence add examples/example --rank 300 --link',
  assemble: 'assemble',
  files: '$ ls "$FLOW_DIR/ctx/evidence"',
  prompt: '$ cat "$FLOW_DIR/build/prompt.mdctx"',
  plans: '$ cat "$FLOW_DIR/build/ctxplan.json"',
} as const

type Step = keyof typeof STEPS

/** The part's own figures, and those of the prompt as it would be. */
const FEEDBACK =
  /^✓ Added evidence: (.+)\n {2}Bytes: (\d+) \(~(\d+) tokens\)\n {2}Total context: (\d+) bytes \(~(\d+) tokens\)\n {2}Budget: (\d+)% of 10000 token limit\n$/

/** After every other change: its parts, where there are any, and the prompt as it would be. */
const SIZE =
  / {2}Bytes: \d+ \(~\d+ tokens\)\n {2}Total context: \d+ bytes \(~\d+ tokens\)\n {2}Budget: \d+% of 10000 token limit\n$/
const TOTAL =
  / {2}Total context: \d+ bytes \(~\d+ tokens\)\n {2}Budget: \d+% of 10000 token limit\n$/

function withoutSize(said: string): string {
  expect(said).toMatch(SIZE)
  return said.replace(SIZE, '')
}

function withoutTotal(said: string): string {
  expect(said).toMatch(TOTAL)
  return said.replace(TOTAL, '')
}

describe.each(WAYS.map((it) => [it.name, it] as const))('EV the contract %s', (_, way) => {
  let where: ScriptsRepository
  let said: Readonly<Record<Step, string>>

  beforeAll(async () => {
    where = newScriptsRepository()
    const outputs = await transcript(way, where, Object.values(STEPS))
    const steps = Object.keys(STEPS).map((step, at) => [step, outputs[at]])
    said = Object.fromEntries(steps) as Record<Step, string>
  })

  afterAll(() => removeFolder(where.cwd))

  test('EV15 every added piece has its four lines of feedback', async () => {
    expect(said.begin).toContain(`✓ Flow: ${FLOW_ID}\n`)
    const added = [said.addFlow, said.addAssembler, said.addState, said.addTest]
    const all = [...added, said.addExample, said.addOptional]
    expect(all.map((it) => FEEDBACK.exec(it)?.[1])).toEqual([
      '100_flow_sh.evidence.md',
      '110_assembler_sh.evidence.md',
      '120_state_manager_sh.evidence.md',
      '200_test_flow_sh.evidence.md',
      '300_example_sh.evidence.md',
      '400_example_md.evidence.md',
    ])
    expect(Number(FEEDBACK.exec(said.addFlow)?.[2])).toBe(Buffer.byteLength(said.cat))
    const [total, tokens, share] = (FEEDBACK.exec(said.addOptional) ?? []).slice(4).map(Number)
    expect(total).toBe(Buffer.byteLength(said.print))
    // Counted part by part: a token or two may join where parts meet.
    const count = await realTokens()
    expect(Math.abs((tokens ?? 0) - count(said.print))).toBeLessThanOrEqual(2 * all.length)
    expect(share).toBe(Math.round((tokens ?? 0) / 100))
  })

  test('EV5 peripheral evidence is disabled and enabled, by rank and by name', () => {
    expect(withoutSize(said.toggleOff)).toBe('○ Skipped: 300_example_sh.evidence.md.skip\n')
    expect(said.statusWithout).toMatch(/^ {2}Evidence: {2}5 parts, \d+ bytes \(~\d+ tokens\)$/m)
    expect(said.statusWithout).toMatch(/^ {2}Skipped: {3}1 part, \d+ bytes \(~\d+ tokens\)$/m)
    expect(withoutSize(said.toggleOn)).toBe('✓ Activated: 300_example_sh.evidence.md\n')
    expect(withoutSize(said.toggleOne)).toBe('○ Skipped: 200_test_flow_sh.evidence.md.skip\n')
    expect(said.status).toMatch(
      new RegExp(
        [
          `^${FLOW_ID}`,
          '  System:    1 part, 21 bytes \\(~\\d+ tokens\\)',
          '  User:      1 part, 16 bytes \\(~\\d+ tokens\\)',
          '  Evidence:  5 parts, \\d+ bytes \\(~\\d+ tokens\\)',
          '  Skipped:   1 part, \\d+ bytes \\(~\\d+ tokens\\)',
          '  Token Budget: \\d+ / 10000 tokens \\(\\d+%\\)',
          '  █+[▏▎▍▌▋▊▉]?░+\n$',
        ].join('\n'),
      ),
    )
  })

  test('EV15 plan and budget show the order of the parts and where the tokens go', () => {
    expect(said.plan.match(/ctx\/\S+/g)).toEqual([
      'ctx/000_policy.system.md',
      'ctx/010_request.user.md',
      'ctx/evidence/100_flow_sh.evidence.md',
      'ctx/evidence/110_assembler_sh.evidence.md',
      'ctx/evidence/120_state_manager_sh.evidence.md',
      'ctx/evidence/300_example_sh.evidence.md',
      'ctx/evidence/400_example_md.evidence.md',
      'ctx/evidence/200_test_flow_sh.evidence.md.skip',
    ])
    expect(said.budget).toMatch(/^ {2}100-199 {2}█.* \d+ tokens, 3 parts {2}critical$/m)
    expect(said.budget).toMatch(/^ {2}200-299 .* 0 tokens, 0 parts, 1 skipped {2}supporting$/m)
    expect(said.budget).toMatch(/^ {2}█.* +\d+ {2}100_flow_sh$/m)
    expect(said.budget).not.toContain('200_test_flow_sh')
  })

  test('EV14 evidence is looked at with cat, grep and diff', () => {
    expect(said.echo).toBe(`5 ${where.flow}\n`)
    expect(said.cat).toMatch(
      /^## Evidence: core\/flow\.sh\n<!-- source_uri=file:\/\/core\/flow\.sh;/,
    )
    expect(said.cat).toContain(SCRIPTS['core/flow.sh'])
    expect(said.grep).toBe('function assemble_context() {\n')
    expect(said.diff).toContain('> ## Evidence: core/state_manager.sh\n')
  })

  test('AS1 what covers something is shown with its lines', () => {
    expect(said.covers.match(/^\d{3}_\S+/gm)).toEqual([
      '110_error_handler_sh.evidence.md',
      '250_test_errors_sh.evidence.md',
    ])
    expect(said.covers).toMatch(/^ +6 {2}# Error handling: every error ends here\.$/m)
  })

  test('AS2 what is missing is named so that it can be added', () => {
    expect(said.missing.match(/^\S+?::\d+,\d+/gm)).toEqual([
      'auth/login.sh::1,5',
      'auth/tokens.sh::1,5',
    ])
    expect(said.addMissing).toContain('✓ Added evidence: 430_login_sh.evidence.md\n')
    expect(said.addMissing).toContain('✓ Added evidence: 440_tokens_sh.evidence.md\n')
    expect(said.undoMissing).toMatch(/^✓ Undone: add auth\/login\.sh::1,5 .*2 files moved to/)
  })

  test('AS3 what is redundant is named, with what it repeats', () => {
    expect(said.redundant).toMatch(
      /^420_core_flow_sh: 100 % is in 100_flow_sh; lines 5–85 are lines 104–184 there\n/,
    )
  })

  test('EV9 focus keeps what matches active, and off restores exactly what was', () => {
    expect(said.focus).toMatch(
      /^✓ Focused on "error handling": 110_error_handler_sh, 250_test_errors_sh\n/,
    )
    expect(said.focus).toContain('✓ Activated: 250_test_errors_sh.evidence.md\n')
    expect(said.focus).toContain('○ Skipped: 100_flow_sh.evidence.md.skip\n')
    const plan = JSON.parse(said.planDuring) as ContextPlan
    const active = plan.parts.filter((it) => it.role === 'evidence' && it.status === 'active')
    expect(active.map((it) => it.kind)).toEqual(['error_handler_sh', 'test_errors_sh'])
    expect(said.focusOff).toContain('○ Skipped: 250_test_errors_sh.evidence.md.skip\n')
    expect(said.planAfter).toBe(said.planBefore)
  })

  test('EV16 deps: referenced by, with the line, and what it calls', () => {
    expect(said.deps).toMatch(
      /^Referenced by 110_assembler_sh\.evidence\.md:42 \(call of flow_create\)$/m,
    )
    expect(said.deps).toMatch(
      /^Calls state_write in 120_state_manager_sh\.evidence\.md \(26 places: lines 10, \d+, \d+, …\)$/m,
    )
  })

  test('EV7 EV8 grooming: rank, rebase, remove, and the way back', () => {
    expect(withoutSize(said.rank)).toBe(
      '✓ Renamed: 100_flow_sh.evidence.md → 050_flow_sh.evidence.md\n',
    )
    expect(withoutSize(said.rebase)).toBe(
      [
        '✓ Renamed: 050_flow_sh.evidence.md → 100_flow_sh.evidence.md',
        '✓ Renamed: 200_test_flow_sh.evidence.md.skip → 130_test_flow_sh.evidence.md.skip',
        '✓ Renamed: 300_example_sh.evidence.md → 140_example_sh.evidence.md',
        '✓ Renamed: 400_example_md.evidence.md → 150_example_md.evidence.md\n',
      ].join('\n'),
    )
    expect(withoutTotal(said.undoRebase)).toBe('✓ Undone: rebase (4 files restored)\n')
    expect(withoutTotal(said.undoRank)).toBe('✓ Undone: rank 100_flow_sh 050 (1 file restored)\n')
    expect(withoutSize(said.remove)).toBe('✗ Removed: 400_example_md.evidence.md\n')
    expect(withoutTotal(said.undoRemove)).toBe('✓ Undone: remove 400_example (1 file restored)\n')
  })

  test('EV10 prompt.mdctx is as the contract shows it', () => {
    const { prompt } = said
    expect(said.assemble).toContain('✓ Assembled 4 active, 1 linked, 1 skipped: ')
    expect(said.files.trim().split('\n')).toEqual([
      '100_flow_sh.evidence.md',
      '110_assembler_sh.evidence.md',
      '200_test_flow_sh.evidence.md.skip',
      '300_example.evidence.link',
    ])
    expect(prompt).toMatch(
      /^<!--.*-->\n\n# System\n\nAnswer with a patch\.\n\n# User Request\n\nFix the parser\.\n\n## Evidence/,
    )
    const cids = (JSON.parse(said.plans) as ContextPlan).parts.map((it) => it.cid)
    expect(
      prompt.split('\n').filter((it) => /^(?:# (?:System|User)|## Evid|<!-- )/.test(it)),
    ).toEqual([
      `<!-- mdctx:version=1.0; flow_id=${FLOW_ID}; assembly=lexical -->`,
      '# System',
      '# User Request',
      ...promptHead('core/flow.sh', '100_flow_sh.evidence.md', cidOf(said.cat)),
      ...promptHead('core/assembler.sh', '110_assembler_sh.evidence.md', cids[3] ?? ''),
      ...promptHead('examples/example', '300_example.evidence.link', cidOf('A linked example.\n')),
    ])
    for (const path of ['core/flow.sh', 'core/assembler.sh'])
      expect(prompt).toContain(`\n\`\`\`sh\n${SCRIPTS[path]}\`\`\`\n`)
    expect(prompt).toContain('\n```\nA linked example.\n```\n')
  })

  test('EV11 ctxplan.json is as the contract shows it', () => {
    const plan = JSON.parse(said.plans) as ContextPlan
    expect(said.plans).toBe(`${JSON.stringify(plan, null, 2)}\n`)
    const { parts, ...rest } = plan
    const shown = parts.filter((it) => it.status !== 'skipped')
    expect(Object.entries(rest)).toEqual([
      ['version', '1.0'],
      ['flow_id', FLOW_ID],
      ['order_rule', 'lexical'],
      ['total_bytes', shown.reduce((sum, it) => sum + it.bytes, 0)],
      ['ctx_digest', cidOf(said.prompt)],
    ])
    const keys = ['rank', 'kind', 'role', 'uri', 'cid', 'bytes', 'status']
    expect(Object.keys(plan).indexOf('parts')).toBe(3)
    expect(parts.map((it) => Object.keys(it))).toEqual(parts.map(() => keys))
    const at = 'file://ctx/'
    expect(parts.map((it) => [it.rank, it.kind, it.role, it.uri, it.status])).toEqual([
      ['000', 'policy', 'system', `${at}000_policy.system.md`, 'active'],
      ['010', 'request', 'user', `${at}010_request.user.md`, 'active'],
      ['100', 'flow_sh', 'evidence', `${at}evidence/100_flow_sh.evidence.md`, 'active'],
      ['110', 'assembler_sh', 'evidence', `${at}evidence/110_assembler_sh.evidence.md`, 'active'],
      ['200', 'test_flow_sh', 'evidence', `${at}evidence/200_test_flow_sh.evidence.md`, 'skipped'],
      ['300', 'example', 'evidence', `${at}evidence/300_example.evidence.link`, 'linked'],
    ])
    expect(parts[0]).toMatchObject({ cid: cidOf('Answer with a patch.\n'), bytes: 21 })
    expect(parts[2]).toMatchObject({
      cid: cidOf(said.cat),
      bytes: Buffer.byteLength(said.cat),
    })
  })

  test('EV2 EV3 selectors: whole files, lines, bytes, tags', async () => {
    const done = await transcript(way, where, [
      'flow new selectors',
      'evidence add core/flow.sh core/flow.sh::100,200 core/flow.sh::100',
      'evidence add core/flow.sh::100c,500c',
      'evidence add core/assembler.sh#flow,manager',
      'evidence add core/flow.sh::101,200#bug',
      '$$',
      '$ head -n 2 -q "$e1" "$e2" "$e3" "$e4" "$e5" "$e6"',
      '$ sed -n "5,\\$p" "$e2" | head -n -1',
      '$ sed -n "5,\\$p" "$e4" | head -n -1',
    ])
    const text = SCRIPTS['core/flow.sh'] ?? ''
    expect(done[1]).toContain('  Range: lines=100:200\n')
    expect(done[3]).toContain('  Tags: flow, manager\n')
    expect(done[6]).toBe(
      [
        head('core/flow.sh', 'full'),
        head('core/flow.sh', 'lines=100:200'),
        head('core/flow.sh', 'lines=100:EOF'),
        head('core/flow.sh', 'bytes=100:500'),
        head('core/assembler.sh', 'full; tags=flow,manager'),
        head('core/flow.sh', 'lines=101:200; tags=bug'),
      ].join(''),
    )
    expect(done[7]).toBe(`${text.split('\n').slice(99, 200).join('\n')}\n`)
    expect(done[8]?.trimEnd()).toBe(Buffer.from(text).subarray(100, 500).toString().trimEnd())
  })
})

function promptHead(path: string, part: string, cid: string): readonly string[] {
  return [
    `## Evidence: ${path}`,
    `<!-- source_uri=file://ctx/evidence/${part}; cid=${cid}; span=full -->`,
  ]
}

function head(path: string, rest: string): string {
  const cid = cidOf(SCRIPTS[path] ?? '')
  return `## Evidence: ${path}\n<!-- source_uri=file://${path}; cid=${cid}; span=${rest} -->\n`
}

function cidOf(text: string): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`
}
