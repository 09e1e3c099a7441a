/** Building: B1, B4, B5, B7, B8, and what stands in the file. */
import { chmodSync, readFileSync, rmSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { getDocs } from '../../src/packs/docs/docs-get.ts'
import { buildDocsPrompt } from '../../src/packs/docs/docs-prompt.ts'
import { searchDocs } from '../../src/packs/docs/docs-search.ts'
import { computeDocsStats } from '../../src/packs/docs/docs-stats.ts'
import { validateDocs } from '../../src/packs/docs/docs-validate.ts'
import { type Files, realFiles } from '../../src/platform/files.ts'
import {
  ask,
  build,
  built,
  canonicalPack,
  databasePath,
  packPath,
  readPack,
  sync,
} from '../support/pack.ts'
import { listing, onDisk, writeFile } from '../support/project.ts'
import { quietWorld, realTokens } from '../support/world.ts'

const PROJECT = `
//- guide.md
# Guide

Read this first.

## Setup

Run \`npm install\` and wait.
//- deep/er/api.md
---
title: The API
---

## Usage

Call login() with a token.
`

describe('the pack', () => {
  test('is what FORMAT says, in one readable piece', async () => {
    const folder = onDisk(PROJECT)
    const pack = await built(folder)
    const shown = {
      ...pack,
      segment: 'segment',
      created_at: '(now)',
      source_files: pack.source_files.map((it) => ({ ...it, mtime: 0 })),
    }
    expect(Number.isNaN(Date.parse(pack.created_at))).toBe(false)
    await expect(`${JSON.stringify(shown, null, 2)}\n`).toMatchFileSnapshot(
      '../golden/docs-pack.json',
    )
  })
})

describe('B1 a dry run', () => {
  test.each([false, true])('B1 writes nothing at all (incremental: %s)', async (incremental) => {
    const folder = onDisk(PROJECT)
    const before = listing(folder)
    const report = await build(quietWorld(folder), { dryRun: true, incremental })
    expect(listing(folder)).toEqual(before)
    expect(report).toMatchObject({ written: false, documents: 2, chunks: 3 })
  })

  test('B1 leaves a pack that is there as it is', async () => {
    const folder = onDisk(PROJECT)
    await build(quietWorld(folder))
    writeFile(folder, 'new.md', '# New\n')
    const before = [listing(folder), readFileSync(packPath(folder), 'utf8')]
    const report = await sync(quietWorld(folder), { dryRun: true })
    expect(report.added).toEqual(['new.md'])
    expect([listing(folder), readFileSync(packPath(folder), 'utf8')]).toEqual(before)
  })
})

/** The disk fails at the nth change that is asked of it, and at all later ones. */
function failingFiles(failsAt: number): { readonly files: Files; reached(): boolean } {
  let changes = 0
  const change = <T>(action: () => T): T => {
    changes += 1
    if (changes >= failsAt) {
      throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
    }
    return action()
  }
  const files: Files = {
    ...realFiles,
    makeFolder: (path) => change(() => realFiles.makeFolder(path)),
    rename: (from, to) => change(() => realFiles.rename(from, to)),
    replace: (path) => {
      const real = change(() => realFiles.replace(path))
      return {
        path: real.path,
        write: (bytes) => change(() => real.write(bytes)),
        copy: (source, start, length) => change(() => real.copy(source, start, length)),
        flush: () => change(() => real.flush()),
        commit: () => change(() => real.commit()),
        discard: () => real.discard(),
      }
    },
  }
  return { files, reached: () => changes >= failsAt }
}

describe('B4 a build that fails leaves the former pack', () => {
  test.each([
    ['json', false],
    ['json', true],
    ['sqlite', true],
  ] as const)('B4 texts in %s, incremental: %s', async (chunksIn, incremental) => {
    const folder = onDisk(`${PROJECT}//- c.md\n# C\n//- d.md\n# D\n`)
    await build(quietWorld(folder), { chunksIn })
    let failures = 0
    for (let failsAt = 1; ; failsAt += 1) {
      writeFile(folder, 'guide.md', `# Guide\n\nAttempt ${failsAt}: read this first.\n`)
      const { files, reached } = failingFiles(failsAt)
      const attempt = build(quietWorld(folder, { files }), { chunksIn, incremental })
      if (!(await succeeded(attempt)) || reached()) {
        failures += 1
        const found = await ask(folder, (index) => searchDocs(index, 'read this first', 3))
        expect(found.hits[0]?.chunk.source_path).toBe('guide.md')
        expect(listing(folder).filter((it) => it.includes('.tmp-'))).toEqual([])
        continue
      }
      break
    }
    expect(failures).toBeGreaterThan(3)
    // The next build mends whatever was left, and is what a build from scratch would be.
    await sync(quietWorld(folder))
    const mended = canonicalPack(packPath(folder))
    expect((await validateDocs(quietWorld(folder), { segment: '.' })).valid).toBe(true)
    await build(quietWorld(folder), { chunksIn })
    expect(canonicalPack(packPath(folder))).toBe(mended)
  })

  test('B4 a failed write says so, with a hint', async () => {
    const folder = onDisk(PROJECT)
    const failed = build(quietWorld(folder, { files: failingFiles(2).files }))
    await expect(failed).rejects.toMatchObject({
      code: 'POC_E_WRITE_FAILED',
      hint: expect.stringContaining('disk is full') as string,
    })
  })

  test('B4 a build that is called off changes nothing', async () => {
    const folder = onDisk(PROJECT)
    await build(quietWorld(folder))
    const before = readFileSync(packPath(folder), 'utf8')
    writeFile(folder, 'guide.md', '# Changed\n')
    const called = build(quietWorld(folder, { signal: AbortSignal.abort() }))
    await expect(called).rejects.toMatchObject({ code: 'POC_E_CANCELLED' })
    expect(readFileSync(packPath(folder), 'utf8')).toBe(before)
  })

  test('B4 builds at once give one good pack', async () => {
    const folder = onDisk(PROJECT)
    const four = [build, sync, build, sync].map((it) => it(quietWorld(folder)))
    const reports = await Promise.all(four)
    expect(reports.map((it) => it.documents)).toEqual([2, 2, 2, 2])
    const validation = await validateDocs(quietWorld(folder), { segment: '.' })
    expect(validation.checks.filter((it) => !it.ok)).toEqual([])
    expect(listing(folder).filter((it) => it.includes('.tmp-'))).toEqual([])
  })
})

async function succeeded(attempt: Promise<unknown>): Promise<boolean> {
  try {
    await attempt
    return true
  } catch {
    return false
  }
}

describe('B5 a pack that is not ours', () => {
  const FOREIGN = [
    [
      'another program',
      '{"schema_version": 1, "generator_version": "0.1.0"}',
      'POC_E_PACK_FOREIGN',
    ],
    [
      'a newer schema',
      '{"schema_version": 9, "generator_version": "dossier 9.0.0"}',
      'POC_E_CONTRACT_VERSION',
    ],
    ['something else altogether', 'my shopping list', 'POC_E_PACK_FOREIGN'],
  ] as const

  test.each(FOREIGN)('B5 of %s is replaced only with --force', async (_, content, code) => {
    const folder = onDisk(PROJECT)
    writeFile(folder, '_ctx/context_pack.json', content)
    await expect(build(quietWorld(folder))).rejects.toMatchObject({ code })
    await expect(sync(quietWorld(folder))).rejects.toMatchObject({ code })
    expect(readFileSync(packPath(folder), 'utf8')).toBe(content)
    await build(quietWorld(folder), { force: true })
    expect(readPack(folder).docs).toHaveLength(2)
  })

  test('B5 an older version of ours needs no force', async () => {
    const folder = onDisk(PROJECT)
    await build(quietWorld(folder, { generator: 'dossier 0.0.1' }))
    const report = await sync(quietWorld(folder))
    expect(report.written).toBe(true)
    expect(readPack(folder).generator_version).toBe('dossier 0.1.0')
  })

  test('B5 a pack of ours that was cut short is made again', async () => {
    const folder = onDisk(PROJECT)
    await build(quietWorld(folder))
    writeFile(
      folder,
      '_ctx/context_pack.json',
      readFileSync(packPath(folder), 'utf8').slice(0, 500),
    )
    expect((await sync(quietWorld(folder))).written).toBe(true)
    expect((await validateDocs(quietWorld(folder), { segment: '.' })).valid).toBe(true)
  })
})

describe('B7 documents that are no text', () => {
  test('B7 NUL bytes: left out with a diagnostic, the rest is built', async () => {
    const folder = onDisk(PROJECT)
    writeFile(folder, 'image.md', Uint8Array.of(0x23, 0x20, 0x41, 0, 1, 2))
    const report = await build(quietWorld(folder))
    expect(report.documents).toBe(2)
    expect(report.diagnostics.map((it) => [it.code, it.path])).toEqual([['binary', 'image.md']])
  })

  test('B7 invalid UTF-8: built with U+FFFD and a diagnostic', async () => {
    const folder = onDisk(PROJECT)
    writeFile(folder, 'latin.md', Uint8Array.of(0x23, 0x20, 0x63, 0x61, 0x66, 0xe9))
    const report = await build(quietWorld(folder))
    expect(report.diagnostics.map((it) => it.code)).toEqual(['invalid-utf8'])
    expect(readPack(folder).chunks.map((it) => it.text)).toContain('# caf\ufffd')
  })

  test.each([
    ['little', 'utf16le'],
    ['big', 'utf16be'],
  ])('B7 UTF-16 with a byte-order mark, %s end first', async (_, encoding) => {
    const folder = onDisk(PROJECT)
    const bytes = Buffer.from('\ufeff# Größe 🎉\n\ntext\n', 'utf16le')
    writeFile(folder, 'wide.md', encoding === 'utf16be' ? bytes.swap16() : bytes)
    const report = await build(quietWorld(folder))
    expect(report.diagnostics).toEqual([])
    const chunk = readPack(folder).chunks.find((it) => it.source_path === 'wide.md')
    expect(chunk).toMatchObject({ title_path: ['Größe 🎉'], start_line: 1, end_line: 3 })
  })

  test('B7 a UTF-8 byte-order mark is no part of the text', async () => {
    const folder = onDisk(PROJECT)
    writeFile(folder, 'bom.md', '\ufeff---\ntitle: T\n---\n# A\n')
    await build(quietWorld(folder))
    const chunk = readPack(folder).chunks.find((it) => it.source_path === 'bom.md')
    expect(chunk).toMatchObject({ text: '# A', start_line: 4 })
  })

  // Left out for root, whom no permission keeps from reading.
  test.skipIf(process.getuid?.() === 0)('B7 no permission to read', async () => {
    const folder = onDisk(PROJECT)
    writeFile(folder, 'secret.md', '# Secret\n')
    chmodSync(`${folder}/secret.md`, 0)
    const report = await build(quietWorld(folder))
    expect(report.diagnostics.map((it) => it.code)).toEqual(['unreadable'])
  })

  test('B7 a file that cannot be read, by a disk that says so', async () => {
    const folder = onDisk(PROJECT)
    const files: Files = {
      ...realFiles,
      read: (path) => {
        if (path.endsWith('guide.md')) throw new Error('input/output error')
        return realFiles.read(path)
      },
    }
    const report = await build(quietWorld(folder, { files }))
    expect(report.documents).toBe(1)
    expect(report.diagnostics).toMatchObject([{ code: 'unreadable', path: 'guide.md' }])
  })

  test('B7 documents without any text are documents all the same', async () => {
    const folder = onDisk(PROJECT)
    writeFile(folder, 'empty.md', '')
    writeFile(folder, 'blank.md', ' \n\n')
    writeFile(folder, 'meta.md', '---\ntitle: T\n---\n')
    const report = await build(quietWorld(folder))
    expect(report).toMatchObject({ documents: 5, chunks: 3, diagnostics: [] })
    expect((await validateDocs(quietWorld(folder), { segment: '.' })).valid).toBe(true)
  })

  test('B7 nothing that can be read is an error that names the first trouble', async () => {
    const folder = onDisk('//- notes.txt\nno Markdown\n')
    await expect(build(quietWorld(folder))).rejects.toMatchObject({ code: 'POC_E_NO_DOCUMENTS' })
    writeFile(folder, 'a.md', Uint8Array.of(0))
    const message = expect.stringContaining('a.md') as string
    await expect(build(quietWorld(folder))).rejects.toMatchObject({ message })
  })
})

describe('B8 texts in the database alone', () => {
  test('B8 every question has the same answer', async () => {
    const plain = onDisk(PROJECT)
    const lean = onDisk(PROJECT)
    await build(quietWorld(plain))
    await build(quietWorld(lean), { chunksIn: 'sqlite' })
    expect(readPack(lean).chunks.some((it) => 'text' in it)).toBe(false)
    expect(readPack(plain).chunks.every((it) => 'text' in it)).toBe(true)
    const [one, other] = await Promise.all([answers(plain), answers(lean)])
    expect(other).toEqual(one)
    expect((await validateDocs(quietWorld(lean), { segment: '.' })).valid).toBe(true)
  })

  test('B8 a sync keeps to it', async () => {
    const folder = onDisk(PROJECT)
    await build(quietWorld(folder), { chunksIn: 'sqlite' })
    writeFile(folder, 'guide.md', '# Other\n')
    expect((await sync(quietWorld(folder))).chunksIn).toBe('sqlite')
    expect(readPack(folder).chunks.some((it) => 'text' in it)).toBe(false)
  })

  test('B8 without the database the texts are gone, and the error says what to do', async () => {
    const folder = onDisk(PROJECT)
    await build(quietWorld(folder), { chunksIn: 'sqlite' })
    rmSync(databasePath(folder))
    const asked = ask(folder, (index) => searchDocs(index, 'login', 3))
    await expect(asked).rejects.toMatchObject({ code: 'POC_E_PACK_CORRUPT' })
    await sync(quietWorld(folder), { chunksIn: 'sqlite' })
    const found = await ask(folder, (index) => searchDocs(index, 'login', 3))
    expect(found.hits).toHaveLength(1)
  })
})

/** One of every question that can be asked of a pack. */
async function answers(folder: string): Promise<unknown> {
  const count = await realTokens()
  return ask(folder, async (index) => {
    const ids = (await index.index()).map((it) => it.id)
    return {
      search: await searchDocs(index, 'login token', 5),
      got: await getDocs(index, { ids, mode: 'raw', budget: 5000 }, count),
      prompt: (await buildDocsPrompt(index, { maxTokens: 500, howToFetch: 'ask' }, count)).text
        .split('\n')
        .slice(1),
      stats: { ...(await computeDocsStats(quietWorld(folder), index, count)), promptTokens: 0 },
    }
  })
}
