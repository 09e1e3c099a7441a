/** An index that is current is seen to be, by a look that neither waits nor writes. */
import { appendFileSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { buildCodeIndex, openWriter } from '../../src/packs/index/code-index.ts'
import { openFresh } from '../../src/packs/index/fresh-index.ts'
import { indexIn, threadlessWorld } from '../support/indexed-folder.ts'
import { HARBOR } from '../support/packed.ts'
import { onDisk } from '../support/project.ts'

const folders: string[] = []

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** With files so old that they are trusted by their times. */
async function settled(): Promise<string> {
  const folder = onDisk(HARBOR)
  folders.push(folder)
  const longAgo = new Date(Date.now() - 3_600_000)
  for (const it of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    utimesSync(join(folder, it), longAgo, longAgo)
  await indexIn(folder)
  return folder
}

/** What a look says while somebody else is writing and we do not want to wait. */
async function signatureWhileWriting(folder: string): Promise<string> {
  const writer = openWriter(threadlessWorld(folder), folder)
  await writer.begin()
  try {
    const signal = AbortSignal.abort()
    const index = await openFresh(threadlessWorld(folder, { signal }), folder)
    const signature = await index.signature()
    await index.close()
    return signature
  } finally {
    await writer.close()
  }
}

const CHANGES: readonly (readonly [string, (folder: string) => void])[] = [
  ['an edit', (it) => appendFileSync(join(it, 'src/tide.ts'), 'export const HIGH = 9\n')],
  ['a new file', (it) => writeFileSync(join(it, 'src/buoy.ts'), 'export const BUOY = 1\n')],
  ['a file that is gone', (it) => rmSync(join(it, 'src/tide.ts'))],
  ['an ignore file', (it) => writeFileSync(join(it, '.dossierignore'), 'src/tide.ts\n')],
  ['a file that is left out', (it) => writeFileSync(join(it, 'src/a.png'), 'x')],
]

describe('PK13 an index that is current', () => {
  test('is opened while somebody writes', async () => {
    const folder = await settled()
    const { signature } = await indexIn(folder)
    expect(await signatureWhileWriting(folder)).toBe(signature)
  })

  test('is one without vectors, which no look at files can judge', async () => {
    const folder = await settled()
    await buildCodeIndex(threadlessWorld(folder), { path: '.', embed: 'self' })
    await expect(signatureWhileWriting(folder)).rejects.toMatchObject({ code: 'POC_E_CANCELLED' })
  })

  test.each(CHANGES)('is none after %s, and is brought up to date', async (_, change) => {
    const folder = await settled()
    change(folder)
    await expect(signatureWhileWriting(folder)).rejects.toMatchObject({ code: 'POC_E_CANCELLED' })
    const index = await openFresh(threadlessWorld(folder), folder)
    const signature = await index.signature()
    await index.close()
    const { read, removed, signature: later } = await indexIn(folder)
    expect({ read, removed, later }).toEqual({ read: 0, removed: 0, later: signature })
  })
})
