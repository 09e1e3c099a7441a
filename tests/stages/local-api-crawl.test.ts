/** All notes of a running Tana, and what can go wrong with it: NL7, NL8. */
import { describe, expect, test } from 'vitest'
import { NOTE_KINDS, type NoteRecord } from '../../src/model/note.ts'
import { parseLocalApiUrl } from '../../src/sources/notes/live/client.ts'
import { openLocalApiSource } from '../../src/sources/notes/live/crawl.ts'
import { isTemporary } from '../../src/sources/notes/live/errors.ts'
import { openTanaExport } from '../../src/sources/notes/tana/export-source.ts'
import { crawled, failureOf, liveNotes, liveOptions } from '../support/live-notes.ts'
import { temporaryFolder } from '../support/project.ts'
import { COMPANY } from '../support/tana-company.ts'
import { servedWorkspace } from '../support/tana-nodes.ts'
import { closedPort, type Fault, PERSONAL_TOKEN, startTanaServer } from '../support/tana-server.ts'
import { type NodeSpec, writeTanaWorkspace } from '../support/tana-workspace.ts'

function byId(records: readonly NoteRecord[]): ReadonlyMap<string, NoteRecord> {
  return new Map(records.map((it) => [it.id, it]))
}

function without(record: NoteRecord, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)))
}

function withHome(...home: readonly NodeSpec[]) {
  return servedWorkspace({ ...COMPANY, home: [...COMPANY.home, ...home] })
}

