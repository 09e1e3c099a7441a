/** Notes of a running Tana, asked for over HTTP: NL3 to NL6. */
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { RELATION_TYPES, type RelationType } from '../../src/model/note.ts'
import type { AroundWish, Surroundings } from '../../src/model/notes-index.ts'
import { realFiles } from '../../src/platform/files.ts'
import { formatQueryString } from '../../src/sources/notes/live/query.ts'
import { openTanaExport } from '../../src/sources/notes/tana/export-source.ts'
import { openNotes } from '../../src/store/notes/reader.ts'
import { openNotesWriter } from '../../src/store/notes/writer.ts'
import { liveNotes } from '../support/live-notes.ts'
import { temporaryFolder } from '../support/project.ts'
import { COMPANY, COMPANY_NOW } from '../support/tana-company.ts'
import { servedWorkspace } from '../support/tana-nodes.ts'
import { startTanaServer } from '../support/tana-server.ts'
import { type NodeSpec, type WorkspaceSpec, writeTanaWorkspace } from '../support/tana-workspace.ts'

const ALL: AroundWish = { types: RELATION_TYPES, limit: 50, words: [] }

const DAY = 86_400_000

function company(home: readonly NodeSpec[]): WorkspaceSpec {
  return { ...COMPANY, home: [...COMPANY.home, ...home] }
}

function shown(around: Surroundings | undefined, type?: RelationType): readonly string[] {
  return (around?.neighbours ?? [])
    .filter((it) => type === undefined || it.type === type)
    .map((it) => `${it.type} ${it.direction} ${it.id}`)
}

describe('NL3 the traps of the API', () => {
  test('NL3 questions are written in brackets, in the order of their keys', () => {
    const query = { and: [{ textContains: 'a&b =' }, { or: [{ hasType: 't1' }] }] }
    const text = formatQueryString({ query, workspaceIds: ['w1'], limit: 100 })
    expect(decodeURIComponent(text)).toBe(
      'query[and][0][textContains]=a&b =&query[and][1][or][0][hasType]=t1&workspaceIds[0]=w1&limit=100',
    )
    expect(new URLSearchParams(text).get('query[and][0][textContains]')).toBe('a&b =')
  })

  test('NL3 every search names its workspaces, no request has an offset of a search or a boolean', async () => {
    const server = await startTanaServer()
    const notes = liveNotes(server.url, { workspaceIds: [] })
    await notes.search({ text: 'atlas ranking', limit: 10 })
    await notes.around(['atlas-search'], ALL)
    const searches = server.exchanges.filter((it) => it.url.startsWith('/nodes/search'))
    expect(searches.length).toBeGreaterThan(3)
    for (const { url } of searches) {
      const names = [...new URL(url, server.url).searchParams.keys()]
      expect(names).toContain('workspaceIds[0]')
      expect(names).not.toContain('offset')
      expect(url).not.toMatch(/=(?:true|false)(?:&|$)/)
    }
    expect(server.exchanges.every((it) => it.status === 200)).toBe(true)
  })

  test('NL3 what is in the trash is not found, not next to anything, and not there', async () => {
    const workspace = servedWorkspace(COMPANY, new Set(['atlas-texts', 'mara-lindt']))
    const server = await startTanaServer({ workspace })
    const notes = liveNotes(server.url)
    const hits = await notes.search({ text: 'Old plan for Atlas', limit: 20 })
    expect(hits.map((it) => it.id)).not.toContain('old-plan')
    expect(server.exchanges.some((it) => JSON.stringify(it.answer).includes('old-plan'))).toBe(true)
    const [around] = await notes.around(['atlas-search'], ALL)
    expect(shown(around, 'child')).toEqual(['child out atlas-goal', 'child out fix-ranking'])
    expect(around?.cut).toEqual([])
    expect(await notes.notes(['old-plan', 'mara-lindt', 'atlas-goal'])).toMatchObject([
      { id: 'atlas-goal' },
    ])
  })

  test('NL3 a node that Tana fails on is left out with a word, and the rest is there', async () => {
    const server = await startTanaServer({ poison: ['fix-ranking'] })
    const notes = liveNotes(server.url)
    const [around] = await notes.around(['atlas-search'], ALL)
    expect(shown(around, 'child')).toHaveLength(3)
    const readable = await notes.notes(['atlas-goal', 'fix-ranking', 'atlas-texts'])
    expect(readable.map((it) => it.id)).toEqual(['atlas-goal', 'atlas-texts'])
    expect(notes.diagnostics()).toEqual([
      {
        code: 'unreadable',
        path: 'fix-ranking',
        message: 'Tana fails to read the node fix-ranking, which is left out',
      },
    ])
    expect(await notes.around(['fix-ranking'], ALL)).toEqual([
      { id: 'fix-ranking', neighbours: [], cut: [] },
    ])
  })

  test('NL3 what is not there is not there; what cannot be an id is not asked for', async () => {
    const server = await startTanaServer()
    const notes = liveNotes(server.url)
    expect(await notes.notes(['nobody', 'two words', '../health', ''])).toEqual([])
    expect(server.exchanges.map((it) => it.url)).toEqual([
      '/health',
      '/workspaces',
      '/nodes/nobody?maxDepth=1',
    ])
  })

  test('NL3 pages of children are read one after the other, as far as is allowed', async () => {
    const children = Array.from({ length: 450 }, (_, at) => ({
      id: `item-${at}`,
      name: `Item ${at}`,
    }))
    const workspace = servedWorkspace(company([{ id: 'long-list', name: 'Long list', children }]))
    const server = await startTanaServer({ workspace })
    const wish: AroundWish = { types: ['child'], limit: 500, words: [] }
    const [all] = await liveNotes(server.url).around(['long-list'], wish)
    expect(all?.neighbours).toHaveLength(450)
    expect(all?.neighbours.at(-1)?.id).toBe('item-449')
    const limited = liveNotes(server.url, { limits: { pages: 2 } })
    const [some] = await limited.around(['long-list'], wish)
    expect(some?.neighbours).toHaveLength(400)
    expect(some?.cut).toEqual([{ type: 'child', direction: 'out', total: 450, given: 400 }])
  })
})

