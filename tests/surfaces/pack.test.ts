/** `dossier pack` and `dossier context-pack`, as people and programs meet them. */
import { chmodSync, existsSync, readFileSync, rmSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pc from 'picocolors'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask } from '../../src/index.ts'
import type { ContextPack } from '../../src/model/context-pack.ts'
import { canonicalPack } from '../../src/packs/context/pack-id.ts'
import { EXIT_STATUS } from '../../src/surfaces/cli/exit-status.ts'
import { createScreen } from '../../src/surfaces/cli/screen.ts'
import { pack as packOperation } from '../../src/surfaces/operations/context/pack.ts'
import { PLAIN } from '../../src/surfaces/operations/operation.ts'
import { realTokens } from '../support/world.ts'
import { folderWith, newFolder, removeFolder, write } from './support/folder.ts'
import { HARBOR, harborFolder, indexedHarbor, placesOf, reindex } from './support/harbor.ts'
import { dossier, type ErrorJson, type Finished, json, shell } from './support/program.ts'
import { giveTo, unprivileged } from './support/unprivileged.ts'

const nobody = await unprivileged()

function run(folder: string, ...args: readonly string[]): Promise<Finished> {
  return dossier(args, { cwd: folder })
}

function expectCode(
  done: Finished,
  code: keyof typeof EXIT_STATUS,
  ...parts: readonly string[]
): void {
  expect(done.stderr).toMatch(new RegExp(`^${code} \\S[^]*\\n  \\S`, 'm'))
  expect(done).toMatchObject({ status: EXIT_STATUS[code], stdout: '' })
  for (const part of parts) expect(done.stderr).toContain(part)
}

const EXPLANATION = /^ {2}(?:rule|path|score|seed): /

