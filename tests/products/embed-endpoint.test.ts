/** Vectors from an endpoint, over a real connection to this machine: AN3, AN4. */
import { existsSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { EngineError } from '../../src/model/engine-error.ts'
import { queryVector } from '../../src/packs/context/query-vector.ts'
import { buildCodeIndex, indexPath } from '../../src/packs/index/code-index.ts'
import type { IndexRequest } from '../../src/packs/index/index-options.ts'
import { openEndpoint, parseEndpointUrl } from '../../src/platform/embed-endpoint.ts'
import { realFiles } from '../../src/platform/files.ts'
import { findSeeds } from '../../src/retrieve/seeds.ts'
import { understood } from '../../src/retrieve/understand.ts'
import { openCodeIndex } from '../../src/store/code/reader.ts'
import { threadlessWorld } from '../support/indexed-folder.ts'
import { onDisk, temporaryFolder, writeFile } from '../support/project.ts'
import { startEndpoint, vectorOf, vectorsOf } from '../support/vectors.ts'

const MODEL = 'letters'
const KEY = 'sk-very-secret'

const SHOP = `
//- src/cart.ts
export function addToCart(product: string, amount: number) { return { product, amount } }
//- src/payment.ts
export function payInvoice(invoice: string, money: number) { return { invoice, money } }
//- docs/shipping.md
# Shipping
Parcels are sent by train.
`

beforeEach(() => {
  vi.stubEnv('DOSSIER_EMBED_KEY', '')
  return () => vi.unstubAllEnvs()
})

function build(folder: string, request: Partial<IndexRequest> = {}) {
  return buildCodeIndex(threadlessWorld(folder), { path: '.', ...request })
}

async function vectorsAreThere(folder: string): Promise<boolean> {
  const index = openCodeIndex(realFiles, indexPath(folder))
  const info = await index.vectorInfo()
  await index.close()
  return info !== undefined
}

describe('AN3 what an endpoint is asked for', () => {
  test('T3 likely secrets are not sent to it', async () => {
    const endpoint = await startEndpoint()
    const token = ['gh', 'p_', 'q7Zt3VbN8xKf2LwR9mYc4HsD6jGp1TaE5uBo'].join('')
    const folder = onDisk(`
//- src/login.ts
export const login = '${token}'
`)
    await build(folder, { embed: endpoint.url, embedModel: MODEL })
    const texts = endpoint.texts().join('\n')
    expect(texts).not.toContain(token)
    expect(texts).toContain("export const login = '[redacted]'")
  })

  test('AN3 every chunk once, with its path and title; later only what changed', async () => {
    const endpoint = await startEndpoint()
    const folder = onDisk(SHOP)
    const first = await build(folder, { embed: endpoint.url, embedModel: MODEL })
    const texts = endpoint.texts()
    expect(first.embedded).toBe(texts.length - 1)
    expect(texts.filter((it) => it.startsWith('src/cart.ts\n'))).toHaveLength(1)
    expect(vectorsOf(folder).chunks).toHaveLength(first.embedded)
    expect(endpoint.asked.every((it) => it.model === MODEL)).toBe(true)

    expect(await build(folder)).toMatchObject({ embedded: 0 })
    expect(await build(folder, { force: true })).toMatchObject({ read: 3, embedded: 0 })
    expect(endpoint.texts()).toEqual([])

    writeFile(folder, 'docs/shipping.md', '# Shipping\nParcels are sent by boat.\n')
    expect(await build(folder)).toMatchObject({ embedded: 1 })
    expect(endpoint.texts()).toEqual([expect.stringContaining('by boat')])
    expect(vectorsOf(folder).chunks).toHaveLength(first.embedded)

    expect(await build(folder, { embedModel: 'other' })).toMatchObject({ embedded: first.embedded })
  })

  test('AN3 what is stored has the direction of what was answered', async () => {
    const endpoint = await startEndpoint()
    const folder = onDisk(SHOP)
    await build(folder, { embed: endpoint.url, embedModel: MODEL })
    const index = openCodeIndex(realFiles, indexPath(folder))
    const text = endpoint.texts().find((it) => it.includes('payInvoice')) ?? ''
    const values = vectorOf(text)
    const most = Math.max(...values)
    const vector = Int8Array.from(values, (it) => Math.round((it / most) * 127))
    const [found] = await index.nearestChunks(vector, 1)
    expect(found).toMatchObject({ path: 'src/payment.ts', score: 1 })
    await index.close()
  })

  test('AN3 a question is one request to the same model', async () => {
    const endpoint = await startEndpoint()
    const folder = onDisk(SHOP)
    await build(folder, { embed: endpoint.url, embedModel: MODEL })
    const requests = endpoint.asked.length
    const index = openCodeIndex(realFiles, indexPath(folder))
    const text = 'pay money for the invoice'
    const question = { text, understood: understood(text) }
    const vector = await queryVector(threadlessWorld(folder), index, question)
    const asked = { query: question.understood, mode: 'mixed', limit: 3, vector } as const
    const [best] = await findSeeds(index, { ...asked, provider: 'ann' })
    expect(best?.chunk.path).toBe('src/payment.ts')
    expect(endpoint.asked.slice(requests)).toEqual([
      { model: MODEL, input: [text], authorization: undefined },
    ])
    await index.close()
  })

  test('AN3 the model is part of the signature; where it is, and the key, are not', async () => {
    vi.stubEnv('DOSSIER_EMBED_KEY', KEY)
    const [one, two] = [await startEndpoint(), await startEndpoint()]
    const folder = onDisk(SHOP)
    const { signature } = await build(folder, { embed: one.url, embedModel: MODEL })
    one.texts()
    const moved = await build(folder, { embed: `${two.url}/embeddings`, embedModel: MODEL })
    expect(moved).toMatchObject({ signature, embedded: 0 })
    writeFile(folder, 'docs/shipping.md', '# Shipping\nBy boat.\n')
    await build(folder)
    expect(one.texts()).toEqual([])
    expect(two.texts()).toHaveLength(1)
    expect(two.asked.at(-1)?.authorization).toBe(`Bearer ${KEY}`)
    const bytes = Buffer.from(realFiles.read(indexPath(folder))).toString('latin1')
    expect(bytes).toContain(two.url)
    expect(bytes).not.toContain(KEY)
    const other = await build(folder, { embed: one.url, embedModel: 'other' })
    const back = await build(folder, { embed: one.url, embedModel: MODEL })
    expect(other.signature).not.toBe(back.signature)
  })
})

const fail =
  (
    status: number,
    body = 'no',
    headers: Readonly<Record<string, string>> = { 'retry-after': '0' },
  ) =>
  (response: ServerResponse): true => {
    response.writeHead(status, headers).end(body)
    return true
  }

function ask(url: string, options: { readonly key?: string; readonly signal?: AbortSignal } = {}) {
  const signal = options.signal ?? new AbortController().signal
  return openEndpoint({ url, model: MODEL, pauseMs: 1, limitMs: 400, ...options, signal })
}

describe('AN4 trouble with an endpoint', () => {
  test('AN4 what may pass is tried again', async () => {
    for (const status of [408, 429, 500, 503]) {
      let left = 2
      const endpoint = await startEndpoint((_, response) => left-- > 0 && fail(status)(response))
      const vectors = await ask(endpoint.url).embed(['a cat', 'a dog'])
      expect(vectors.map((it) => [...it])).toEqual(
        ['a cat', 'a dog'].map((it) => [...Float32Array.from(vectorOf(it))]),
      )
      expect(endpoint.asked).toHaveLength(3)
    }
  })

  test('AN4 many texts go in several requests, and come back in their order', async () => {
    const endpoint = await startEndpoint()
    const texts = Array.from({ length: 301 }, (_, at) => `text ${'x'.repeat(at % 40)} and more`)
    const vectors = await ask(endpoint.url).embed(texts)
    expect(vectors.map((it) => it.join())).toEqual(
      texts.map((it) => Float32Array.from(vectorOf(it)).join()),
    )
    expect(Math.max(...endpoint.asked.map((it) => it.input.length))).toBeLessThanOrEqual(32)
  })

  test('AN4 what does not pass is told at once, without the key', async () => {
    const cases = [
      [401, 'POC_E_REQUEST_INVALID', 'DOSSIER_EMBED_KEY'],
      [404, 'POC_E_REQUEST_INVALID', 'model'],
      [302, 'POC_E_READ_FAILED', 'again'],
    ] as const
    for (const [status, code, hint] of cases) {
      const location = { location: '/elsewhere' }
      const reply = fail(status, `you sent ${KEY}`, location)
      const endpoint = await startEndpoint((_, response) => reply(response))
      const trouble = await ask(endpoint.url, { key: KEY })
        .embed(['a'])
        .catch((it) => it)
      expect(trouble).toBeInstanceOf(EngineError)
      expect(trouble).toMatchObject({ code, hint: expect.stringContaining(hint) })
      expect(`${trouble.message}${trouble.hint}${trouble.stack}`).not.toContain(KEY)
    }
  })

  test('AN4 answers that are none', async () => {
    const one = { index: 0, embedding: [1, 2] }
    const answers = [
      'not JSON',
      '[]',
      JSON.stringify({ data: [one] }),
      JSON.stringify({ data: [one, { index: 0, embedding: [1, 2] }] }),
      JSON.stringify({ data: [one, { index: 1, embedding: [1, null] }] }),
      JSON.stringify({ data: [one, { index: 1, embedding: [] }] }),
      JSON.stringify({ data: [one, { index: 1, embedding: [1, 2, 3] }] }),
    ]
    for (const answer of answers) {
      const endpoint = await startEndpoint((_, response) => fail(200, answer)(response))
      await expect(ask(endpoint.url).embed(['a', 'b'])).rejects.toMatchObject({
        code: 'POC_E_READ_FAILED',
      })
      expect(endpoint.asked).toHaveLength(1)
    }
  })

  test('AN4 nobody there, nobody answers, nobody waits any longer', async () => {
    const gone = 'http://127.0.0.1:1/v1'
    await expect(ask(gone).embed(['a'])).rejects.toMatchObject({
      code: 'POC_E_READ_FAILED',
      message: expect.stringContaining('cannot be reached'),
    })
    const silent = await startEndpoint(() => true)
    await expect(ask(silent.url).embed(['a'])).rejects.toMatchObject({
      code: 'POC_E_READ_FAILED',
      message: expect.stringContaining('in time'),
    })
    const signal = AbortSignal.timeout(30)
    await expect(ask(silent.url, { signal }).embed(['a'])).rejects.toMatchObject({
      code: 'POC_E_CANCELLED',
    })
  })

  test('AN4 addresses with secrets in them, and none at all', () => {
    expect(parseEndpointUrl('self')).toBeUndefined()
    expect(parseEndpointUrl('./models')).toBeUndefined()
    expect(parseEndpointUrl('HTTP://localhost:11434/v1/')).toBe('http://localhost:11434/v1')
    for (const text of ['http://', 'https://me:pass@host/v1', 'https://host/v1?key=1']) {
      expect(() => parseEndpointUrl(text)).toThrow(EngineError)
    }
  })

  test('AN4 a build that breaks off keeps the index and what was paid for', async () => {
    let left = 5
    const endpoint = await startEndpoint((_, response) => left-- <= 0 && fail(400)(response))
    const folder = temporaryFolder()
    for (let at = 0; at < 200; at += 1) writeFile(folder, `n${at}.md`, `# Note ${at}\n\nText.\n`)
    const request = { embed: endpoint.url, embedModel: MODEL }
    await expect(build(folder, request)).rejects.toMatchObject({ code: 'POC_E_REQUEST_INVALID' })
    const index = openCodeIndex(realFiles, indexPath(folder))
    expect((await index.status()).files).toBe(200)
    await index.close()
    expect(await vectorsAreThere(folder)).toBe(false)
    endpoint.texts()
    left = 1000
    expect(await build(folder)).toMatchObject({ read: 0, embedded: 200 - 128 })
    expect(endpoint.texts()).toHaveLength(200 - 128)
    expect(await vectorsAreThere(folder)).toBe(true)
    expect(vectorsOf(folder).chunks).toHaveLength(200)
  })

  test('AN4 an endpoint without a model, and one that is gone before anything is read', async () => {
    const folder = onDisk(SHOP)
    const endpoint = await startEndpoint((_, response) => fail(404)(response))
    await expect(build(folder, { embed: endpoint.url })).rejects.toMatchObject({
      code: 'POC_E_REQUEST_INVALID',
      hint: expect.stringContaining('--embed-model'),
    })
    await expect(build(folder, { embed: endpoint.url, embedModel: MODEL })).rejects.toMatchObject({
      code: 'POC_E_REQUEST_INVALID',
    })
    expect(existsSync(indexPath(folder))).toBe(false)
  })
})