async function found(text: string, limit = 5) {
  const server = await startTanaServer()
  const hits = await liveNotes(server.url).search({ text, limit })
  return hits.map((it) => it.id)
}

/** Of an export of what the server serves, and the notes that it has. */
async function keptCopy() {
  const folder = temporaryFolder()
  const path = join(folder, 'company.db')
  const source = openTanaExport(writeTanaWorkspace(folder))
  const { signal } = new AbortController()
  const writer = openNotesWriter(realFiles, path, { signal, onWait: () => {} })
  const ids: string[] = []
  await writer.begin()
  for await (const { records } of source.batches()) {
    await writer.put(records)
    ids.push(...records.filter((it) => it.kind !== 'system').map((it) => it.id))
  }
  await writer.commit({ source: 'tana-export', importedAt: COMPANY_NOW })
  await writer.close()
  return { copy: openNotes(realFiles, path), ids: ids.toSorted() }
}

describe('NL4 finding notes', () => {
  test('NL4 the note of that name first, then those with all words, then those with some', async () => {
    const hits = await found('atlas search engine', 20)
    expect(hits[0]).toBe('atlas-search')
    expect(hits.indexOf('atlas-weekly')).toBeLessThan(hits.indexOf('site-search'))
    expect(hits).toContain('site-search')
    expect(hits).not.toContain('old-plan')
    expect(hits.every((it) => !it.startsWith('company'))).toBe(true)
  })

  test('NL4 case makes no difference, words that say nothing are not asked for', async () => {
    expect(await found('the RANKING of what')).toEqual(await found('ranking'))
    expect((await found('mara lindt'))[0]).toBe('mara-lindt')
  })

  test('NL4 the name of a tag finds what has it, and what has a tag that extends it', async () => {
    const hits = await found('task', 20)
    expect(hits).toEqual(expect.arrayContaining(['invite-testers', 'book-venue', 'fix-ranking']))
  })

  test('NL4 ties stand by id, the limit holds, and nothing is found for nothing', async () => {
    const children = ['c', 'a', 'b'].map((it) => ({ id: `twin-${it}`, name: 'Twin' }))
    const workspace = servedWorkspace(company(children))
    const server = await startTanaServer({ workspace })
    const hits = await liveNotes(server.url).search({ text: 'twin', limit: 2 })
    expect(hits.map((it) => it.id)).toEqual(['twin-a', 'twin-b'])
    expect(await found('…')).toEqual([])
    expect(await found('zzzzz')).toEqual([])
  })
})

