/** Vectors of an index as they are stored, and an endpoint that makes them, on this machine alone. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DatabaseSync } from 'node:sqlite'
import { load } from 'sqlite-vec'
import { onTestFinished } from 'vitest'
import { indexPath } from '../../src/packs/index/code-index.ts'

interface StoredVector {
  readonly uid: string
  readonly values: Int8Array
}

/** By uid, and words with theirs: what an index says, without numbers of the store's own. */
export function vectorsOf(folder: string): {
  readonly chunks: readonly StoredVector[]
  readonly words: readonly string[]
} {
  const database = new DatabaseSync(indexPath(folder), { allowExtension: true, readOnly: true })
  try {
    load(database)
    const chunks = database
      .prepare(`SELECT c.uid, v.embedding FROM chunk_vectors v LEFT JOIN chunks c ON c.n = v.chunk
        ORDER BY c.uid, v.embedding`)
      .all()
      .map((row) => ({ uid: String(row['uid']), values: signed(row['embedding']) }))
    const words = database
      .prepare('SELECT word, worth, hex(bytes) AS bytes FROM word_vectors ORDER BY word')
      .all()
      .map((row) => `${row['word']} ${row['worth']} ${row['bytes']}`)
    return { chunks, words }
  } finally {
    database.close()
  }
}

function signed(blob: unknown): Int8Array {
  return new Int8Array(blob as Uint8Array)
}

/** Names of the tables in an index. */
export function tablesOf(folder: string): readonly string[] {
  const database = new DatabaseSync(indexPath(folder), { readOnly: true })
  try {
    const rows = database.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table'`).all()
    // SQLite keeps its own list of the last keys, once there was a table that wanted one.
    return rows.map((row) => String(row['name'])).filter((it) => it !== 'sqlite_sequence')
  } finally {
    database.close()
  }
}

interface AskedFor {
  readonly model: string
  readonly input: readonly string[]
  readonly authorization: string | undefined
}

interface TestEndpoint {
  readonly url: string
  readonly asked: readonly AskedFor[]
  /** All texts that were asked for so far, which are then forgotten. */
  texts(): readonly string[]
}

const DIMENSIONS = 48

type Reply = (asked: AskedFor, response: ServerResponse) => boolean

/** Speaks the protocol for real. What `reply` answers itself it says with true. */
export async function startEndpoint(reply: Reply = () => false): Promise<TestEndpoint> {
  const asked: AskedFor[] = []
  let texts: string[] = []
  const server = createServer(async (request, response) => {
    if (request.method !== 'POST' || request.url !== '/v1/embeddings') {
      response.writeHead(404).end('no such page')
      return
    }
    const body = JSON.parse(await bodyOf(request)) as { model: string; input: readonly string[] }
    const one = { ...body, authorization: request.headers.authorization }
    asked.push(one)
    if (reply(one, response)) return
    texts.push(...body.input)
    // In no order of the texts: what counts is the index.
    const data = body.input
      .map((text, index) => ({ index, embedding: vectorOf(text) }))
      .toReversed()
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ object: 'list', model: body.model, data }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    asked,
    texts() {
      const found = texts
      texts = []
      return found
    },
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Uint8Array[] = []
  for await (const part of request) parts.push(part as Uint8Array)
  return Buffer.concat(parts).toString('utf8')
}

/** A text's words, each counted in the place that its letters say. */
export function vectorOf(text: string): readonly number[] {
  const counts = Array.from({ length: DIMENSIONS }, () => 0)
  for (const word of text.toLowerCase().match(/[a-z]{3,}/g) ?? []) {
    let place = 7
    for (const letter of word) place = (place * 31 + letter.charCodeAt(0)) % 65_521
    counts[place % DIMENSIONS] = (counts[place % DIMENSIONS] ?? 0) + 1
  }
  return counts.map((it) => it / 10)
}
