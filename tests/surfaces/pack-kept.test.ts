/** Packs that are kept, compared and proved, through the program. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ContextPack } from '../../src/model/context-pack.ts'
import type { PackDiff } from '../../src/packs/context/pack-diff.ts'
import { canonicalPack } from '../../src/packs/context/pack-id.ts'
import type { PackVerification } from '../../src/packs/context/pack-verify.ts'
import { EXIT_STATUS } from '../../src/surfaces/cli/exit-status.ts'
import { write } from './support/folder.ts'
import { editBerths, HARBOR, indexedHarbor, reindex } from './support/harbor.ts'
import {
  dossier,
  type ErrorJson,
  type Finished,
  json,
  shell,
  startDossier,
} from './support/program.ts'

function run(folder: string, ...args: readonly string[]): Promise<Finished> {
  return dossier(args, { cwd: folder })
}

const ASK = ['context-pack', '--query', 'berth for a ship'] as const

async function kept(folder: string, ...flags: readonly string[]): Promise<string> {
  const done = await run(folder, ...ASK, ...flags, '--write')
  expect(done, done.stderr).toMatchObject({ status: 0, stderr: '' })
  expect(done.stdout).toMatch(/^[0-9a-f]{64}\n$/)
  return done.stdout.trim()
}

function shelf(folder: string): string {
  return join(folder, '.dossier', 'context_packs.jsonl')
}

describe('PK1 --write and --read', () => {
  test('PK1 what is read is what was kept, byte for byte, and is not made twice', async () => {
    const folder = await indexedHarbor()
    const packId = await kept(folder)
    const line = readFileSync(shelf(folder), 'utf8')
    const pack = JSON.parse(line) as ContextPack
    expect(pack.packId).toBe(packId)
    const read = ['context-pack', '--read', '--pack-id', packId.slice(0, 12)]
    expect(json(await run(folder, ...read, '--json'))).toEqual(pack)
    // The one that is kept: even the time of it is the same.
    expect(json(await run(folder, ...ASK, '--json'))).toEqual(pack)
    const got = await run(folder, 'context-pack', 'get', packId)
    expect(got.stdout).toBe((await run(folder, ...read)).stdout)
    expect(got.stdout).toMatch(/^# Context: berth for a ship\n/)
    expect(await kept(folder)).toBe(packId)
    expect(readFileSync(shelf(folder), 'utf8')).toBe(line)
    const other = json<ContextPack>(await run(folder, ...ASK, '--tokens', '900', '--json'))
    expect(other.packId).not.toBe(packId)
  })

  test('PK1 an id that is not kept is an error with the nearest', async () => {
    const folder = await indexedHarbor()
    const packId = await kept(folder)
    const wrong = `${packId.slice(0, 30)}${packId[30] === '0' ? '1' : '0'}${packId.slice(31)}`
    const done = await run(folder, 'context-pack', '--read', '--pack-id', wrong)
    expect(done).toMatchObject({ status: EXIT_STATUS.POC_E_PACK_MISSING, stdout: '' })
    expect(done.stderr).toContain('POC_E_PACK_MISSING')
    expect(done.stderr).toContain(`did you mean ${packId}?`)
  })

  test('PK4 many processes at once keep all of theirs', async () => {
    const folder = await indexedHarbor()
    const running = Array.from({ length: 5 }, (_, at) =>
      startDossier(['context-pack', '-q', `ship number ${at}`, '--write'], { cwd: folder }),
    )
    const done = await Promise.all(running.map((it) => it.finished))
    expect(done.map((it) => it.status)).toEqual([0, 0, 0, 0, 0])
    const lines = readFileSync(shelf(folder), 'utf8').trimEnd().split('\n')
    const ids = lines.map((it) => (JSON.parse(it) as ContextPack).packId)
    expect(ids.toSorted()).toEqual(done.map((it) => it.stdout.trim()).toSorted())
  })
})

describe('PK9 a changed index', () => {
  test('PK9 makes a kept pack stale, which is told and never hidden', async () => {
    const folder = await indexedHarbor()
    const packId = await kept(folder)
    editBerths(folder)
    await reindex(folder)
    const read = ['context-pack', '--read', '--pack-id', packId]
    const refused = await run(folder, ...read, '--json')
    expect(refused.status).toBe(EXIT_STATUS.POC_E_PACK_STALE)
    expect(json<ErrorJson>(refused).error.code).toBe('POC_E_PACK_STALE')
    expect((await run(folder, 'context-pack', 'get', packId)).stderr).toContain('POC_E_PACK_STALE')
    const stale = await run(folder, ...read, '--stale')
    expect(stale.status).toBe(0)
    expect(stale.stderr).toContain('the index has changed since')
    expect(stale.stdout).not.toContain("'pier'")
    const fresh = json<ContextPack>(await run(folder, ...ASK, '--json'))
    expect(fresh.packId).not.toBe(packId)
    expect(JSON.stringify(fresh)).toContain("'pier'")
    // Back as it was: the same index, and so the same pack.
    write(folder, HARBOR)
    await reindex(folder)
    expect((await run(folder, ...read)).status).toBe(0)
  })

  test('PK9 a damaged record is told, and made anew', async () => {
    const folder = await indexedHarbor()
    const packId = await kept(folder)
    const good = readFileSync(shelf(folder), 'utf8')
    writeFileSync(shelf(folder), good.replace('berthFor', 'birthFor'))
    const read = await run(folder, 'context-pack', '--read', '--pack-id', packId)
    expect(read.status).toBe(EXIT_STATUS.POC_E_PACK_CORRUPT)
    expect(read.stderr).toContain(`the record of ${packId}`)
    const again = await run(folder, ...ASK, '--write')
    expect(again.stderr).toContain('it is made anew')
    const back = await run(folder, 'context-pack', '--read', '--pack-id', packId, '--json')
    expect(canonicalPack(json<ContextPack>(back))).toBe(canonicalPack(JSON.parse(good)))
  })
})

describe('PK10 pack verify', () => {
  test('PK10 proves a pack, from a file, from standard input and by its id', async () => {
    const folder = await indexedHarbor()
    const packId = await kept(folder)
    const asked = await run(folder, 'pack', 'berth for a ship', '--no-index', '--json')
    write(folder, { 'pack.json': asked.stdout })
    for (const line of [
      'dossier pack verify pack.json',
      'dossier pack verify - < pack.json',
      `dossier pack verify ${packId.slice(0, 12)}`,
      'dossier pack "length" --no-index --quiet --json --tokens 300 | dossier pack verify -',
    ]) {
      const done = await shell(line, { cwd: folder })
      expect(done, `${line}\n${done.stdout}${done.stderr}`).toMatchObject({ status: 0, stderr: '' })
      expect(done.stdout).toMatch(/^equal [0-9a-f]{64}\n {2}\d+ bytes/)
    }
  })

  test('PK10 names what was changed in a pack', async () => {
    const folder = await indexedHarbor()
    const pack = json<ContextPack>(await run(folder, ...ASK, '--json'))
    const text = JSON.stringify(pack)
    const forged: readonly (readonly [string, string])[] = [
      [
        text.replace('"languageId":"typescript"', '"languageId":"cobol"'),
        'languageId "cobol" → "typescript"',
      ],
      [text.replace('long enough for it', 'long enough for her'), 'excerpt.text'],
      [text.replace(pack.packId, '0'.repeat(64)), 'packId "0000'],
      [text.replace('"intent":"answer"', '"intent":"debug"'), 'packId'],
    ]
    for (const [forgery, part] of forged) {
      expect(forgery).not.toBe(text)
      write(folder, { 'forged.json': forgery })
      const done = await run(folder, 'pack', 'verify', 'forged.json')
      expect(done).toMatchObject({ status: 1, stderr: '' })
      expect(done.stdout).toContain('different')
      expect(done.stdout).toContain(part)
    }
  })

  test('PK10 says that the index is another one', async () => {
    const folder = await indexedHarbor()
    const pack = await run(folder, ...ASK, '--json')
    editBerths(folder)
    await reindex(folder)
    write(folder, { 'pack.json': pack.stdout })
    const done = await run(folder, 'pack', 'verify', 'pack.json', '--json')
    expect(done.status).toBe(1)
    const found = json<PackVerification>(done)
    expect(found).toMatchObject({ verdict: 'stale', differences: [] })
    expect(found.packIndex).not.toBe(found.presentIndex)
  })

  test('PK17 says against which index it verified, and which files have changed since', async () => {
    const folder = await indexedHarbor()
    const id = await kept(folder)
    const before = await run(folder, 'pack', 'verify', id)
    expect(before.stdout).toMatch(/\n {2}against the index [0-9a-f]{12} of \d{4}-\d\d-\d\dT\S+\n/)
    expect(before.stdout).toContain('\n  no file has changed since\n')
    editBerths(folder)
    write(folder, { 'src/new.ts': 'export const isNew = true\n' })
    rmSync(join(folder, 'src/office.ts'))
    const after = await run(folder, 'pack', 'verify', id)
    expect(after).toMatchObject({ status: 0, stderr: '' })
    expect(after.stdout).toContain('would take in: src/berths.ts, src/new.ts, src/office.ts\n')
    const found = json<PackVerification>(await run(folder, 'pack', 'verify', id, '--json'))
    expect(found.verdict).toBe('equal')
    expect(found.age.changed).toEqual(['src/berths.ts', 'src/new.ts', 'src/office.ts'])
  })

  const BAD = [
    ['no file', 'nowhere.json', 'POC_E_PACK_MISSING'],
    ['no pack of that id', 'abcdef123456', 'POC_E_PACK_MISSING'],
    ['another JSON', 'package.json', 'POC_E_PACK_FOREIGN'],
    ['no JSON', 'README.md', 'POC_E_PACK_FOREIGN'],
    ['a pack as Markdown', 'pack.md', 'POC_E_PACK_FOREIGN'],
    ['a pack as XML', 'pack.xml', 'POC_E_PACK_FOREIGN'],
    ['half a pack', 'half.json', 'POC_E_PACK_CORRUPT'],
    ['a context pack of another version', 'newer.json', 'POC_E_CONTRACT_VERSION'],
    ['a pack without its request', 'bare.json', 'POC_E_PACK_CORRUPT'],
    ['a folder', 'src', 'POC_E_READ_FAILED'],
  ] as const

  test('PK10 what is no pack is an error with a code', async () => {
    const folder = await indexedHarbor()
    const { stdout } = await run(folder, ...ASK, '--json')
    const { request: _, ...bare } = JSON.parse(stdout) as ContextPack
    write(folder, {
      'package.json': '{"name":"harbor"}',
      'half.json': stdout.slice(0, stdout.length / 2),
      'newer.json': stdout.replace('"formatVersion": 1', '"formatVersion": 2'),
      'bare.json': JSON.stringify(bare),
      'pack.md': (await run(folder, ...ASK)).stdout,
      'pack.xml': (await run(folder, ...ASK, '--format', 'xml')).stdout,
    })
    for (const [what, name, code] of BAD) {
      const done = await run(folder, 'pack', 'verify', name)
      expect(done.stderr, what).toContain(code)
      expect(done.status).toBe(EXIT_STATUS[code])
      if (code === 'POC_E_PACK_FOREIGN') expect(done.stderr).toContain('--format json')
    }
  })
})

describe('PK11 pack diff', () => {
  test('PK11 the same pack is equal', async () => {
    const folder = await indexedHarbor()
    const packId = await kept(folder)
    const { stdout } = await run(folder, ...ASK, '--json')
    write(folder, { 'pack.json': stdout })
    const done = await run(folder, 'pack', 'diff', packId, 'pack.json')
    expect(done).toMatchObject({ status: 0, stdout: 'equal: the same canonical form\n' })
  })

  test('PK11 another request: which fields, what left and why', async () => {
    const folder = await indexedHarbor()
    const wide = await run(folder, ...ASK, '--json')
    const narrow = await run(folder, ...ASK, '--max-items', '2', '--json')
    write(folder, { 'a.json': wide.stdout, 'b.json': narrow.stdout })
    const diff = json<PackDiff>(await run(folder, 'pack', 'diff', 'a.json', 'b.json', '--json'))
    expect(diff.isOtherIndex).toBe(false)
    expect(diff.request).toEqual([{ place: 'budgets.maxItems', before: 80, after: 2 }])
    expect(diff.left.length).toBe(diff.before.items - 2)
    expect(diff.entered).toEqual([])
    expect(diff.left.every((it) => it.why[0]?.startsWith('now: ') === true)).toBe(true)
    const shown = await run(folder, 'pack', 'diff', 'a.json', 'b.json')
    expect(shown.stdout).toContain('request budgets.maxItems 80 → 2')
    expect(shown.stdout).toContain(`left: ${diff.left.length}\n`)
    const back = json<PackDiff>(await run(folder, 'pack', 'diff', 'b.json', 'a.json', '--json'))
    expect(back.entered.map((it) => it.chunkUid)).toEqual(diff.left.map((it) => it.chunkUid))
  })

  test('PK11 another index: an edited piece is the same piece with another text', async () => {
    const folder = await indexedHarbor()
    const before = await run(folder, ...ASK, '--json')
    editBerths(folder)
    await reindex(folder)
    const after = await run(folder, ...ASK, '--json')
    write(folder, { 'a.json': before.stdout, 'b.json': after.stdout })
    const done = await run(folder, 'pack', 'diff', 'a.json', 'b.json', '--json')
    const diff = json<PackDiff>(done)
    expect(diff.isOtherIndex).toBe(true)
    expect(diff.request).toEqual([])
    expect(diff.shown.map((it) => it.fileRelPath)).toContain('src/berths.ts')
    const { stdout } = await run(folder, 'pack', 'diff', 'a.json', 'b.json')
    expect(stdout).toMatch(/ {2}index [0-9a-f]{12} → [0-9a-f]{12}\n/)
  })
})