describe('NL7 reading everything', () => {
  test('NL7 every note once, with its owner, and its owner with it', async () => {
    const server = await startTanaServer()
    const { records, account } = await crawled(server.url)
    const all = byId(records)
    expect(all.size).toBe(records.length)
    const { nodes } = servedWorkspace()
    const expected = [...nodes.values()].filter((it) => !it.inTrash).map((it) => it.id)
    expect([...all.keys()].toSorted()).toEqual(expected.toSorted())
    for (const record of records) {
      expect(record.parent, record.id).toBe(nodes.get(record.id)?.owner)
      expect(NOTE_KINDS).toContain(record.kind)
      for (const child of record.children) expect(all.get(child)?.parent, child).toBe(record.id)
      for (const other of record.references) expect(all.has(other), other).toBe(true)
    }
    expect(account).toMatchObject({ seen: expected.length, unresolved: 0, diagnostics: [] })
    expect(account.inlineReferences).toBe(5)
  })

  test('NL7 kinds, fields, tags with what they extend, references of lists and of texts', async () => {
    const server = await startTanaServer()
    const all = byId((await crawled(server.url)).records)
    expect(all.get('company_HOME')?.kind).toBe('system')
    expect(all.get('company_STASH')?.kind).toBe('system')
    expect(all.get('tag-bug')).toMatchObject({ kind: 'tag', parent: 'company_SCHEMA' })
    expect(all.get('field-owner')?.kind).toBe('field')
    expect(all.get('open-tasks')).toMatchObject({
      kind: 'search',
      children: [],
      references: ['invite-testers', 'book-venue', 'fix-ranking', 'send-numbers'],
    })
    expect(all.get('day-2026-01-13')?.kind).toBe('day')
    expect(all.get('fix-ranking')).toMatchObject({
      tags: ['bug', 'task'],
      children: ['ranking-cause', 'ranking-plan'],
      fields: expect.arrayContaining([
        { name: 'Assignee', values: [{ text: 'Jonas Weber', target: 'jonas-weber' }] },
      ]),
    })
    expect(all.get('ranking-plan')).toMatchObject({
      name: 'Plan: see Spec: ranking of Atlas search engine, then test with real queries',
      references: ['ranking-spec'],
    })
    expect(all.get('article-middle')?.name).toBe('Words first, meaning second, freshness last.')
  })

  test('NL7 the same notes as in an export of the same workspace', async () => {
    const server = await startTanaServer()
    const live = byId((await crawled(server.url)).records)
    const source = openTanaExport(writeTanaWorkspace(temporaryFolder()))
    let compared = 0
    for await (const { records } of source.batches()) {
      for (const { modified: _, ...record } of records) {
        if (record.kind === 'system') continue
        const { fields = [], references = [], ...rest } = live.get(record.id) ?? {}
        expect(rest, record.id).toEqual(without(record, ['fields', 'references']))
        // The API says neither when something was done nor what type a field has.
        if (record.kind === 'field') continue
        const known = JSON.parse(JSON.stringify(record.fields).replace(/yes, [\d-]+/g, 'yes'))
        expect(fields, record.id).toEqual(known)
        // Nor where a description points.
        const inContent = record.content === '' ? [] : ['atlas-search', 'index-architecture']
        const isKnown = (id: string) => references.includes(id) || !inContent.includes(id)
        expect(references, record.id).toEqual(record.references.filter(isKnown))
        compared += 1
      }
    }
    expect(compared).toBe(live.size - 4 - COMPANY.fields.length)
  })

  test('NL7 leaves are not asked for one by one', async () => {
    const server = await startTanaServer()
    await crawled(server.url)
    const urls = server.exchanges.map((it) => it.url)
    expect(new Set(urls).size).toBe(urls.length)
    expect(urls.filter((it) => it.includes('/article-end'))).toEqual([])
    expect(server.mostAtOnce).toBeLessThanOrEqual(4)
  })

  test('NL7 a node that Tana fails on is left out, and so is what hangs on it; the rest is whole', async () => {
    const server = await startTanaServer({ poison: ['atlas-goal'] })
    const { records, account } = await crawled(server.url)
    const all = byId(records)
    expect(all.get('atlas-search')?.children).toEqual(['fix-ranking', 'atlas-texts'])
    expect(all.has('atlas-goal')).toBe(false)
    expect(all.get('launch-article')?.parent).toBe('atlas-texts')
    // Pointed at from elsewhere, and so there; whose it was nobody can say.
    expect(all.get('atlas-launch')).toMatchObject({ children: ['book-venue'] })
    expect(all.get('atlas-launch')?.parent).toBeUndefined()
    expect(all.get('book-venue')?.parent).toBe('atlas-launch')
    expect(all.has('atlas-beta')).toBe(false)
    expect(account.diagnostics).toMatchObject([{ code: 'unreadable', path: 'atlas-goal' }])
  })

  test('NL7 what is pointed at and hangs nowhere is read, or said to be missing', async () => {
    const lost = servedWorkspace()
    const stray = { ...lost.nodes.get('mara-prefers'), id: 'stray', written: 'Stray', owner: 'zz' }
    const pointing: NodeSpec = { id: 'pointing', name: 'To {{stray}} and {{nobody}}, {{old-plan}}' }
    const workspace = withHome(pointing)
    const nodes = new Map([...workspace.nodes, ['stray', stray as never]])
    const server = await startTanaServer({ workspace: { ...workspace, nodes } })
    const { records, account } = await crawled(server.url)
    const all = byId(records)
    expect(all.get('stray')).toMatchObject({ name: 'Stray', children: [] })
    expect(all.get('stray')?.parent).toBeUndefined()
    expect(all.has('old-plan')).toBe(false)
    expect(account).toMatchObject({ unresolved: 1, trashed: 1 })
    expect(account.diagnostics).toEqual([
      {
        code: 'unresolved',
        path: 'nobody',
        message: 'the node nobody is referenced but does not exist',
      },
    ])
  })

  test('NL7 a node that lists itself, and two that own each other', async () => {
    const workspace = withHome({ id: 'entry', name: 'Entry', children: ['inner'] })
    const entry = workspace.nodes.get('entry')
    const nodes = new Map(workspace.nodes)
    if (entry !== undefined) {
      nodes.set('inner', { ...entry, id: 'inner', owner: 'entry', children: ['loop'] })
      nodes.set('loop', { ...entry, id: 'loop', owner: 'inner', children: ['loop', 'inner'] })
    }
    const tree = { ...workspace, nodes, claims: new Map([['loop', ['inner']]]) }
    const server = await startTanaServer({ workspace: tree })
    const { records, account } = await crawled(server.url)
    expect(byId(records).get('loop')).toMatchObject({ parent: 'inner', children: [] })
    expect(account.diagnostics.filter((it) => it.code === 'cycle')).toEqual([
      { code: 'cycle', path: 'loop', message: 'the node loop lists itself as a child' },
      { code: 'cycle', path: 'inner', message: 'the node inner is below loop, which is below it' },
    ])
  })

  test('NL7 an empty workspace has its places and nothing else', async () => {
    const workspace = servedWorkspace({ ...COMPANY, home: [], library: [], tags: {}, fields: [] })
    const server = await startTanaServer({ workspace })
    const { records } = await crawled(server.url)
    expect(records.map((it) => it.kind)).toEqual(['system', 'system', 'system', 'system'])
    const notes = liveNotes(server.url)
    expect(await notes.search({ text: 'atlas', limit: 5 })).toEqual([])
  })
})

