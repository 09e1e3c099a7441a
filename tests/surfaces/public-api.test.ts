/** The library: names that others build on, and the same answers as the command line. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import * as dossier from '../../src/index.ts'

test('A3 the public names are these', () => {
  expect(Object.keys(dossier).toSorted()).toEqual([
    'ERROR_CODES',
    'EngineError',
    'ask',
    'canonicalDocsPack',
    'chunkMarkdown',
    'generateChunkId',
  ])
})

test('A3 the error codes are these', () => {
  expect([...dossier.ERROR_CODES].toSorted()).toEqual([
    'POC_E_BUDGET_EXCEEDED',
    'POC_E_BUSY',
    'POC_E_CANCELLED',
    'POC_E_CHUNK_UNKNOWN',
    'POC_E_CONFIG_INVALID',
    'POC_E_CONTRACT_VERSION',
    'POC_E_FLOW_MISSING',
    'POC_E_INDEX_MISSING',
    'POC_E_NOT_SUPPORTED',
    'POC_E_NO_DOCUMENTS',
    'POC_E_OUT_OF_MEMORY',
    'POC_E_PACK_CORRUPT',
    'POC_E_PACK_FOREIGN',
    'POC_E_PACK_MISSING',
    'POC_E_PACK_STALE',
    'POC_E_READ_FAILED',
    'POC_E_REQUEST_INVALID',
    'POC_E_SEGMENT_MISSING',
    'POC_E_SEGMENT_OUTSIDE_ROOT',
    'POC_E_SELECTOR_INVALID',
    'POC_E_SOURCE_INVALID',
    'POC_E_TARGET_AMBIGUOUS',
    'POC_E_TARGET_UNKNOWN',
    'POC_E_UNAUTHORIZED',
    'POC_E_WORKSPACE_UNKNOWN',
    'POC_E_WRITE_FAILED',
  ])
})

test('A3 every operation can be asked by its name', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'dossier-api-'))
  try {
    writeFileSync(join(folder, 'guide.md'), '# Guide\n\nHow to set a token budget.\n')
    const options = { workingFolder: folder }
    const report = await dossier.ask('ctx sync', {}, options)
    expect(report).toMatchObject({ written: true, documents: 1, chunks: 1 })
    const { hits } = await dossier.ask('ctx search', { query: 'token budget' }, options)
    expect(hits.map((it) => it.title)).toEqual(['Guide'])
    const ids = hits.map((it) => it.id)
    const { items } = await dossier.ask('ctx get', { ids }, options)
    expect(items.map((it) => it.text)).toEqual(['# Guide\n\nHow to set a token budget.'])
    expect(await dossier.ask('ctx validate', {}, options)).toMatchObject({ valid: true })
    expect(await dossier.ask('ctx stats', {}, options)).toMatchObject({ chunks: 1 })
    expect((await dossier.ask('ctx prompt', {}, options)).text).toContain('Guide')
    expect(await dossier.ask('ctx build', { dryRun: true }, options)).toMatchObject({
      written: false,
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('A3 a request that cannot be met is an error with a code', async () => {
  const asked = dossier.ask('ctx search', { query: '' })
  await expect(asked).rejects.toMatchObject({ name: 'EngineError', code: 'POC_E_REQUEST_INVALID' })
})

test.each([
  ['ctx serch', 'did you mean ctx search or '],
  ['nosuch', 'available operations: pack, pack diff, '],
  ['toString', 'available operations: pack, pack diff, '],
])('A5 %s is no operation, which is an error with the nearest names', async (name, hint) => {
  const asked = dossier.ask(name as dossier.OperationName, {})
  await expect(asked).rejects.toMatchObject({
    name: 'EngineError',
    code: 'POC_E_REQUEST_INVALID',
    message: `unknown operation ${name}`,
    hint: expect.stringContaining(hint),
  })
})
