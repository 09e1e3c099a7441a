/** T14: the commands on docs packs do what their help says. */
import { describe, expect, test } from 'vitest'
import { readPack } from '../support/pack.ts'
import { folderWith, GUIDE } from './support/folder.ts'
import { dossier, type ErrorJson, json, shell } from './support/program.ts'

type Documents = Readonly<Record<string, string>>

async function builtFolder(documents: Documents): Promise<{
  readonly folder: string
  readonly ids: readonly string[]
}> {
  const folder = folderWith(documents)
  expect((await dossier(['ctx', 'build'], { cwd: folder })).status).toBe(0)
  return { folder, ids: readPack(folder).chunks.map((it) => it.id) }
}

describe('T14 ctx get --ids', () => {
  test('T14 known ids are printed beside unknown ones, in any order', async () => {
    const { folder, ids } = await builtFolder({ 'a,b.md': GUIDE, 'c.md': '# C\n\nThe third.\n' })
    const [comma = '', , last = ''] = ids
    expect(comma).toMatch(/^a,b:/)
    for (const list of [
      `nope,${last}`,
      `nope:1,${last}`,
      `${last},nope`,
      `nope,${comma},nada:2 , ${last}`,
    ]) {
      const got = await dossier(['ctx', 'get', '--ids', list], { cwd: folder })
      expect(got.stdout, list).toContain('The third.')
      if (list.includes(comma)) expect(got.stdout, list).toContain('The token budget')
      expect(got.stderr, list).toMatch(/^POC_E_CHUNK_UNKNOWN no chunk with id nope/)
      expect(got.stderr, list).not.toContain(`${last},`)
      expect(got.status, list).toBe(1)
    }
    const none = await dossier(['ctx', 'get', '--ids', 'nope,nada'], { cwd: folder })
    expect(none).toMatchObject({ stdout: '' })
    expect(none.stderr).toMatch(/^POC_E_CHUNK_UNKNOWN no chunk with id nope, nada\n/)
  })
})

describe('T14 ctx get --mode skeleton', () => {
  test('T14 a list item keeps its first sentence', async () => {
    const text = [
      '# Core Rules',
      '',
      '1. **Sync First**: Validate `.env` before anything else. Nothing is sent without it.',
      '2) Test locally! Always.',
      '   - a. Nested, with a letter. More.',
      '10. Last',
      '',
    ]
    const { folder, ids } = await builtFolder({ 'skill.md': text.join('\n') })
    const args = ['ctx', 'get', '--ids', ids.join(','), '--mode', 'skeleton']
    const got = await dossier(args, { cwd: folder })
    expect(got.stdout.split('\n').slice(3)).toEqual([
      '# Core Rules',
      '1. **Sync First**: Validate `.env` before anything else.',
      '2) Test locally!',
      '   - a. Nested, with a letter.',
      '10. Last',
      '',
    ])
  })
})

describe('T14 ctx build --verbose', () => {
  test.each([[[]], [['--dry-run']]])('T14 lists the digest entries (%j)', async (flags) => {
    const rules = '# Skill\n\n## Core Rules\n\nfirst\n\n## Other\n\nsecond\n'
    const folder = folderWith({ 'skill.md': rules, 'docs/agent.md': '# Agent\n\ntext\n' })
    const loud = await dossier(['ctx', 'build', '--verbose', ...flags], { cwd: folder })
    expect(loud.stdout).toMatch(
      /\n\n\[verbose\] Digest entries:\n {2}- agent: Agent\n {2}- skill: Skill → Core Rules \| Skill\n$/,
    )
    const plain = await dossier(['ctx', 'build', ...flags], { cwd: folder })
    expect(plain.stdout).not.toContain('Digest')
  })
})

describe('T14 ctx search', () => {
  test('T14 equal scores are ordered by place', async () => {
    const sections = Array.from({ length: 12 }, (_, at) => `## Setting ${at}\n\nlantern\n`).join(
      '\n',
    )
    const { folder } = await builtFolder({ 'b.md': sections, 'a.md': sections })
    const args = ['ctx', 'search', '--query', 'lantern', '--limit', '24', '--json']
    const { hits } = json<{
      readonly hits: readonly { readonly source: string; readonly score: number }[]
    }>(await dossier(args, { cwd: folder }))
    expect(new Set(hits.map((it) => it.score)).size).toBe(1)
    const places = ['a.md', 'b.md'].flatMap((path) =>
      Array.from({ length: 12 }, (_, at) => `${path}:${at * 4 + 1}-${at * 4 + 3}`),
    )
    expect(hits.map((it) => it.source)).toEqual(places)
  })
})

describe('T14 ctx get --budget', () => {
  test('T14 one that holds no chunk is an error, and the hint names the smallest that does', async () => {
    const long = `# Long\n\n${'A sentence of some length about nothing. '.repeat(40)}\n`
    const { folder, ids } = await builtFolder({ 'long.md': long, 'more.md': `${long}\nmore\n` })
    const get = (budget: string) =>
      dossier(['ctx', 'get', '--ids', ids.join(','), '--budget', budget], { cwd: folder })
    for (const budget of ['3', '30']) {
      const small = await get(budget)
      expect(small, budget).toMatchObject({ status: 1, stdout: '' })
      expect(small.stderr, budget).toMatch(
        /^POC_E_BUDGET_EXCEEDED .*\n {2}.* \d+: raise --budget\n$/,
      )
    }
    const smallest = Number(/ (\d+): raise/.exec((await get('30')).stderr)?.[1])
    expect((await get(String(smallest))).status).toBe(0)
    expect((await get(String(smallest))).stdout).toContain('# Long')
    expect((await get(String(smallest - 1))).status).toBe(1)
  })
})

describe('T14 a pack that is missing', () => {
  test('T14 the hint keeps the options that were given, and leads out', async () => {
    const folder = folderWith({ 'work/my docs/guide.md': GUIDE, 'work/docs/guide.md': GUIDE })
    const cwd = `${folder}/work`
    const cases = [
      [['--segment', 'docs'], 'dossier ctx build --segment docs'],
      [['-s', 'my docs'], `dossier ctx build --segment 'my docs'`],
      [['-s', 'docs', '-r', '../work'], 'dossier ctx build --segment docs --repo-root ../work'],
      [['-s', 'docs', '-p', 'p.json'], 'dossier ctx build --segment docs --output p.json'],
      [[], 'dossier ctx build'],
    ] as const
    for (const [flags, command] of cases) {
      const args = ['ctx', 'search', '--query', 'budget', ...flags]
      const missing = json<ErrorJson>(await dossier([...args, '--json'], { cwd }))
      expect(missing.error).toMatchObject({ code: 'POC_E_PACK_MISSING' })
      expect(missing.error.hint).toBe(`build one with \`${command}\``)
    }
    expect((await shell(cases[1][1], { cwd })).status).toBe(0)
    const found = await dossier(['ctx', 'search', '-q', 'budget', ...cases[1][0]], { cwd })
    expect(found).toMatchObject({ status: 0, stderr: '' })
  })
})