describe('NL5 a note and its surroundings', () => {
  test('NL5 a note has what lists and Markdown say of it, with the tags that its own extend', async () => {
    const server = await startTanaServer()
    const [note, weekly, plain] = await liveNotes(server.url).notes([
      'atlas-search',
      'atlas-weekly',
      'ranking-plan',
    ])
    expect(note).toEqual({
      id: 'atlas-search',
      name: 'Atlas search engine',
      kind: 'note',
      content: 'Search over everything that the company has written down.',
      tags: ['project', 'entity'],
      fields: [
        { name: 'Status', values: [{ text: 'active' }] },
        { name: 'Owner', values: [{ text: 'Mara Lindt', target: 'mara-lindt' }] },
        { name: 'Due', values: [{ text: '2026-03-31' }] },
        { name: 'Budget', values: [{ text: '48000' }] },
        { name: 'Approved', values: [{ text: 'yes' }] },
        { name: 'Homepage', values: [{ text: 'https://lantern.example/atlas' }] },
      ],
      created: COMPANY_NOW - 3 * DAY,
    })
    expect(weekly).toMatchObject({ name: 'Weekly on Atlas search engine', tags: ['meeting'] })
    expect(plain?.name).toBe(
      'Plan: see Spec: ranking of Atlas search engine, then test with real queries',
    )
  })

  test('NL5 children, owner, references and fields, both ways', async () => {
    const server = await startTanaServer()
    const [atlas, weekly] = await liveNotes(server.url).around(
      ['atlas-search', 'atlas-weekly'],
      ALL,
    )
    expect(shown(atlas)).toEqual([
      'child out atlas-goal',
      'child out fix-ranking',
      'child out atlas-texts',
      'reference out tag-project',
      'reference in atlas-decision',
      'reference in atlas-weekly',
      'reference in day-thought',
      'reference in ranking-spec',
      'field out mara-lindt',
      'field in fix-ranking',
      'field in index-architecture',
      'field in ranking-spec',
      'field in site-search',
    ])
    expect(shown(weekly)).toEqual([
      'child out weekly-agenda',
      'child out weekly-ranking',
      'child out send-numbers',
      'parent in day-2026-01-13',
      'reference out atlas-search',
      'reference out atlas-decision',
      'reference out tag-meeting',
      'field out mara-lindt',
      'field out jonas-weber',
      'field out noor-haddad',
    ])
    expect([...(atlas?.cut ?? []), ...(weekly?.cut ?? [])]).toEqual([])
  })

  test('NL5 every note has the same surroundings as in a kept copy of the same workspace', async () => {
    const server = await startTanaServer()
    const { copy, ids } = await keptCopy()
    const notes = liveNotes(server.url, { limits: { requests: 5000 } })
    const live = await notes.around(ids, ALL)
    const kept = await copy.around(ids, ALL)
    // The API shows a description without saying where it points, nor does it list what extends a tag.
    const unsaid = ['reference out atlas-search', 'reference out index-architecture']
    for (const [at, one] of kept.entries()) {
      const isSaid = (it: string) =>
        (one.id !== 'atlas-decision' || !unsaid.includes(it)) && !it.startsWith('field in tag-')
      const expected = shown(one).filter(isSaid).toSorted()
      expect(shown(live[at]).toSorted(), one.id).toEqual(expected)
    }
    const paths = await notes.breadcrumbs(ids)
    expect(Object.fromEntries(paths)).toEqual(Object.fromEntries(await copy.breadcrumbs(ids)))
    await copy.close()
  })

  test('NL5 the owner of a note that was found is the one that owns it, not who lists it', async () => {
    // More of that name than are looked into, and all before the right one: where they are tells.
    const twins = Array.from({ length: 9 }, (_, at) => ({
      id: `a-twin-${at}`,
      name: 'Texts',
      children: ['launch-article'],
    }))
    const workspace = servedWorkspace(company(twins))
    const server = await startTanaServer({ workspace })
    const notes = liveNotes(server.url)
    const wish: AroundWish = { types: ['parent'], limit: 5, words: [] }
    const [article, top] = await notes.around(['launch-article', 'lantern-site'], wish)
    expect(shown(article)).toEqual(['parent in atlas-texts'])
    expect(shown(top)).toEqual([])
    expect(await notes.notes(['launch-article'])).toMatchObject([{ parent: 'atlas-texts' }])
  })

  test('NL5 owners that were walked through are known without asking', async () => {
    const server = await startTanaServer()
    const notes = liveNotes(server.url)
    await notes.around(['atlas-search'], { types: ['child'], limit: 9, words: [] })
    const before = server.exchanges.length
    const wish: AroundWish = { types: ['parent'], limit: 5, words: [] }
    const [texts] = await notes.around(['atlas-texts'], wish)
    expect(shown(texts)).toEqual(['parent in atlas-search'])
    expect(server.exchanges.slice(before).map((it) => it.url)).toEqual([
      '/nodes/atlas-texts?maxDepth=1',
    ])
  })

  test('NL5 breadcrumbs are names of owners, without the places of the program', async () => {
    const server = await startTanaServer()
    const notes = liveNotes(server.url)
    await notes.search({ text: 'invite testers', limit: 5 })
    await notes.around(['launch-article'], ALL)
    const ids = ['invite-testers', 'article-end', 'mara-lindt', 'atlas-search', 'nobody']
    await notes.notes(ids)
    const paths = await notes.breadcrumbs(ids)
    expect(Object.fromEntries(paths)).toEqual({
      'invite-testers': [
        'Atlas search engine',
        'People find the right page with their first query',
        'Beta with ten customers',
      ],
      'article-end': ['Atlas search engine', 'Texts', 'Article: how Atlas reads a question'],
      'mara-lindt': [],
      'atlas-search': [],
      nobody: [],
    })
  })

  test('NL5 of more than are wished for, those with the words, in the order of the list', async () => {
    const children = Array.from({ length: 30 }, (_, at) => ({
      id: `idea-${at}`,
      name: at % 10 === 7 ? `Idea ${at} on amber` : `Idea ${at}`,
    }))
    const workspace = servedWorkspace(company([{ id: 'ideas', name: 'Ideas', children }]))
    const server = await startTanaServer({ workspace })
    const wish: AroundWish = { types: ['child'], limit: 4, words: ['Amber'] }
    const [around] = await liveNotes(server.url).around(['ideas'], wish)
    expect(around?.neighbours.map((it) => it.id)).toEqual([
      'idea-0',
      'idea-7',
      'idea-17',
      'idea-27',
    ])
    expect(around?.cut).toEqual([{ type: 'child', direction: 'out', total: 30, given: 4 }])
  })

  test('NL5 of many that point at a note, as many as are wished for are read, the rest is counted', async () => {
    const links = Array.from({ length: 12 }, (_, at) => ({
      id: `link-${at + 10}`,
      name: `Link ${at} to {{site-colours}}`,
    }))
    const workspace = servedWorkspace(company(links))
    const server = await startTanaServer({ workspace })
    const wish: AroundWish = { types: ['reference'], limit: 3, words: ['11'] }
    const [around] = await liveNotes(server.url).around(['site-colours'], wish)
    expect(around?.neighbours.map((it) => it.id)).toEqual(['link-21', 'link-10', 'link-11'])
    expect(around?.cut).toEqual([{ type: 'reference', direction: 'in', total: 12, given: 3 }])
    expect(server.exchanges.filter((it) => it.url.startsWith('/nodes/link-'))).toHaveLength(3)
  })
})