describe('NL8 a Tana that stops, restarts or refuses', () => {
  test('NL8 a restart in the middle of a crawl is waited for', async () => {
    let started = false
    const server = await startTanaServer({
      fault: (url) => {
        if (url.startsWith('/nodes/atlas-goal?') && !started) void server.stop()
        return undefined
      },
    })
    let waits = 0
    async function pause(): Promise<void> {
      waits += 1
      if (started || waits < 6) return
      started = true
      await server.start()
    }
    const { records } = await crawled(server.url, { patience: { pause } })
    expect(started).toBe(true)
    const fresh = await startTanaServer()
    expect(records).toEqual((await crawled(fresh.url)).records)
  })

  test('NL8 without a restart the crawl ends with an error, and no batch says otherwise', async () => {
    const server = await startTanaServer({
      fault: (url) => {
        if (url.startsWith('/nodes/atlas-goal?')) void server.stop()
        return undefined
      },
    })
    const error = await failureOf(crawled(server.url))
    expect(error).toMatchObject({ code: 'POC_E_READ_FAILED' })
    expect(isTemporary(error)).toBe(true)
  })

  test('NL8 a home that cannot be read is an error: an empty copy would replace a full one', async () => {
    const server = await startTanaServer({ poison: ['company_HOME'] })
    expect(await failureOf(crawled(server.url))).toMatchObject({ code: 'POC_E_READ_FAILED' })
  })

  test('NL8 Tana failing on node after node is no accident of one node', async () => {
    const children = Array.from({ length: 30 }, (_, at) => ({
      id: `bad-${at}`,
      name: `Bad ${at}`,
      tags: ['note'],
    }))
    const workspace = withHome(...children)
    const server = await startTanaServer({ workspace, poison: children.map((it) => it.id) })
    const error = await failureOf(liveNotes(server.url).notes(children.map((it) => it.id)))
    expect(isTemporary(error)).toBe(true)
  })

  const HICCUPS: readonly (readonly [string, Fault])[] = [
    ['busy', { status: 503 }],
    ['broken inside', { status: 500 }],
    ['cut off', 'cut'],
    ['cut short', 'truncate'],
    ['slow', { delayMs: 200 }],
  ]
  for (const [name, fault] of HICCUPS) {
    test(`NL8 ${name} in the middle of a document: a hiccup, after trying again`, async () => {
      let isOn = false
      const server = await startTanaServer({ fault: () => (isOn ? fault : undefined) })
      const notes = liveNotes(server.url, { patience: { limitMs: 50 } })
      await notes.search({ text: 'atlas', limit: 3 })
      isOn = true
      const error = await failureOf(notes.search({ text: 'ranking', limit: 3 }))
      expect(error).toMatchObject({ code: 'POC_E_READ_FAILED' })
      expect(isTemporary(error)).toBe(true)
    })
  }

  test('NL8 nobody there', async () => {
    const url = await closedPort()
    const pauses: number[] = []
    const pause = async (milliseconds: number) => void pauses.push(milliseconds)
    const error = await failureOf(crawled(url, { patience: { pause } }))
    // A wrong address is not waited for as a restart is.
    expect(pauses).toEqual([250])
    expect(await failureOf(liveNotes(url).status())).toMatchObject({ code: 'POC_E_READ_FAILED' })
    expect(isTemporary(error)).toBe(true)
    expect(error).toMatchObject({
      code: 'POC_E_READ_FAILED',
      message: expect.stringContaining('ECONNREFUSED'),
      hint: expect.stringContaining('Tana Desktop'),
    })
  })

  test('NL8 not ready yet', async () => {
    const health = { status: 'degraded', nodeSpaceReady: true }
    const degraded = await startTanaServer({ health })
    const error = await failureOf(liveNotes(degraded.url).notes(['atlas-search']))
    expect(error).toMatchObject({ message: expect.stringContaining('is degraded') })
    expect(isTemporary(error)).toBe(true)
    const empty = await startTanaServer({ health: { status: 'ok', nodeSpaceReady: false } })
    expect(await failureOf(crawled(empty.url))).toMatchObject({
      message: expect.stringContaining('has not loaded its notes yet'),
    })
    expect(empty.exchanges.map((it) => it.url)).toEqual(['/health'])
  })

  test('NL8 a wrong token is said to be one, is no hiccup, and is not repeated to anybody', async () => {
    const server = await startTanaServer()
    const token = 'cloud-token-that-is-wrong'
    const wrong = { token }
    const works = [() => liveNotes(server.url, wrong).status(), () => crawled(server.url, wrong)]
    for (const work of works) {
      const error = (await failureOf(work())) as Error & { readonly hint: string }
      expect(error).toMatchObject({
        code: 'POC_E_UNAUTHORIZED',
        hint: expect.stringMatching(/PERSONAL.*DOSSIER_TANA_TOKEN/),
      })
      expect(isTemporary(error)).toBe(false)
      expect(`${error.message} ${error.hint} ${error.stack}`).not.toContain(token)
    }
    expect(() => openLocalApiSource(liveOptions(server.url, { token: '' }))).toThrow(
      'requires a token',
    )
    expect(() => liveNotes(server.url, { token: '' })).toThrow('requires a token')
  })

  test('NL8 the token is not shown before it is known that Tana is there', async () => {
    const server = await startTanaServer()
    await liveNotes(server.url).status()
    expect(server.exchanges.map((it) => [it.url, it.authorization])).toEqual([
      ['/health', undefined],
      ['/workspaces', `Bearer ${PERSONAL_TOKEN}`],
    ])
  })

  test('NL8 an unknown workspace names the likeliest', async () => {
    const server = await startTanaServer()
    const error = await failureOf(liveNotes(server.url, { workspaceIds: ['compani'] }).status())
    expect(error).toMatchObject({
      code: 'POC_E_WORKSPACE_UNKNOWN',
      hint: 'did you mean company (Lantern Works)',
    })
    expect(isTemporary(error)).toBe(false)
  })

  test('NL8 another program, another protocol, answers in another form', async () => {
    for (const body of ['<html>', '{"status":"fine"}', '[]', 'null', '"ok"']) {
      const server = await startTanaServer({ fault: () => ({ body }) })
      const error = await failureOf(liveNotes(server.url).status())
      expect(error, body).toMatchObject({ code: 'POC_E_READ_FAILED' })
      expect(isTemporary(error), body).toBe(false)
    }
    const forms: readonly (readonly [string, string])[] = [
      ['/workspaces', '[{"id":"company"}]'],
      ['/nodes/atlas-search?', '{"name":"no Markdown"}'],
      ['/nodes/atlas-search/children', '{"children":[{"id":"x"}],"total":1,"hasMore":false}'],
      ['/nodes/search', '{"hits":[]}'],
    ]
    for (const [path, body] of forms) {
      const fault = (url: string) => (url.startsWith(path) ? { body } : undefined)
      const server = await startTanaServer({ fault })
      const wish = { types: ['child', 'reference'], limit: 5, words: [] } as const
      const error = await failureOf(liveNotes(server.url).around(['atlas-search'], wish))
      expect(error, path).toMatchObject({
        code: 'POC_E_READ_FAILED',
        message: expect.stringContaining('in an unexpected format'),
      })
    }
  })

  test('NL8 a request that Tana finds wrong is no hiccup', async () => {
    const server = await startTanaServer({
      fault: (url) => (url.startsWith('/nodes/search') ? { status: 400 } : undefined),
    })
    const error = await failureOf(liveNotes(server.url).search({ text: 'atlas', limit: 3 }))
    expect(error).toMatchObject({ code: 'POC_E_REQUEST_INVALID' })
    expect(isTemporary(error)).toBe(false)
    expect(isTemporary(new Error('anything'))).toBe(false)
  })

  test('NL8 addresses: what is no URL, what has a secret in it, what ends in slashes', () => {
    expect(parseLocalApiUrl('export.json')).toBeUndefined()
    expect(parseLocalApiUrl('http://127.0.0.1:8262//')).toBe('http://127.0.0.1:8262')
    for (const url of ['http://me:pass@127.0.0.1', 'http://127.0.0.1/?token=1', 'http://[']) {
      expect(() => parseLocalApiUrl(url)).toThrow()
    }
    expect(() => parseLocalApiUrl('http://me:pass@127.0.0.1')).not.toThrow(/pass/)
  })
})
