/** Replaying a repository's own history from end to end: E4 to E7. */
import { mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { EngineError } from '../../src/model/engine-error.ts'
import {
  type EvalReport,
  type EvalRequest,
  evaluateHistory,
} from '../../src/packs/eval/evaluate.ts'
import { readSettings } from '../../src/packs/eval/settings.ts'
import type { World } from '../../src/platform/world.ts'
import { evaluate } from '../../src/surfaces/operations/context/eval.ts'
import { PLAIN } from '../../src/surfaces/operations/operation.ts'
import { GitRepository, hasGit } from '../support/git-repository.ts'
import { threadlessWorld } from '../support/indexed-folder.ts'
import { listing, temporaryFolder } from '../support/project.ts'

afterEach(() => {
  vi.unstubAllEnvs()
})

/** Scratch folders go where the test can see them; other folders are to be made before. */
function scratchHome(): string {
  const home = temporaryFolder()
  vi.stubEnv('TMPDIR', home)
  return home
}

interface Asked extends Partial<EvalRequest> {
  readonly world?: Partial<World>
}

function evaluated(folder: string, { world, ...request }: Asked = {}): Promise<EvalReport> {
  return evaluateHistory(threadlessWorld(folder, world), {
    path: '.',
    commits: 50,
    budgets: [300, 4000],
    ...request,
  })
}

async function refusal(folder: string, asked: Asked = {}): Promise<EngineError> {
  const outcome = await evaluated(folder, asked).then(
    () => undefined,
    (error: unknown) => error,
  )
  if (outcome instanceof EngineError) return outcome
  throw new Error('it was not refused', { cause: outcome })
}

function animal(name: string, sound: string): string {
  return `/** What a ${name} says. */\nexport function ${name}Sound() {\n  return '${sound}'\n}\n`
}

/** Three files that have nothing in common, and commits that each name one of them. */
function menagerie(): GitRepository {
  const repository = new GitRepository()
  repository.commit('Begin with three animals', {
    'src/walrus.ts': animal('walrus', 'oo'),
    'src/giraffe.ts': animal('giraffe', 'hm'),
    'src/cricket.ts': animal('cricket', 'zirp'),
    'docs/keeper.md':
      '# Keeper\n\nThe keeper feeds them all.\n\n## Night\n\nAt night they sleep.\n',
  })
  repository.commit('Let the walrus sound louder\n\nSigned-off-by: A <a@example.com>', {
    'src/walrus.ts': animal('walrus', 'OOO'),
  })
  repository.commit('Say that the keeper is there at night', {
    'docs/keeper.md':
      '# Keeper\n\nThe keeper feeds them all.\n\n## Night\n\nAt night one watches.\n',
  })
  repository.commit('The cricket sound is lower', { 'src/cricket.ts': animal('cricket', 'z') })
  return repository
}

describe.skipIf(!hasGit)('E4 what a replay says', () => {
  test('E4 commits are judged by what they changed, code and docs apart', async () => {
    const repository = menagerie()
    const report = await evaluated(repository.folder)
    expect(report).toMatchObject({
      head: repository.run('rev-parse', 'HEAD'),
      judged: 3,
      lookedAt: 4,
      leftOut: [{ reason: 'first commit', count: 1 }],
      budgets: [300, 4000],
    })
    expect(report.commits.map((it) => it.query)).toEqual([
      'Let the walrus sound louder',
      'Say that the keeper is there at night',
      'The cricket sound is lower',
    ])
    expect(report.commits.map((it) => it.gold.map(({ path, kind }) => [path, kind]))).toEqual([
      [['src/walrus.ts', 'code']],
      [['docs/keeper.md', 'docs']],
      [['src/cricket.ts', 'code']],
    ])
    const [only] = report.settings
    const kinds = new Map(only?.kinds.map((it) => [it.kind, it]))
    expect([...kinds].map(([kind, { commits }]) => [kind, commits])).toEqual([
      ['all', 3],
      ['code', 2],
      ['tests', 0],
      ['docs', 1],
    ])
    // Each message names its file alone, and all of them together fit.
    expect(kinds.get('all')).toMatchObject({
      recallAt1: 1,
      mrr: 1,
      covered: [expect.any(Number), 1],
    })
  })

  test('E4 gold is what stood there before: a pack of what comes after would miss it', async () => {
    const repository = menagerie()
    const text = Array.from({ length: 60 }, (_, at) => `export const item${at} = ${at}\n`)
    repository.commit('Keep a long list of items', { 'src/list.ts': text.join('') })
    const changed = text.with(30, 'export const item30 = "thirty"\n').toSpliced(50, 0, '// here\n')
    repository.commit('Items in the list: thirty in words', { 'src/list.ts': changed.join('') })
    const report = await evaluated(repository.folder, { commits: 1 })
    const count = await threadlessWorld(repository.folder).tokens()
    const gold = [30, 49, 50].map((at) => count(text[at] ?? '')).reduce((sum, it) => sum + it, 0)
    expect(report.commits[0]?.gold).toEqual([{ path: 'src/list.ts', kind: 'code', tokens: gold }])
  })

  test('E4 the same history gives the same report, whatever lies in the working tree', async () => {
    const repository = menagerie()
    const first = JSON.stringify(await evaluated(repository.folder))
    repository.run('rm', '--quiet', '--cached', 'src/walrus.ts')
    mkdirSync(join(repository.folder, 'new'))
    expect(JSON.stringify(await evaluated(repository.folder))).toBe(first)
  })

  test('E4 a budget that nothing fits into covers nothing, and that is said', async () => {
    const { folder } = menagerie()
    const notices: string[] = []
    const notice = (text: string): void => void notices.push(text)
    const report = await evaluated(folder, { budgets: [1, 4000], world: { notice } })
    expect(report.settings[0]?.kinds[0]?.covered).toEqual([0, 1])
    expect(notices).toHaveLength(3)
    expect(notices[0]).toContain('1 tokens: Let the walrus sound louder')
  })

  test('E4 a folder of the repository is judged by itself', async () => {
    const repository = menagerie()
    const report = await evaluated(repository.folder, { path: 'src' })
    expect(report.commits.map((it) => it.gold[0]?.path)).toEqual(['walrus.ts', 'cricket.ts'])
    expect(report.leftOut).toContainEqual({ reason: 'changes nothing here', count: 1 })
  })

  test('E4 table and bars are there for people', async () => {
    const repository = menagerie()
    const compare = ['few=maxItems:1', 'usual=']
    const report = await evaluated(repository.folder, { compare })
    const text = evaluate.text(report, PLAIN)
    expect(text).toContain('3 commits judged of 4')
    expect(text).toContain('left out: 1 first commit')
    expect(text).toMatch(/few all +3 +100 %/)
    expect(text).toMatch(/usual docs +1 /)
    expect(text).toMatch(/all at 4000 usual +█{32} 100 %/)
    expect(text).toMatch(/won and lost by usual against few: first right file 0 and 0/)
  })
})

describe.skipIf(!hasGit)('E5 the repository is only read', () => {
  test('E5 no file of it, of its git directory or of the scratch folder is changed or left', async () => {
    const { folder } = menagerie()
    const home = scratchHome()
    const state = (): readonly string[] =>
      listing(folder).map((path) => `${path} ${statSync(join(folder, path)).mtimeMs}`)
    const before = state()
    await evaluated(folder)
    expect(state()).toEqual(before)
    expect(readdirSync(home)).toEqual([])
  })

  test('E5 variables of a hook do not lead to another repository', async () => {
    const other = menagerie()
    other.commit('Only in the other repository', { 'src/walrus.ts': 'export {}\n' })
    const { folder } = menagerie()
    vi.stubEnv('GIT_DIR', join(other.folder, '.git'))
    vi.stubEnv('GIT_INDEX_FILE', join(other.folder, '.git', 'index'))
    const report = await evaluated(folder)
    expect(report.commits.map((it) => it.subject)).not.toContain('Only in the other repository')
  })

  test.each([0, 1, 2])('E5 given up after %d commits, nothing is left', async (after) => {
    const { folder } = menagerie()
    const home = scratchHome()
    const giveUp = new AbortController()
    let done = 0
    const advance = (): void => {
      done += 1
      if (done === after) giveUp.abort()
    }
    if (after === 0) giveUp.abort()
    const progress = { begin: () => undefined, advance, end: () => undefined }
    const error = await refusal(folder, { world: { signal: giveUp.signal, progress } })
    expect(error.code).toBe('POC_E_CANCELLED')
    expect(readdirSync(home)).toEqual([])
  })
})

describe('E6 settings by name', () => {
  test('E6 fields of a request, where they belong', () => {
    expect(
      readSettings([
        'a=seedProvider:sparse,maxHops:1',
        'edgeTypes:call+usage',
        'b=',
        'c=maxItems:9',
      ]),
    ).toEqual([
      {
        name: 'a',
        given: 'seedProvider:sparse,maxHops:1,edgeTypes:call+usage',
        fields: {
          seedProvider: 'sparse',
          expansion: { maxHops: 1, edgeTypes: ['call', 'usage'] },
        },
      },
      { name: 'b', given: '', fields: {} },
      { name: 'c', given: 'maxItems:9', fields: { budgets: { maxItems: 9 } } },
    ])
  })

  test.each([
    ['seedProvider:sparse', 'these settings have no name: seedProvider:sparse', 'NAME='],
    ['=seedProvider:sparse', 'these settings have no name', 'NAME='],
    ['a=seedprovider:sparse', 'there is no setting seedprovider', 'seedProvider'],
    ['a=seedProvider:spare', 'seedProvider cannot be spare', 'sparse'],
    ['a=maxHops:two', 'maxHops cannot be two', 'a whole number'],
    ['a=maxHops', 'maxHops cannot be nothing', 'a whole number'],
    ['a=edgeTypes:call+cal', 'edgeTypes cannot be call+cal', 'usage'],
    ['a=__proto__:1', 'there is no setting __proto__', 'there are'],
    ['a=,a=', 'two settings are called a', 'own name'],
  ])('E6 %s is refused', (text, message, hint) => {
    const read = (): unknown => readSettings([text])
    expect(read).toThrow(EngineError)
    expect(read).toThrow(message)
    expect(read).toThrow(expect.objectContaining({ hint: expect.stringContaining(hint) }))
  })
})

describe.skipIf(!hasGit)('E7 what cannot be replayed', () => {
  test('E7 no git repository', async () => {
    const folder = temporaryFolder()
    const error = await refusal(folder)
    expect(error).toMatchObject({ code: 'POC_E_REQUEST_INVALID' })
    expect(error.message).toContain('is not in a git repository')
  })

  test('E7 no folder', async () => {
    const error = await refusal(temporaryFolder(), { path: 'nowhere' })
    expect(error).toMatchObject({ code: 'POC_E_REQUEST_INVALID' })
  })

  test('E7 git is not installed', async () => {
    const { folder } = menagerie()
    const { tools } = threadlessWorld(folder)
    const world = { tools: { ...tools, find: () => undefined } }
    const error = await refusal(folder, { world })
    expect(error).toMatchObject({ code: 'POC_E_NOT_SUPPORTED', message: 'git is not installed' })
  })

  test('E7 no commit yet, none that can be judged, none of that name', async () => {
    const repository = new GitRepository()
    expect((await refusal(repository.folder)).message).toBe('the repository has no commit yet')
    repository.commit('Begin with nothing much', { 'a.ts': 'export {}\n' })
    const none = await refusal(repository.folder)
    expect(none.message).toBe('none of 1 commits can be judged')
    expect(none.hint).toContain('three words')
    const { message } = await refusal(repository.folder, { since: '--all' })
    expect(message).toBe('there is no commit --all')
  })

  test('E7 a shallow clone, whose last commit has nothing before it', async () => {
    const origin = menagerie()
    const folder = join(temporaryFolder(), 'clone')
    const clone = (depth: number): string =>
      origin.run(
        'clone',
        '--quiet',
        `--depth=${depth}`,
        pathToFileURL(origin.folder).href,
        `${folder}${depth}`,
      )
    clone(1)
    const error = await refusal(`${folder}1`)
    expect(error.message).toContain('shallow clone')
    expect(error.hint).toContain('git fetch --unshallow')
    clone(2)
    const notices: string[] = []
    const notice = (text: string): void => void notices.push(text)
    const report = await evaluated(`${folder}2`, { world: { notice } })
    expect(report.judged).toBe(1)
    expect(notices.join()).toContain('shallow')
  })

  test('E7 a partial clone, which would have to fetch', async () => {
    const origin = menagerie()
    origin.run('config', 'uploadpack.allowFilter', 'true')
    const folder = join(temporaryFolder(), 'clone')
    const source = pathToFileURL(origin.folder).href
    origin.run('clone', '--quiet', '--no-checkout', '--filter=blob:none', source, folder)
    const before = listing(folder)
    const error = await refusal(folder)
    expect(error.code).toBe('POC_E_READ_FAILED')
    expect(error.hint).toContain('partial clone')
    expect(listing(folder)).toEqual(before)
  })
})
