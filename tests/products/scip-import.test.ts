/** SCIP indexes in the code index, with the real indexer for TypeScript. */
import { cpSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { StoredFile } from '../../src/model/code-index.ts'
import { EngineError } from '../../src/model/engine-error.ts'
import { buildCodeIndex, indexPath } from '../../src/packs/index/code-index.ts'
import type { IndexRequest } from '../../src/packs/index/index-options.ts'
import { watchCodeIndex } from '../../src/packs/index/watch-index.ts'
import { realFiles } from '../../src/platform/files.ts'
import { createSystemTools } from '../../src/platform/run-tool.ts'
import type { World } from '../../src/platform/world.ts'
import { dumpIndex } from '../../src/store/code/dump.ts'
import { openCodeIndex } from '../../src/store/code/reader.ts'
import { listing, onDisk, temporaryFolder, writeFile } from '../support/project.ts'
import { runIndexer } from '../support/scip.ts'
import { quietWorld } from '../support/world.ts'

const ZOO = `
//- package.json
{ "name": "zoo", "version": "1.2.3", "type": "module" }
//- tsconfig.json
{ "compilerOptions": { "strict": true, "target": "es2022", "module": "nodenext" }, "include": ["src"] }
//- README.md
Feeding is done by \`feedAll\`, whatever the \`age\`.
//- src/animals.ts
export interface Animal { sound(): string }
export class Dog implements Animal {
  constructor(readonly age: number) {}
  sound(): string { return describe(this.age) }
}
export function describe(age: number): string { return String(age) }
//- src/keeper.ts
import { type Animal, describe, Dog } from './animals.js'
export function feedAll(animals: readonly Animal[]): string {
  const dog = new Dog(3)
  return describe(1) + dog.sound() + animals.map((it) => it.sound()).join()
}
//- src/cat.ts
export class Cat { readonly mood = 'good' }
//- src/visits.ts
import type { Cat } from './cat.js'
declare function visit(by: Cat): void
type Guest<T> = T extends (by: infer G) => void ? G : never
export type Visitor = Guest<typeof visit>
//- src/meet.ts
import type { Visitor } from './visits.js'
export const meet = (it: Visitor) => it.mood
//- tools/report.js
import { feedAll } from '../src/keeper.js'
import { Dog } from '../src/animals.js'
export function report() { return feedAll([new Dog(2)]) }
`

const PACKAGE = 'scip:scip-typescript npm zoo 1.2.3'

/** Made once: the indexer takes a second. */
let made: Uint8Array | undefined

/** The project with its index beside it, made when all was as it is. */
function zoo(): { readonly folder: string; readonly scip: string } {
  const folder = onDisk(ZOO)
  const scip = join(temporaryFolder(), 'index.scip')
  if (made === undefined) {
    runIndexer(folder, scip)
    made = readFileSync(scip)
  }
  writeFileSync(scip, made)
  return { folder, scip }
}

function build(folder: string, request: Partial<IndexRequest> = {}, changes: Partial<World> = {}) {
  return buildCodeIndex(quietWorld(folder, changes), { path: '.', ...request })
}

async function dump(folder: string): Promise<string> {
  const reader = openCodeIndex(realFiles, indexPath(folder))
  try {
    let text = ''
    for await (const line of dumpIndex(reader)) text += line
    return text
  } finally {
    await reader.close()
  }
}

/** What an index says when it is made in one go. */
async function fromScratch(folder: string, request: Partial<IndexRequest> = {}): Promise<string> {
  rmSync(join(folder, '.dossier'), { recursive: true })
  await build(folder, request)
  return dump(folder)
}

async function records(folder: string): Promise<readonly StoredFile[]> {
  const reader = openCodeIndex(realFiles, indexPath(folder))
  try {
    return await reader.storedFiles((await reader.files()).map((it) => it.path))
  } finally {
    await reader.close()
  }
}

function edgesIn(files: readonly StoredFile[], path: string): readonly string[] {
  const edges = files.find((it) => it.path === path)?.edges ?? []
  return edges.map((it) => `${it.kind} ${short(it.from)} -> ${short(it.to)} ${it.evidence}`)
}

function short(id: string): string {
  return id.replace(`${PACKAGE} `, '').replace('scip:dossier . . . ', 'our ')
}

/** Ends of edges that no symbol of the index has. */
function dangling(files: readonly StoredFile[]): readonly string[] {
  const known = new Set(files.flatMap((it) => it.symbols.map(({ id }) => id)))
  const ends = files.flatMap((it) => it.edges.flatMap(({ from, to }) => [from, to]))
  return ends.filter((id) => !known.has(id))
}

async function hasTooling(folder: string, path: string): Promise<boolean> {
  return edgesIn(await records(folder), path).some((it) => it.endsWith(' tooling'))
}

function edit(folder: string, path: string, change: (text: string) => string): void {
  const file = join(folder, path)
  writeFileSync(file, change(readFileSync(file, 'utf8')))
}

describe('import', () => {
  test('X4 edges of a covered file come from SCIP, with its ids', async () => {
    const { folder, scip } = zoo()
    await build(folder, { scip: [scip] })
    const files = await records(folder)
    const keeper = edgesIn(files, 'src/keeper.ts')
    expect(keeper).toEqual(
      expect.arrayContaining([
        'import src/`keeper.ts`/ -> src/`animals.ts`/ tooling',
        'import src/`keeper.ts`/ -> src/`animals.ts`/Dog# tooling',
        'usage src/`keeper.ts`/feedAll(). -> src/`animals.ts`/Animal# tooling',
        'call src/`keeper.ts`/feedAll(). -> src/`animals.ts`/Dog#`<constructor>`(). tooling',
        'call src/`keeper.ts`/feedAll(). -> src/`animals.ts`/describe(). tooling',
        'call src/`keeper.ts`/feedAll(). -> src/`animals.ts`/Dog#sound(). tooling',
        'call src/`keeper.ts`/feedAll(). -> src/`animals.ts`/Animal#sound(). tooling',
        'export src/`keeper.ts`/ -> src/`keeper.ts`/feedAll(). span',
      ]),
    )
    expect(edgesIn(files, 'src/meet.ts')).toContain(
      'usage src/`meet.ts`/meet. -> src/`cat.ts`/Cat#mood. tooling',
    )
    expect(edgesIn(files, 'src/animals.ts')).toEqual(
      expect.arrayContaining([
        'inherit src/`animals.ts`/Dog# -> src/`animals.ts`/Animal# tooling',
        'inherit src/`animals.ts`/Dog#sound(). -> src/`animals.ts`/Animal#sound(). tooling',
      ]),
    )
    const covered = files.filter((it) => it.path.startsWith('src/'))
    const replaced = covered
      .flatMap((it) => it.edges)
      .filter((it) => ['call', 'usage', 'import', 'inherit'].includes(it.kind))
    expect(replaced.every((it) => it.evidence === 'tooling' && it.confidence === 1)).toBe(true)
    expect(replaced.length).toBeGreaterThan(12)
    expect(dangling(files)).toEqual([])
  })

  test('X4 symbols and chunks have the ids of SCIP, and so have edges of other files', async () => {
    const { folder, scip } = zoo()
    await build(folder, { scip: [scip] })
    const files = await records(folder)
    const animals = files.find((it) => it.path === 'src/animals.ts')
    expect(animals?.symbols.every((it) => it.id.startsWith(PACKAGE))).toBe(true)
    const chunks = animals?.chunks.filter((it) => it.symbol !== '') ?? []
    expect(chunks.map((it) => short(it.symbol))).toEqual(['src/`animals.ts`/Animal#'])
    expect(chunks.every((it) => it.symbol.startsWith(PACKAGE))).toBe(true)
    // A parameter is known to SCIP alone: it is there, but nothing that is guessed leads to it.
    expect(animals?.symbols.find((it) => it.kind === 'parameter')).toMatchObject({
      id: `${PACKAGE} src/\`animals.ts\`/describe().(age)`,
      definition: -1,
    })
    expect(edgesIn(files, 'tools/report.js')).toContain(
      'call our tools/`report.js`/report(). -> src/`keeper.ts`/feedAll(). callsite',
    )
    expect(edgesIn(files, 'README.md')).toEqual([
      'mention our `README.md`/ -> src/`keeper.ts`/feedAll(). span',
      'mention our `README.md`/ -> src/`animals.ts`/Dog#`<constructor>`().(age) span',
    ])
  })

  test('X4 a project below the top is found there, and one from elsewhere by its paths', async () => {
    const { folder, scip } = zoo()
    const above = temporaryFolder()
    cpSync(folder, join(above, 'packages/zoo'), { recursive: true })
    const below = join(temporaryFolder(), 'below.scip')
    runIndexer(join(above, 'packages/zoo'), below)
    await build(above, { scip: [below] })
    expect(await hasTooling(above, 'packages/zoo/src/keeper.ts')).toBe(true)

    const elsewhere = temporaryFolder()
    cpSync(folder, elsewhere, { recursive: true })
    await build(elsewhere, { scip: [scip] })
    expect(await hasTooling(elsewhere, 'src/keeper.ts')).toBe(true)
  })

  test('X4 later builds go on with it and say so, until they are told not to', async () => {
    const { folder, scip } = zoo()
    await build(folder)
    const without = await dump(folder)
    await build(folder, { scip: [scip] })
    const withScip = await dump(folder)
    expect(withScip).not.toBe(without)

    const notices: string[] = []
    const again = await build(folder, {}, { notice: (text) => notices.push(text) })
    expect(again.read).toBe(0)
    expect(notices).toEqual([`using ${scip} as the last time; --without-scip leaves it out`])
    expect(await dump(folder)).toBe(withScip)

    await build(folder, { withoutScip: true })
    expect(await dump(folder)).toBe(without)
    await build(folder)
    expect(await dump(folder)).toBe(without)
  })

  test('X4 a SCIP index that is gone covers nothing any more', async () => {
    const { folder, scip } = zoo()
    await build(folder)
    const without = await dump(folder)
    await build(folder, { scip: [scip] })
    rmSync(scip)
    const notices: string[] = []
    await build(folder, {}, { notice: (text) => notices.push(text) })
    expect(notices).toEqual([`${scip} is gone; what it covered is read without it`])
    expect(await dump(folder)).toBe(without)
  })

  test('X4 a SCIP index that was made again replaces the former', async () => {
    const { folder, scip } = zoo()
    await build(folder, { scip: [scip] })
    edit(folder, 'src/animals.ts', (text) => `export const first = 1\n${text}`)
    runIndexer(folder, scip)
    await build(folder)
    expect(await hasTooling(folder, 'src/animals.ts')).toBe(true)
    expect(await dump(folder)).toBe(await fromScratch(folder, { scip: [scip] }))
  })

  test.each([
    ['cut off', (file: string) => truncateSync(file, 1000), 'POC_E_READ_FAILED'],
    [
      'something else',
      (file: string) => writeFileSync(file, 'export const a = 1'),
      'POC_E_READ_FAILED',
    ],
    ['empty', (file: string) => writeFileSync(file, ''), 'POC_E_READ_FAILED'],
    ['missing', (file: string) => rmSync(file), 'POC_E_REQUEST_INVALID'],
  ] as const)(
    'X4 a SCIP index that is %s is an error, and the index stays',
    async (_, spoil, code) => {
      const { folder, scip } = zoo()
      await build(folder)
      const before = await dump(folder)
      spoil(scip)
      const error = await build(folder, { scip: [scip] }).catch((it: unknown) => it)
      expect(error).toBeInstanceOf(EngineError)
      expect(error).toMatchObject({ code, message: expect.stringContaining(scip) })
      expect(await dump(folder)).toBe(before)
    },
  )
})

describe('staleness', () => {
  test('X5 a file that changed since is understood without SCIP, and found by others', async () => {
    const { folder, scip } = zoo()
    await build(folder, { scip: [scip] })
    edit(folder, 'src/animals.ts', (text) => `export const first = 1\n${text}`)
    const notices: string[] = []
    await build(folder, {}, { notice: (text) => notices.push(text) })
    expect(notices.at(-1)).toMatch(/; changed since, and read without it: src\/animals\.ts$/)
    const files = await records(folder)
    const animals = files.find((it) => it.path === 'src/animals.ts')
    expect(animals?.symbols.every((it) => it.id.startsWith('scip:dossier '))).toBe(true)
    expect(animals?.edges.filter((it) => it.evidence === 'tooling')).toEqual([])
    const keeper = edgesIn(files, 'src/keeper.ts')
    expect(keeper).toContain(
      'call src/`keeper.ts`/feedAll(). -> our src/`animals.ts`/describe(). tooling',
    )
    expect(keeper).toContain('import src/`keeper.ts`/ -> our src/`animals.ts`/ tooling')
    expect(edgesIn(files, 'tools/report.js')).toContain(
      'call our tools/`report.js`/report(). -> our src/`animals.ts`/Dog#constructor(). callsite',
    )
    expect(dangling(files)).toEqual([])
  })

  test('X5 what a changed file no longer has is referred to by nobody', async () => {
    const { folder, scip } = zoo()
    await build(folder, { scip: [scip] })
    edit(folder, 'src/animals.ts', (text) => `\n${text.replaceAll('describe', 'explain')}`)
    await build(folder)
    const files = await records(folder)
    expect(edgesIn(files, 'src/keeper.ts').filter((it) => it.includes('describe'))).toEqual([])
    expect(dangling(files)).toEqual([])
  })

  test('X5 step by step gives what one go gives', async () => {
    const { folder, scip } = zoo()
    const original = readFileSync(join(folder, 'src/animals.ts'), 'utf8')
    const steps: readonly (() => void)[] = [
      // Only the compiler knows that src/meet.ts has to do with it.
      () => edit(folder, 'src/cat.ts', (text) => `\n${text}`),
      () => edit(folder, 'src/animals.ts', (text) => `// a comment\n${text}`),
      () => edit(folder, 'src/animals.ts', (text) => text.replaceAll('describe', 'explain')),
      () => edit(folder, 'src/animals.ts', () => original),
      () => edit(folder, 'src/keeper.ts', (text) => `${text}export const more = feedAll([])\n`),
      () => rmSync(join(folder, 'src/animals.ts')),
      () => writeFile(folder, 'src/describe.ts', 'export function describe() {}\n'),
      () => writeFile(folder, 'src/animals.ts', original),
      () => edit(folder, 'tools/report.js', (text) => `\n${text}`),
    ]
    const kept = join(temporaryFolder(), 'kept')
    await build(folder, { scip: [scip] })
    for (const step of steps) {
      step()
      await build(folder)
      const stepwise = await dump(folder)
      cpSync(join(folder, '.dossier'), kept, { recursive: true })
      expect(stepwise).toBe(await fromScratch(folder, { scip: [scip] }))
      // Go on from where the steps led, not from the fresh one.
      rmSync(join(folder, '.dossier'), { recursive: true })
      cpSync(kept, join(folder, '.dossier'), { recursive: true })
      rmSync(kept, { recursive: true })
    }
  })

  test('X5 a watched index follows both the files and the SCIP index', async () => {
    const folder = onDisk(ZOO)
    const scip = join(folder, 'index.scip')
    runIndexer(folder, scip)
    const over = new AbortController()
    const world = quietWorld(folder, { signal: over.signal })
    const outcomes = watchCodeIndex(world, { path: '.', scip: [scip] })
    try {
      await outcomes.next()
      expect(await hasTooling(folder, 'src/animals.ts')).toBe(true)
      edit(folder, 'src/animals.ts', (text) => `export const first = 1\n${text}`)
      await outcomes.next()
      expect(await hasTooling(folder, 'src/animals.ts')).toBe(false)
      runIndexer(folder, scip)
      while (!(await hasTooling(folder, 'src/animals.ts'))) await outcomes.next()
    } finally {
      over.abort()
      await outcomes.return(undefined)
    }
    expect(await dump(folder)).toBe(await fromScratch(folder, { scip: [scip] }))
  })
})

describe('precise', () => {
  test('X6 an installed indexer is run, and what it made is kept', async () => {
    const folder = onDisk(ZOO)
    const notices: string[] = []
    await build(folder, { precise: true }, { notice: (text) => notices.push(text) })
    expect(notices).toEqual([
      expect.stringMatching(/^running \/\S+\/scip-typescript index /),
      expect.stringMatching(/^scip-typescript took \d+\.\d s$/),
      '.dossier/scip/typescript.scip covers 5 of the files that were read',
    ])
    expect(edgesIn(await records(folder), 'src/keeper.ts')).toContain(
      'call src/`keeper.ts`/feedAll(). -> src/`animals.ts`/describe(). tooling',
    )
    expect(listing(join(folder, '.dossier/scip'))).toEqual(['typescript.scip'])
    const before = await dump(folder)
    expect((await build(folder)).read).toBe(0)
    expect(await dump(folder)).toBe(before)
  })

  test('X6 a project without settings is left without them', async () => {
    const folder = onDisk(ZOO)
    rmSync(join(folder, 'tsconfig.json'))
    const before = listing(folder)
    await build(folder, { precise: true })
    expect(listing(folder).filter((it) => !it.startsWith('.dossier'))).toEqual(before)
    expect(edgesIn(await records(folder), 'tools/report.js')).toContain(
      'call tools/`report.js`/report(). -> src/`keeper.ts`/feedAll(). tooling',
    )
  })

  test('X6 where no indexer is installed, the error says how to get it', async () => {
    const folder = onDisk(ZOO)
    const tools = createSystemTools(folder, '')
    const error = await build(folder, { precise: true }, { tools }).catch((it: unknown) => it)
    expect(error).toMatchObject({
      code: 'POC_E_NOT_SUPPORTED',
      message: 'scip-typescript is not installed',
      hint: expect.stringContaining('npm install --global @sourcegraph/scip-typescript'),
    })
    expect(listing(folder).some((it) => it.startsWith('.dossier'))).toBe(false)
  })

  test('X6 where nothing can be indexed, the error says so', async () => {
    const folder = onDisk('//- notes.md\nNothing.\n')
    await expect(build(folder, { precise: true })).rejects.toMatchObject({
      code: 'POC_E_NOT_SUPPORTED',
    })
  })

  test('X6 an indexer that fails is an error with its last words', async () => {
    const folder = onDisk(ZOO)
    writeFile(folder, 'tsconfig.json', '{ "include": ["nowhere"] }')
    const error = await build(folder, { precise: true }).catch((it: unknown) => it)
    expect(error).toMatchObject({
      code: 'POC_E_READ_FAILED',
      message: expect.stringContaining('scip-typescript failed: '),
    })
    expect(listing(join(folder, '.dossier/scip'))).toEqual([])
  })

  test('X6 a tool that takes too long is ended, and what it printed is kept', async () => {
    const run = {
      program: process.execPath,
      args: ['-e', 'console.error("begun"); setInterval(() => {}, 1000)'],
      workingFolder: temporaryFolder(),
      signal: new AbortController().signal,
    }
    const tools = createSystemTools(import.meta.dirname)
    const outcome = await tools.run({ ...run, limitMs: 1500 })
    expect(outcome).toMatchObject({ kind: 'too-long', output: 'begun\n' })
    const cancelled = { ...run, limitMs: 60_000, signal: AbortSignal.timeout(100) }
    expect(await tools.run(cancelled)).toMatchObject({ kind: 'cancelled' })
  })

  test('X6 SCIP cannot be asked for and left out at once', async () => {
    const folder = onDisk(ZOO)
    await expect(build(folder, { precise: true, withoutScip: true })).rejects.toMatchObject({
      code: 'POC_E_REQUEST_INVALID',
    })
  })
})