describe('PK5 dossier pack', () => {
  test('PK5 makes the index it needs, and prints Markdown within the budget', async () => {
    const folder = harborFolder()
    const done = await run(folder, 'pack', 'where do ships get a berth', '--tokens', '600')
    expect(done, done.stderr).toMatchObject({ status: 0 })
    expect(done.stdout).toMatch(/^# Context: where do ships get a berth\n/)
    expect(done.stdout).toContain('src/berths.ts:')
    expect(done.stdout).toContain('export function berthFor(length: number)')
    expect(existsSync(join(folder, '.dossier', 'index.db'))).toBe(true)
    const count = await realTokens()
    expect(count(done.stdout)).toBeLessThanOrEqual(600)
  })

  test('PK5 sees what changed since, unless told to take the index as it is', async () => {
    const folder = await indexedHarbor()
    write(folder, { 'src/tugs.ts': 'export function tugboatFleet() { return 3 }\n' })
    const asItIs = json<ContextPack>(
      await run(folder, 'pack', 'tugboat fleet', '--no-index', '--json'),
    )
    expect(placesOf(asItIs)).not.toContain('src/tugs.ts')
    const fresh = json<ContextPack>(await run(folder, 'pack', 'tugboat fleet', '--json'))
    expect(placesOf(fresh)).toContain('src/tugs.ts')
    expect(fresh.indexSignature).not.toBe(asItIs.indexSignature)
  })

  test('PK5 keeps to the options that the index was made with', async () => {
    const folder = harborFolder()
    await reindex(folder, '--exclude', 'secret/')
    write(folder, { 'src/tugs.ts': 'export function tugboatFleet() { return 3 }\n' })
    const pack = json<ContextPack>(await run(folder, 'pack', 'dockShipSecretly tugboat', '--json'))
    expect(placesOf(pack)).toContain('src/tugs.ts')
    expect(placesOf(pack)).not.toContain('secret/plans.ts')
  })

  test('PK5 has the same pack for every format, and for the library', async () => {
    const folder = await indexedHarbor()
    const args = ['pack', 'dock a ship', '--no-index']
    const asJson = json<ContextPack>(await run(folder, ...args, '--json'))
    const formatted = json<ContextPack>(await run(folder, ...args, '--format', 'json'))
    expect(canonicalPack(formatted)).toBe(canonicalPack(asJson))
    const markdown = await run(folder, ...args)
    const input = { query: 'dock a ship', index: false }
    const asked = await ask('pack', input, { workingFolder: folder })
    expect(canonicalPack(asked.pack)).toBe(canonicalPack(asJson))
    expect(asked.text).toBe(markdown.stdout)
    const xml = await run(folder, ...args, '--format', 'xml')
    expect(xml.stdout).toMatch(/^</)
    expect(xml.stdout).toContain('dockShip')
  })

  test('PK16 help says what the cap counts, and JSON is the same items with more beside them', async () => {
    const folder = await indexedHarbor()
    const help = (await run(folder, 'pack', '--help')).stdout.replaceAll(/\s+/g, ' ')
    expect(help).toContain('Maximum tokens of the whole pack as Markdown or XML')
    expect(help).toContain('JSON has the same items with all that explains them, and is longer')
    const args = ['pack', 'where do ships get a berth', '--tokens', '400', '--no-index']
    const { stdout: text } = await run(folder, ...args)
    const asJson = await run(folder, ...args, '--format', 'json')
    const count = await realTokens()
    expect(count(text)).toBeLessThanOrEqual(400)
    expect(json<ContextPack>(asJson).stats.tokens).toBe(count(text))
    expect(count(asJson.stdout)).toBeGreaterThan(400)
  })

  test('PK5 --explain says paths and scores', async () => {
    const folder = await indexedHarbor()
    const plain = await run(folder, 'pack', 'dockShip')
    const explained = await run(folder, 'pack', 'dockShip', '--explain')
    expect(plain.stdout).not.toContain('score:')
    expect(explained.stdout).toContain('rule: seed')
    expect(explained.stdout).toMatch(/score: [\d.]+ \(seed/)
    expect(explained.stdout).toMatch(/seed: 1 = e\^-?0, -?0 = /)
  })

  test('PK5 --explain explains the pack that is printed without it, however small its budget', async () => {
    const folder = await indexedHarbor()
    for (const tokens of ['250', '400', '8000']) {
      const args = ['pack', 'dock a ship', '--tokens', tokens]
      const plain = await run(folder, ...args)
      const explained = await run(folder, ...args, '--explain')
      const lines = explained.stdout.split('\n').filter((it) => !EXPLANATION.test(it))
      expect(lines.join('\n')).toBe(plain.stdout)
      const one = await run(folder, ...args, '--format', 'json')
      const other = await run(folder, ...args, '--format', 'json', '--explain')
      expect(json<ContextPack>(other).packId).toBe(json<ContextPack>(one).packId)
    }
  })

  test('PK5 a pack in which there is nothing says so in one line, and is no failure', async () => {
    const folder = folderWith({ 'a.ts': 'export const anchor = 1\n' })
    const empty = /^.*the pack is empty: the index contains no word of the query\n$/
    const commands = [
      ['pack', 'quagga'],
      ['pack', 'quagga', '--format', 'json'],
      ['context-pack', '--query', 'quagga', '--no-envelope'],
    ]
    await run(folder, 'index')
    for (const args of commands) {
      const done = await run(folder, ...args)
      expect(done.status).toBe(0)
      expect(done.stderr).toMatch(empty)
    }
    expect((await run(folder, 'pack', 'quagga')).stdout).toContain(
      'no word of the query is in the index',
    )
    expect((await run(folder, 'pack', 'anchor')).stderr).not.toContain('empty')
  })

  test('PK5 context-pack takes every choice of a request', async () => {
    const folder = await indexedHarbor()
    const flags = `--query dockShip --intent debug --mode code --provider sparse --hops 1
      --edge-types usage,call --direction in --same-file --exports --dataflow --no-imports
      --require-evidence --evidence-kinds callsite,tooling --order-by graphDistance
      --tie-breakers chunkUid --strictness loose --no-envelope --format xml --tokens 900
      --max-total-chars 5000 --max-items 7 --max-items-per-section 3 --max-bytes-per-item 512
      --focus src/berths.ts:4`.split(/\s+/)
    const pack = json<ContextPack>(await run(folder, 'context-pack', ...flags, '--json'))
    expect(pack.explain).toBeUndefined()
    expect(pack.request).toMatchObject({
      query: 'dockShip',
      intent: 'debug',
      seedMode: 'code',
      seedProvider: 'sparse',
      focus: { fileRelPath: 'src/berths.ts', line: 4 },
      expansion: {
        maxHops: 1,
        edgeTypes: ['call', 'usage', 'export', 'dataflow'],
        direction: 'in',
        includeSameFileNeighbors: true,
        includeImports: false,
        includeExports: true,
        includeDataflow: true,
        requireEvidence: true,
        evidenceKinds: ['callsite', 'tooling'],
      },
      budgets: {
        maxTotalTokens: 900,
        maxTotalChars: 5000,
        maxItems: 7,
        maxItemsPerSection: 3,
        maxBytesPerItem: 512,
      },
      ordering: { primary: 'graphDistance', stableTieBreakers: ['chunkUid'] },
      strictness: 'loose',
      includeExplain: false,
      rendering: 'xml',
    })
  })
})

describe('PK6 focus', () => {
  let folder = ''

  beforeAll(async () => {
    folder = newFolder()
    write(folder, HARBOR)
    await reindex(folder)
  })

  afterAll(() => removeFolder(folder))

  test.each([
    ['a file', 'src/berths.ts', { fileRelPath: 'src/berths.ts' }],
    ['a file below here', './src/berths.ts', { fileRelPath: 'src/berths.ts' }],
    ['a line', 'src/berths.ts:4', { fileRelPath: 'src/berths.ts', line: 4 }],
    ['a line and column', 'src/berths.ts:4:17', { fileRelPath: 'src/berths.ts', line: 4 }],
    ['a name', 'berthFor', { symbolId: expect.stringContaining('berthFor') }],
    ['a member', 'HarborOffice.receive', { symbolId: expect.stringContaining('receive') }],
  ])('PK6 %s is found', async (_, focus, expected) => {
    const args = ['pack', 'length', '--focus', focus, '--no-index', '--json']
    const pack = json<ContextPack>(await run(folder, ...args))
    expect(pack.request.focus).toEqual(expected)
    expect(pack.sections.flatMap((it) => it.items).some((it) => it.why.rule === 'focus')).toBe(true)
  })

  test('PK6 ids of a pack are found', async () => {
    const first = json<ContextPack>(await run(folder, 'pack', 'berthFor', '--json'))
    const seed = first.seeds[0]
    for (const id of [seed?.chunkUid ?? '', seed?.symbolId ?? '']) {
      const pack = json<ContextPack>(
        await run(folder, 'pack', 'length', '--focus', id, '--no-index', '--json'),
      )
      expect(Object.values(pack.request.focus)).toEqual([id])
    }
  })

  test.each([
    ['a mistyped file', 'src/bertsh.ts', 'did you mean src/berths.ts'],
    ['a file in another folder', 'lib/berths.ts', 'did you mean src/berths.ts'],
    ['a line beyond the end', 'src/berths.ts:4000', 'src/berths.ts has 7 lines'],
    ['a name that nothing has', 'noSuchThing', 'give a path'],
    ['a name in another case', 'berthfor', 'did you mean berthFor or '],
    ['a name in another spelling', 'berth_for', 'did you mean berthFor'],
    ['a member in another case', 'harboroffice.Receive', 'did you mean HarborOffice.receive'],
    ['a member of something else', 'Nobody.receive', 'HarborOffice.receive'],
    ['a chunk that is none', 'xxh64:0000000000000000', 'file and line'],
    ['a symbol that is none', 'scip:x . . . src/`a.ts`/berthFor().', 'did you mean scip:'],
    ['a path out of the repository', '../../etc/passwd', 'give a path'],
  ])('PK6 %s is refused with the nearest', async (_, focus, hint) => {
    const done = await run(folder, 'pack', 'length', '--focus', focus)
    expectCode(done, 'POC_E_REQUEST_INVALID', focus, hint)
  })

  test('PK6 a name that two have is refused with both', async () => {
    const twice = await indexedHarbor()
    write(twice, { 'src/other.ts': 'export function berthFor() {}\n' })
    const done = await run(twice, 'pack', 'length', '--focus', 'berthFor')
    expectCode(done, 'POC_E_REQUEST_INVALID', 'src/berths.ts:4 berthFor, src/other.ts:1 berthFor')
    expect(done.stderr).not.toContain('scip:')
  })
})

describe('PK7 bad requests', () => {
  test.each([
    ['an empty query', ['pack', ''], 'the query is empty'],
    ['a blank query', ['pack', ' \n\t'], 'the query is empty'],
    ['no query', ['pack'], 'the query is empty'],
    ['no query for context-pack', ['context-pack'], 'the query is empty'],
    ['a budget of 0', ['pack', 'x', '--tokens', '0'], '--tokens'],
    ['a negative budget', ['pack', 'x', '--tokens', '-5'], '--tokens'],
    ['a fraction', ['pack', 'x', '--tokens', '1.5'], '--tokens'],
    ['items of 0', ['context-pack', '-q', 'x', '--max-items', '0'], '--max-items'],
    ['a fraction of hops', ['pack', 'x', '--hops', '0.5'], '--hops'],
    ['an intent that is none', ['pack', 'x', '--intent', 'fun'], 'debug'],
    ['an edge that is none', ['context-pack', '-q', 'x', '--edge-types', 'love'], '--edge-types'],
    ['reading without an id', ['context-pack', '--read'], '--pack-id'],
    ['an id without reading', ['context-pack', '-q', 'x', '--pack-id', 'abcdef'], '--read'],
  ])('PK7 %s is refused before anything is made', async (_, args, part) => {
    const folder = harborFolder()
    expectCode(await run(folder, ...args), 'POC_E_REQUEST_INVALID', part)
    expect(existsSync(join(folder, '.dossier'))).toBe(false)
  })

  test('PK7 what is over a hard cap is cut down and told; strict refuses it', async () => {
    const folder = await indexedHarbor()
    const args = ['context-pack', '-q', 'dockShip', '--hops', '9', '--max-items', '9999']
    const done = await run(folder, ...args)
    expect(done.stdout).toContain('maxItems of 9999 was reduced to 250')
    const pack = json<ContextPack>(await run(folder, ...args, '--json'))
    expect(pack.budgets).toMatchObject({
      maxItems: 250,
      clamped: expect.arrayContaining([
        { field: 'maxItems', requested: 9999, applied: 250 },
        { field: 'maxHops', requested: 9, applied: 4 },
      ]),
    })
    expectCode(
      await run(folder, ...args, '--strictness', 'strict'),
      'POC_E_BUDGET_EXCEEDED',
      'at most',
    )
  })

  test('PK7 a query of 1 MB is answered, and one letter more is refused', async () => {
    const folder = await indexedHarbor()
    const words = 'dockShip fails when the berth is too short '.repeat(30_000)
    write(folder, {
      'query.log': words.slice(0, 1_048_576),
      'longer.log': words.slice(0, 1_048_577),
    })
    const fine = await shell('dossier pack - --no-index < query.log', { cwd: folder })
    expect(fine, fine.stderr).toMatchObject({ status: 0 })
    expect(fine.stdout).toContain('src/harbor.ts')
    const refused = await shell('dossier pack - --no-index < longer.log', { cwd: folder })
    expectCode(refused, 'POC_E_REQUEST_INVALID', '1048576')
  })

  test('PK7 a query in Chinese finds what is written in Chinese', async () => {
    const folder = folderWith({ ...HARBOR, 'docs/指南.md': '# 港口\n\n船舶停靠在最长的泊位。\n' })
    const done = await run(folder, 'pack', '船舶停靠在哪里？泊位')
    expect(done, done.stderr).toMatchObject({ status: 0 })
    expect(done.stdout).toContain('docs/指南.md')
  })

  test('PK7 no control character of a query or a file reaches a terminal', async () => {
    const folder = folderWith({
      ...HARBOR,
      'src/esc.ts': "export const CLEAR = '\u001b[2J\u009b1m'\n// \u0007 rings, \u007f deletes\n",
    })
    const hostile = 'dockShip \u001b]0;owned\u0007 \u009b31m\r\u0008berth'
    // oxlint-disable-next-line no-control-regex -- They are what must not be there.
    const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/
    for (const changes of [{}, { explain: true }, { format: 'xml' as const }]) {
      const input = { query: `${hostile} CLEAR`, ...changes }
      const answer = await ask('pack', input, { workingFolder: folder })
      expect(answer.text).toContain('src/esc.ts')
      expect(answer.text).toContain("CLEAR = '\u001b[2J")
      const shown = onTerminal(packOperation.text(answer, PLAIN))
      expect(shown).toContain("CLEAR = '\u241b[2J\\u009b1m'\n// \u2407 rings, \\u007f deletes\n")
      expect(shown).not.toMatch(controls)
    }
    rmSync(join(folder, 'src', 'esc.ts'))
    const done = await run(folder, 'pack', hostile, '--explain')
    expect(done.stdout).toContain('src/harbor.ts')
    expect(done.stdout + done.stderr).not.toMatch(controls)
    const refused = await run(folder, 'pack', 'x', '--focus', hostile)
    expect(refused.status).toBe(EXIT_STATUS.POC_E_REQUEST_INVALID)
    expect(refused.stderr).not.toMatch(controls)
  })
})

describe('PK8 bad indexes', () => {
  test('PK8 context-pack makes no index of its own', async () => {
    const folder = harborFolder()
    const done = await run(folder, 'context-pack', '-q', 'dockShip')
    expectCode(done, 'POC_E_INDEX_MISSING', 'dossier index')
    expectCode(await run(folder, 'pack', 'x', '--no-index'), 'POC_E_INDEX_MISSING', 'dossier index')
    expect(existsSync(join(folder, '.dossier'))).toBe(false)
    const asJson = json<ErrorJson>(await run(folder, 'context-pack', '-q', 'x', '--json'))
    expect(asJson.error.code).toBe('POC_E_INDEX_MISSING')
  })

  test.skipIf(nobody === undefined)('PK8 where nothing can be written, that is told', async () => {
    const folder = await indexedHarbor()
    giveTo(nobody ?? {}, folder)
    chmodSync(join(folder, '.dossier'), 0o555)
    const options = { cwd: folder, ...nobody }
    const refused = await dossier(['pack', 'dockShip'], options)
    const read = await dossier(['pack', 'dockShip', '--no-index'], options)
    chmodSync(join(folder, '.dossier'), 0o755)
    expectCode(refused, 'POC_E_WRITE_FAILED', '--no-index')
    expect(read).toMatchObject({ status: 0, stderr: '' })
    expect(read.stdout).toContain('dockShip')
  })

  const SPOILED: readonly (readonly [string, keyof typeof EXIT_STATUS, (path: string) => void])[] =
    [
      ['of another version', 'POC_E_CONTRACT_VERSION', newer],
      ['half-written', 'POC_E_PACK_CORRUPT', (path) => truncateSync(path, 20_000)],
    ]

  test.each(SPOILED)('PK8 one that is %s is %s, and is left as it is', async (_, code, spoil) => {
    const folder = await indexedHarbor()
    const path = join(folder, '.dossier', 'index.db')
    spoil(path)
    const before = readFileSync(path)
    for (const args of [
      ['pack', 'dockShip'],
      ['pack', 'dockShip', '--no-index'],
      ['context-pack', '-q', 'dockShip'],
      ['context-pack', '--read', '--pack-id', 'abcdef'],
    ])
      expectCode(await run(folder, ...args), code)
    expect(readFileSync(path).equals(before)).toBe(true)
  })
})

function onTerminal(text: string): string {
  const written: string[] = []
  const stream = { isTTY: true, write: (it: string) => written.push(it) }
  createScreen(stream, pc.createColors(false)).handOn(text)
  return written.join('')
}

function newer(path: string): void {
  const database = new DatabaseSync(path)
  database.exec('PRAGMA user_version = 1000000')
  database.close()
}