describe('NL6 how much is asked', () => {
  const DOCUMENT = ['atlas-search', 'atlas-weekly', 'ranking-spec', 'search-team']

  async function assemble(url: string, requests: number) {
    const notes = liveNotes(url, { limits: { requests } })
    const first = await notes.around(DOCUMENT, ALL)
    const next = first.flatMap((it) => it.neighbours).map((it) => it.id)
    const second = await notes.around([...new Set(next)], ALL)
    const read = await notes.notes(next)
    return { answer: { first, second, read }, diagnostics: notes.diagnostics() }
  }

  test('NL6 nothing twice, and no more than four requests at once', async () => {
    const server = await startTanaServer({ fault: () => ({ delayMs: 2 }) })
    const { diagnostics } = await assemble(server.url, 500)
    const urls = server.exchanges.map((it) => it.url)
    expect(urls.length).toBeGreaterThan(60)
    expect(new Set(urls).size).toBe(urls.length)
    expect(server.mostAtOnce).toBe(4)
    expect(diagnostics).toEqual([])
  })

  test('NL6 where requests run out the rest is said to be missing, the same every time', async () => {
    const asked: (readonly string[])[] = []
    const answers = []
    for (const delayMs of [0, 3]) {
      let n = 0
      const fault = () => ({ delayMs: (n += 1) % 3 === 0 ? delayMs : 0 })
      const server = await startTanaServer({ fault })
      const { answer, diagnostics } = await assemble(server.url, 14)
      answers.push(answer)
      asked.push(server.exchanges.map((it) => it.url).toSorted())
      expect(server.exchanges).toHaveLength(16)
      expect(diagnostics).toMatchObject([{ code: 'too-large', path: 'local-api' }])
      expect(diagnostics[0]?.message).toMatch(
        /^reached the limit of 14 requests.* \d+ further requests/,
      )
    }
    expect(answers[1]).toEqual(answers[0])
    expect(asked[1]).toEqual(asked[0])
    const cut = answers[0]?.second.flatMap((it) => it.cut) ?? []
    expect(cut.some((it) => it.type === 'child' && it.given === 0)).toBe(true)
  })

  test('NL6 there are no vectors, and nothing is counted', async () => {
    const server = await startTanaServer()
    const notes = liveNotes(server.url)
    expect(notes.backend).toBe('local-api')
    expect(await notes.vectors(['atlas-search'])).toEqual(new Map())
    expect(await notes.nearest(new Float32Array(3), 5)).toEqual([])
    expect(await notes.status()).toMatchObject({ source: 'local-api', notes: 0 })
    await notes.close()
  })
})
