/** Context from notes, asked for on the command line. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ContextDocument } from '../../src/model/context-document.ts'
import { COMPANY_NOW, COMPANY_PROJECT } from '../support/tana-company.ts'
import { writeTanaWorkspace } from '../support/tana-workspace.ts'
import { realTokens } from '../support/world.ts'
import { removeFolder } from './support/folder.ts'
import { newPerson, type Person, person } from './support/person.ts'
import { type ErrorJson, json } from './support/program.ts'

let mara: Person
const NOW = ['--now', new Date(COMPANY_NOW).toISOString()] as const

beforeAll(async () => {
  mara = newPerson()
  const path = writeTanaWorkspace(mara.folder)
  for (const args of [
    ['notes', 'import', path, '--workspace', 'company'],
    ['notes', 'import', 'vault', '--workspace', 'lamp'],
  ]) {
    const done = await mara.run(...args)
    expect(done.status, done.stderr).toBe(0)
  }
  mara.configure({
    ...(mara.config() as object),
    defaultWorkspace: 'company',
    lenses: {
      brief: { extends: 'general', maxDepth: 1 },
      people: { extends: 'brief', priorityTypes: ['field'], boostTags: ['person'] },
    },
  })
})

afterAll(() => removeFolder(mara.folder))

async function documentOf(...args: readonly string[]): Promise<ContextDocument> {
  const done = await mara.run('context', ...args, ...NOW, '--format', 'json')
  expect(done, done.stderr).toMatchObject({ status: 0, stderr: '' })
  return json<ContextDocument>(done)
}

async function errorOf(...args: readonly string[]): Promise<ErrorJson['error']> {
  const done = await mara.run('context', ...args, '--json')
  expect(done.status, done.stdout).not.toBe(0)
  return json<ErrorJson>(done).error
}

describe('NC7 context', () => {
  test('NC7 a topic gives a document for people', async () => {
    const done = await mara.run('context', 'Atlas search engine', ...NOW)
    expect(done).toMatchObject({ status: 0, stderr: '' })
    expect(done.stdout).toMatch(/^# /)
    expect(done.stdout).toContain('Atlas search engine')
    expect(done.stdout).toContain('Ranking puts old pages first')
    expect(done.stdout.endsWith('\n')).toBe(true)
    const count = await realTokens()
    expect(count(done.stdout)).toBeLessThanOrEqual(4000)
  })

  test('NC7 an id gives that note first, in the shape of the contract', async () => {
    const { meta, nodes, overflow } = await documentOf(COMPANY_PROJECT)
    expect(meta).toMatchObject({
      query: COMPANY_PROJECT,
      workspace: 'company',
      lens: 'general',
      backend: 'sqlite',
      assembledAt: '2026-01-15T12:00:00Z',
      tokens: { budget: 4000, nodesIncluded: nodes.length, nodesSummarized: overflow.length },
    })
    expect(nodes[0]).toMatchObject({ id: COMPANY_PROJECT, distance: 0, path: [] })
    expect(nodes[0]?.fields).toMatchObject({ Status: 'active' })
    expect(nodes.length).toBeGreaterThan(3)
  })

  test('NC7 the same request gives the same bytes', async () => {
    const args = ['context', 'testers', '--lens', 'planning', ...NOW]
    const first = await mara.run(...args)
    expect(first.stdout).not.toBe('')
    expect((await mara.run(...args)).stdout).toBe(first.stdout)
    const later = await mara.run(...args.slice(0, 4), '--now', '2027-01-15T12:00:00Z')
    expect(later.stdout).not.toBe(first.stdout)
  })

  test('NC7 --json is the document, counted as it is printed', async () => {
    const done = await mara.run('context', COMPANY_PROJECT, ...NOW, '--json', '-t', '1500')
    const document = json<ContextDocument>(done)
    const count = await realTokens()
    expect(document.meta.tokens.used).toBeLessThanOrEqual(1500)
    expect(count(done.stdout)).toBeLessThanOrEqual(1500)
    const asked = ['context', COMPANY_PROJECT, ...NOW, '--format', 'json', '-t', '1500']
    expect(json(await mara.run(...asked))).toEqual(document)
  })

  test('NC7 depth, budget, fields and lens are what they are called', async () => {
    const near = await documentOf(COMPANY_PROJECT, '--depth', '1', '--max-tokens', '20000')
    const far = await documentOf(COMPANY_PROJECT, '--depth', '3', '--max-tokens', '20000')
    expect(Math.max(...near.nodes.map((it) => it.distance))).toBe(1)
    expect(Math.max(...far.nodes.map((it) => it.distance))).toBe(3)
    expect(far.nodes.length).toBeGreaterThan(near.nodes.length)
    const bare = await documentOf(COMPANY_PROJECT, '--no-include-fields')
    expect(bare.nodes[0]?.fields ?? {}).toEqual({})
    const small = await documentOf(COMPANY_PROJECT, '--max-tokens', '800')
    expect(small.meta.tokens.used).toBeLessThanOrEqual(800)
    const writing = await documentOf(COMPANY_PROJECT, '--lens', 'writing')
    expect(writing.meta.lens).toBe('writing')
    expect(writing.nodes.map((it) => it.id)).not.toEqual(near.nodes.map((it) => it.id))
  })

  test('NC7 a lens of the settings counts like the others, with what it extends', async () => {
    const brief = await documentOf(COMPANY_PROJECT, '--lens', 'brief', '--max-tokens', '20000')
    expect(Math.max(...brief.nodes.map((it) => it.distance))).toBe(1)
    expect(brief.meta.warnings?.join(' ')).toContain('brief')
    const people = await documentOf(COMPANY_PROJECT, '--lens', 'people', '--max-tokens', '20000')
    expect(people.nodes.length).toBeGreaterThan(1)
    for (const { path } of people.nodes) {
      expect(path.map((step) => step.type)).toEqual(path.map(() => 'field'))
    }
  })

  test('NC7 several topics are blended, commas and all', async () => {
    const one = await documentOf(COMPANY_PROJECT)
    const both = await documentOf(
      COMPANY_PROJECT,
      '--with',
      'site-colours^0.5',
      '--with',
      'Pim, or so',
    )
    const ids = both.nodes.map((it) => it.id)
    expect(ids).toContain('site-colours')
    expect(both.meta.query).toContain('Pim, or so')
    expect(one.nodes.map((it) => it.id)).not.toContain('site-colours')
    expect((await errorOf('x', '--with', 'y^0')).message).toContain('weight')
  })

  test('NC7 a workspace is chosen by its alias', async () => {
    const { meta, nodes } = await documentOf('lamp oil', '--workspace', 'lamp')
    expect(meta.workspace).toBe('lamp')
    expect(nodes[0]?.name).toBe('Lamp oil')
  })

  test('NC7 nothing found is said beside the output, and the status is 1', async () => {
    const done = await mara.run('context', 'xylophone zebras')
    expect(done).toMatchObject({ status: 1, stdout: '' })
    expect(done.stderr).toContain('no notes found in company for: xylophone zebras')
    const asJson = await mara.run('context', 'xylophone zebras', '--json')
    expect(asJson.status).toBe(1)
    expect(json<ContextDocument>(asJson).nodes).toEqual([])
  })
})

describe('NC8 a request that cannot be met', () => {
  test.each([
    ['depth 6', ['x', '--depth', '6'], '--depth', '1 to 5'],
    ['depth 0', ['x', '--depth', '0'], '--depth', '1 to 5'],
    ['half a depth', ['x', '--depth', '1.5'], '--depth', '1 to 5'],
    ['a depth in words', ['x', '--depth', 'two'], '--depth', '1 to 5'],
    ['no tokens', ['x', '--max-tokens', '0'], '--max-tokens', 'above 0'],
    ['fewer than no tokens', ['x', '--max-tokens', '-5'], '--max-tokens', 'above 0'],
    ['no topic', [], 'query', 'give a topic'],
    ['an empty topic', ['  '], 'query', 'a topic'],
    ['a time in words', ['x', '--now', 'today'], '--now', '2026-01-31T12:00:00Z'],
    ['a day that there is not', ['x', '--now', '2026-02-31'], '--now', '2026-01-31T12:00:00Z'],
    ['a time without a zone', ['x', '--now', '2026-01-31T12:00:00'], '--now', 'zone'],
  ])('NC8 %s', async (...[, args, flag, rule]) => {
    const { code, message } = await errorOf(...args)
    expect(code).toBe('POC_E_REQUEST_INVALID')
    expect(message).toContain(flag)
    expect(message).toContain(rule)
  })

  test('NC8 a lens that there is not names the nearest, and all', async () => {
    const { code, message, hint } = await errorOf('x', '--lens', 'meeting')
    expect(code).toBe('POC_E_REQUEST_INVALID')
    expect(message).toContain('meeting')
    expect(hint).toContain('meeting-prep')
    expect(hint).toContain('brief')
  })

  test('NC8 a workspace that there is not names the nearest, and all', async () => {
    const { code, message, hint } = await errorOf('x', '--workspace', 'compagny')
    expect(code).toBe('POC_E_WORKSPACE_UNKNOWN')
    expect(message).toContain('compagny')
    expect(hint).toContain('did you mean company?')
    expect(hint).toContain('company, lamp')
  })

  test('NC8 settings that are broken are named with the place, without their text', async () => {
    const it = person()
    it.configure('{"workspaces": {"main": {"token": "hunter2",}}}')
    for (const args of [
      ['context', 'x'],
      ['notes', 'list'],
      ['notes', 'import', 'vault'],
    ]) {
      const done = await it.run(...args)
      expect(done).toMatchObject({ status: 2, stdout: '' })
      expect(done.stderr).toContain(`POC_E_CONFIG_INVALID ${it.configFile}:1:45 is not JSON`)
      expect(done.stderr).not.toContain('hunter2')
    }
  })

  test.each([
    [{ a: { maxDepth: 2 } }, 'lenses.a: priorityTypes is missing'],
    [{ a: { extends: 'b' }, b: { extends: 'a' } }, ': a → b → a\n'],
    [{ a: { extends: 'a' } }, 'it extends itself: a → a\n'],
    [{ a: { extends: 'planing' } }, 'did you mean planning?'],
  ])('NC8 a lens of the settings that is none: %j', async (lenses, said) => {
    const it = person()
    await it.run('notes', 'import', 'vault')
    it.configure({ ...(it.config() as object), lenses })
    const done = await it.run('context', 'lamp')
    expect(done).toMatchObject({ status: 2, stdout: '' })
    expect(done.stderr).toContain('POC_E_CONFIG_INVALID')
    expect(done.stderr).toContain(said)
  })
})
