/** Our requests and the test server's answers against Tana's own description, where it is at hand: NL9. */
import { describe, expect, test } from 'vitest'
import { RELATION_TYPES } from '../../src/model/note.ts'
import { crawled, failureOf, liveNotes } from '../support/live-notes.ts'
import { answerFaults, type OpenApi, requestFaults } from '../support/open-api.ts'
import { hasShared, readShared } from '../support/shared-data.ts'
import { type Exchange, PERSONAL_TOKEN, startTanaServer } from '../support/tana-server.ts'

const FILE = '../tana/local-api-openapi.json'

async function everyCall(): Promise<readonly Exchange[]> {
  const server = await startTanaServer({ poison: ['weekly-agenda'] })
  const notes = liveNotes(server.url)
  const words = Array.from({ length: 40 }, (_, at) => `word${at}`).join(' ')
  for (const text of ['atlas ranking', 'task', `${words} & [odd] "signs" = ?`]) {
    await notes.search({ text, limit: 100 })
  }
  const first = await notes.around(['atlas-search', 'atlas-weekly'], {
    types: RELATION_TYPES,
    limit: 50,
    words: ['launch'],
  })
  const next = first.flatMap((it) => it.neighbours).map((it) => it.id)
  await notes.around(next, { types: RELATION_TYPES, limit: 50, words: [] })
  await notes.notes([...next, 'nobody'])
  await notes.breadcrumbs(next)
  await crawled(server.url)
  await failureOf(liveNotes(server.url, { token: 'wrong' }).status())
  return server.exchanges
}

describe.runIf(hasShared(FILE))('NL9 the protocol as Tana describes it (needs shared data)', () => {
  const api = JSON.parse(hasShared(FILE) ? readShared(FILE) : '{}') as OpenApi

  test('NL9 every request that is made is one of the description', async () => {
    const exchanges = await everyCall()
    expect(exchanges.length).toBeGreaterThan(150)
    for (const { url } of exchanges) expect(requestFaults(api, url), url).toEqual([])
    const kinds = new Set(exchanges.map((it) => it.url.replace(/\?.*|(?<=\/)[^/]*-[^/?]*/g, '')))
    expect(kinds.size).toBeGreaterThan(5)
  })

  test('NL9 the test server answers as the description says', async () => {
    const good = (await everyCall()).filter((it) => it.status === 200)
    for (const { url, answer } of good) expect(answerFaults(api, url, answer), url).toEqual([])
  })

  test('NL9 what is not in the description is seen', () => {
    const wrong = [
      '/nodes/search?limit=10',
      '/nodes/search?query[textContains]=a&limit=101',
      '/nodes/search?query[textContains]=a&offset=100',
      '/nodes/search?query[contains]=a',
      '/nodes/abc?maxDepth=11',
      '/nodes/abc/children?limit=201',
      '/nodes/abc/parents',
      `/nodes/search?${Array.from({ length: 21 }, (_, at) => `query[and][${at}][has]=tag`).join('&')}`,
    ]
    for (const url of wrong) expect(requestFaults(api, url), url).not.toEqual([])
    const answers: readonly (readonly [string, unknown])[] = [
      ['/health', { status: 'fine', timestamp: '', nodeSpaceReady: true }],
      ['/workspaces', [{ id: 'a', name: 'b' }]],
      ['/nodes/abc', { markdown: 1 }],
    ]
    for (const [url, answer] of answers) expect(answerFaults(api, url, answer), url).not.toEqual([])
  })
})

async function statusOf(path: string): Promise<number> {
  const server = await startTanaServer()
  const headers = { authorization: `Bearer ${PERSONAL_TOKEN}` }
  return (await fetch(`${server.url}${path}`, { headers })).status
}

describe('NL9 what the description does not say', () => {
  test('NL9 the test server has the traps', async () => {
    const server = await startTanaServer()
    const headers = { authorization: `Bearer ${PERSONAL_TOKEN}` }
    const search = async (rest: string) => {
      const response = await fetch(`${server.url}/nodes/search?${rest}`, { headers })
      return (await response.json()) as readonly {
        readonly id: string
        readonly inTrash: boolean
      }[]
    }
    const query = 'query[textContains]=a&limit=5'
    const page = await search(`${query}&workspaceIds[]=company`)
    expect(page).toHaveLength(5)
    expect(await search(`${query}&workspaceIds[]=company&offset=5`)).toEqual(page)
    expect(await search(query)).toEqual([])
    const trash = await search('query[textContains]=old plan&workspaceIds[0]=company')
    expect(trash.map((it) => it.inTrash)).toEqual([true])
    expect(await statusOf('/nodes/search?query[ownedBy][recursive]=true')).toBe(400)
    expect(await statusOf('/nodes/search?query[textContains]=a&limit=101')).toBe(400)
  })
})
