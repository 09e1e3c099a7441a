/** A second look at a repository (P6) says what a walk would say, or that it cannot tell. */
import {
  chmodSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { CodeIndexMeta, IndexState, StoredSnapshot } from '../../src/model/code-index.ts'
import { openWriter, updateCodeIndex } from '../../src/packs/index/code-index.ts'
import { openFresh, openPresent } from '../../src/packs/index/fresh-index.ts'
import { type IndexRequest, optionsText } from '../../src/packs/index/index-options.ts'
import { byPlace, foundIn, inside, isDone, planFor } from '../../src/packs/index/index-plan.ts'
import {
  lookAgain,
  noteLook,
  type SecondLook,
  withoutRestless,
} from '../../src/packs/index/second-look.ts'
import { type Files, realFiles } from '../../src/platform/files.ts'
import { EXTRACTOR_VERSION } from '../../src/sources/code/version.ts'
import { indexIn, threadlessWorld } from '../support/indexed-folder.ts'
import { listing, onDisk, temporaryFolder, withFolder, writeFile } from '../support/project.ts'
import { runs } from '../support/property.ts'

const HOUR_MS = 3_600_000
/** In whole seconds, which can be put back exactly. */
const THEN = 1_700_000_000
/** Longer than a tick of the clock that files are dated by. */
const TICK_MS = 12

/** Ahead of the disk's: what was made a moment ago has been as it is for an hour. */
const LATER = { now: () => Date.now() + HOUR_MS, recorded: (timeMs: number) => timeMs }

interface Looked {
  readonly top: string
  readonly request: IndexRequest
  readonly look: StoredSnapshot | undefined
  readonly state: IndexState
}

/** What is known after an update, without the index itself. All has one time of content. */
async function looked(
  top: string,
  request: IndexRequest = {},
  files: Files = realFiles,
): Promise<Looked> {
  const startedAt = LATER.now()
  for (const it of ['', ...listing(top)]) attempt(() => lutimesSync(join(top, it), THEN, THEN))
  const found = await noteLook(threadlessWorld(top, { files }), top, { ...request, startedAt })
  const skipped = found.skipped.map((it) => inside(top, it)).toSorted(byPlace)
  const meta: CodeIndexMeta = {
    extractorVersion: EXTRACTOR_VERSION,
    options: optionsText(request),
    builtAt: '',
    readAt: new Date(startedAt).toISOString(),
    skipped,
  }
  const look = found.look && {
    ...withoutRestless(found.look, skipped),
    files: found.files.map((it) => it.path),
    times: Float64Array.from(found.files.flatMap((it) => [it.size, it.mtimeMs])),
  }
  await pause(TICK_MS)
  return { top, request, look, state: { meta, files: found.files } }
}

function quickly({ top, request, look, state }: Looked, files: Files = realFiles): SecondLook {
  const world = threadlessWorld(top, { files })
  return look === undefined ? 'unclear' : lookAgain(world, top, { look, meta: state.meta, request })
}

function byWalking({ top, request, state }: Looked): 'same' | 'changed' {
  const found = foundIn(threadlessWorld(top), top, request)
  return isDone(planFor(found, state, request), top, state) ? 'same' : 'changed'
}

const FOLDERS = ['a', 'b', 'venv', 'target', 'a/b', 'a/x y', 'b/a', 'a/b/c', 'dist'] as const
const NAMES = ['c.ts', 'd.log', 'e.png', 'yarn.lock', 'Cargo.toml', 'pyvenv.cfg'] as const
const RULES = ['*.log', '/a', 'b/', 'a/b/*.ts', '!d.log', '**/c.ts', '*.ts', 'x y'] as const

const folder = fc.constantFrom('', ...FOLDERS)
const file = fc
  .tuple(folder, fc.constantFrom(...NAMES))
  .map(([at, name]) => (at === '' ? name : `${at}/${name}`))
const anything = fc.oneof(file, fc.constantFrom(...FOLDERS))
const text = fc.constantFrom('', 'x', 'one', 'two', 'long enough')
const ignoreFile = fc
  .tuple(folder, fc.constantFrom('.gitignore', '.dossierignore'))
  .map(([at, name]) => (at === '' ? name : `${at}/${name}`))
const rules = fc.array(fc.constantFrom(...RULES), { maxLength: 3 }).map((it) => it.join('\n'))

const edit = fc.oneof(
  { arbitrary: fc.record({ kind: fc.constant('write' as const), path: file, text }), weight: 8 },
  fc.record({ kind: fc.constant('write' as const), path: ignoreFile, text: rules }),
  fc.record({ kind: fc.constant('remove' as const), path: fc.oneof(anything, ignoreFile) }),
  fc.record({ kind: fc.constant('move' as const), path: anything, to: anything }),
  fc.record({ kind: fc.constant('swap' as const), path: anything, to: anything }),
  fc.record({ kind: fc.constant('make' as const), path: fc.constantFrom(...FOLDERS, '.git') }),
  fc.record({ kind: fc.constant('link' as const), path: anything, to: anything }),
  fc.record({ kind: fc.constant('close' as const), path: anything }),
)

type Edit = typeof edit extends fc.Arbitrary<infer T> ? T : never

/** Edits that cannot be made are none. With `hides`, all times that it moved are put back. */
function make(top: string, it: Edit, hides: boolean): void {
  const path = join(top, it.path)
  const touched = [path, dirname(path), 'to' in it ? dirname(join(top, it.to)) : top]
  const times = touched.map((each) => attempt(() => statSync(each)))
  attempt(() => {
    if (it.kind === 'write') {
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, it.text)
    } else if (it.kind === 'remove') rmSync(path, { recursive: true })
    else if (it.kind === 'make') mkdirSync(path, { recursive: true })
    else if (it.kind === 'move') renameSync(path, join(top, it.to))
    else if (it.kind === 'link') symlinkSync(join(top, it.to), path)
    else if (it.kind === 'close') chmodSync(path, 0o700)
    else swap(path, join(top, it.to))
  })
  if (!hides) return
  for (const [at, each] of touched.entries()) {
    const { atime, mtime } = times[at] ?? {}
    if (atime !== undefined && mtime !== undefined) attempt(() => utimesSync(each, atime, mtime))
  }
}

function swap(one: string, other: string): void {
  const aside = `${one}.aside`
  renameSync(one, aside)
  attempt(() => renameSync(other, one))
  renameSync(aside, other)
}

function attempt<T>(action: () => T): T | undefined {
  try {
    return action()
  } catch {
    return undefined
  }
}

const options = fc.record(
  {
    include: fc.constant(['*.ts', '*.cfg', 'z']),
    exclude: fc.constantFrom(['*.cfg'], ['.*ignore'], ['.*ignore', '*.toml']),
    maxFileBytes: fc.constant(3),
  },
  { requiredKeys: [] },
)

/** With one of everything whose verdict hangs on more than its name. */
function harbour(): string {
  const top = onDisk(`
//- .gitignore
*.log
/quay
//- src/.gitignore
gen-a
//- src/gen-a/one.ts
one
//- src/gen-b/two.ts
two
//- src/tide.ts
tide
//- src/empty/.gitkeep
//- hold/wide.ts
this is a file that is larger than forty bytes are
//- tools/venv/pyvenv.cfg
//- tools/venv/lib.ts
lib
//- links/.gitkeep
x
//- quay/berth.ts
berth
//- twin-a/inner/deep/.gitkeep
x
//- twin-b/inner/deep/.gitkeep
x
//- twin-b/inner/deep/more.ts
x
`)
  symlinkSync('../quay/berth.ts', join(top, 'links/berth.ts'))
  return top
}

function watchedFiles(): { readonly files: Files; readonly listed: readonly string[] } {
  const listed: string[] = []
  const list: Files['list'] = (path) => {
    listed.push(path)
    return realFiles.list(path)
  }
  return { files: { ...realFiles, list }, listed }
}

/** As after a checkout that took less than a tick. */
const OF_ONE_MOMENT: Files = {
  ...realFiles,
  mark(path) {
    const it = realFiles.mark(path)
    return it && { dev: it.dev, ino: it.ino, size: it.size, mtimeMs: it.mtimeMs, ctimeMs: 1 }
  },
}

type Change = readonly [what: string, change: (top: string) => void]

const HARMLESS: readonly Change[] = [
  ['nothing', () => undefined],
  ['an ignored file', (top) => writeFile(top, 'src/build.log', 'x')],
  ['an ignored folder', (top) => writeFile(top, 'src/gen-a/three.ts', 'x')],
  ['packages', (top) => writeFile(top, 'src/node_modules/x/index.js', 'x')],
  ['a file that came and went', (top) => cameAndWent(join(top, 'src/new.ts'))],
  ['the times of a folder', (top) => utimesSync(join(top, 'src'), 1e9, 1e9)],
]

const HIDDEN: readonly Change[] = [
  ['a file in a folder with its former time', (top) => behind(top, 'src/new.ts', 'x')],
  ['a file in an empty folder', (top) => behind(top, 'src/empty/new.ts', 'x')],
  ['a file in the top', (top) => behind(top, 'new.ts', 'x')],
  ['a picture, which is left out', (top) => behind(top, 'src/new.png', 'x')],
  ['rules with their former size and time', (top) => behind(top, 'src/.gitignore', 'gen-b\n')],
  ['rules that nobody indexes, come', (top) => behind(top, 'src/.dossierignore', 'gen-b\n')],
  ['rules that nobody indexes, gone', (top) => rmSync(join(top, 'src/.gitignore'))],
  ['a folder in the place of another', (top) => swap(join(top, 'twin-a'), join(top, 'twin-b'))],
  ['a folder in a folder', (top) => writeFile(top, 'src/deep/er/new.ts', 'x')],
  ['a link that leads nowhere now', (top) => rmSync(join(top, 'quay/berth.ts'))],
  ['a link in the place of a file', (top) => linked(top, 'src/tide.ts')],
  ['a large file that became small', (top) => behind(top, 'hold/wide.ts', 'small')],
  ['what makes a folder one of a tool', (top) => rmSync(join(top, 'tools/venv/pyvenv.cfg'))],
  ['a file of another size', (top) => behind(top, 'src/tide.ts', 'high tide')],
]

/** Written, and both file and folder have the times that they had. */
function behind(top: string, place: string, content: string): void {
  const path = join(top, place)
  const times = [path, dirname(path)].map((it) => [it, attempt(() => statSync(it))] as const)
  writeFileSync(path, content)
  for (const [it, stat] of times) if (stat !== undefined) utimesSync(it, stat.atime, stat.mtime)
}

function cameAndWent(path: string): void {
  writeFileSync(path, 'x')
  rmSync(path)
}

function linked(top: string, path: string): void {
  rmSync(join(top, path))
  symlinkSync('../hold/wide.ts', join(top, path))
}

/** Elsewhere there is no second look, so nothing to be wrong about. */
const DATES_FOLDERS = realFiles.view(tmpdir()) !== undefined

describe.runIf(DATES_FOLDERS)('P6 a second look', () => {
  test('P6 says what a walk says, after any edits, whatever is done to times', async () => {
    const said: Record<SecondLook, number> = { same: 0, changed: 0, unclear: 0 }
    const cases = fc.record({
      planted: fc.array(edit, { minLength: 4, maxLength: 30 }),
      edits: fc.array(fc.tuple(edit, fc.boolean()), { maxLength: 3 }),
      isRepository: fc.boolean(),
      isBelow: fc.boolean(),
      options,
    })
    const property = fc.asyncProperty(cases, (it) =>
      withFolder(async (outer) => {
        if (it.isRepository) mkdirSync(join(outer, '.git'))
        for (const one of it.planted) make(outer, one, false)
        // Below the top of a repository, so that rules above it play their part.
        const below = join(outer, 'a')
        const isFolder = attempt(() => lstatSync(below).isDirectory())
        const top = it.isBelow && isFolder === true ? below : outer
        writeFileSync(join(top, 'z'), 'yes')
        const before = await looked(top, it.options)
        for (const [one, hides] of it.edits) make(outer, one, hides)
        const answer = quickly(before)
        said[answer] += 1
        if (answer !== 'unclear') expect(answer).toBe(byWalking(before))
      }),
    )
    await fc.assert(property, runs(400))
    // It would be right to say nothing at all.
    expect(said.same).toBeGreaterThan(50)
    expect(said.changed).toBeGreaterThan(20)
  })

  test.each(HARMLESS)('P6 sees that nothing that matters changed: %s', async (_, change) => {
    const before = await looked(harbour())
    change(before.top)
    expect([quickly(before), byWalking(before)]).toEqual(['same', 'same'])
  })

  test.each(HIDDEN)('P6 is not misled by times that say nothing: %s', async (_, change) => {
    const before = await looked(harbour(), { maxFileBytes: 40, exclude: ['*.cfg', '.*ignore'] })
    expect(quickly(before)).toBe('same')
    change(before.top)
    expect(byWalking(before)).toBe('changed')
    expect(quickly(before)).not.toBe('same')
  })

  test('P6 lists no folder, where none has changed', async () => {
    const before = await looked(onDisk('//- a/b/c.ts\nx\n//- d.ts\nx\n'))
    const { files, listed } = watchedFiles()
    expect(quickly(before, files)).toBe('same')
    expect(listed).toEqual([])
  })

  test('P6 sees rules above the top, and that there is a repository', async () => {
    const outer = onDisk('//- .gitignore\n*.log\n//- in/a.ts\nx\n//- in/b.log\nx\n')
    const top = join(outer, 'in')
    for (const change of [
      () => mkdirSync(join(outer, '.git')),
      () => behind(outer, '.gitignore', '*.ts\n'),
      () => rmSync(join(outer, '.gitignore')),
      () => writeFile(outer, '.dossierignore', '*.log\n'),
    ]) {
      const before = await looked(top)
      expect(quickly(before)).toBe('same')
      change()
      expect([quickly(before), byWalking(before)]).toEqual(['unclear', 'changed'])
    }
  })

  test('P6 tells folders apart that were made and filled at the same moment', async () => {
    const top = onDisk('//- one/in/a.png\n//- two/in/b.png\n//- c.ts\n')
    const before = await looked(top, {}, OF_ONE_MOMENT)
    swap(join(top, 'one'), join(top, 'two'))
    expect(byWalking(before)).toBe('changed')
    expect(quickly(before, OF_ONE_MOMENT)).not.toBe('same')
  })

  test('P6 trusts no file that was written within the grain of the clock', async () => {
    const before = await looked(onDisk('//- a.ts\nx\n'))
    const meta = { ...before.state.meta, readAt: new Date(THEN * 1000 + 1500).toISOString() }
    const early = { ...before, state: { ...before.state, meta } }
    expect([quickly(early), byWalking(early)]).toEqual(['changed', 'changed'])
  })

  test('P6 trusts no folder that changed within the grain of the clock', async () => {
    const top = onDisk('//- a/b/c.ts\nx\n//- d.ts\nx\n')
    for (const it of ['a/b/c.ts', 'a/b', 'a', 'd.ts', '.']) utimesSync(join(top, it), 1e9, 1e9)
    const found = await noteLook(threadlessWorld(top), top, { startedAt: Date.now() })
    expect([...(found.look?.marks ?? [])].every(Number.isNaN)).toBe(true)
    expect(found.look?.paths).toEqual(['', 'a', 'a/b'])
  })

  test('P6 has no answer where a disk is not known to date its folders, or for somebody else', async () => {
    const top = onDisk('//- d.ts\nx\n')
    const before = await looked(top)
    expect(quickly(before)).toBe('same')
    for (const view of [undefined, 'another disk, another user'])
      expect(quickly(before, { ...realFiles, view: () => view })).toBe('unclear')
    const world = threadlessWorld(top, { files: { ...realFiles, view: () => undefined } })
    const { look } = await noteLook(world, top, { startedAt: LATER.now() })
    expect(look).toBeUndefined()
  })

  test('P6 has no answer where much has changed, and then walks', async () => {
    const top = temporaryFolder()
    for (let at = 0; at < 40; at += 1) writeFile(top, `${at}/a.ts`, 'x')
    const before = await looked(top)
    for (let at = 0; at < 40; at += 1) utimesSync(join(top, String(at)), 1e9, 1e9)
    expect([quickly(before), byWalking(before)]).toEqual(['unclear', 'same'])
  })

  test('P6 is kept with an index that was made of all, until something is put into it', async () => {
    const top = onDisk('//- a/b.ts\nexport const B = 1\n//- c.ts\nexport const C = 1\n')
    await indexIn(top, { clock: LATER })
    const first = watchedFiles()
    await (await openFresh(threadlessWorld(top, first), top)).close()
    expect(first.listed).toEqual([])
    const writer = openWriter(threadlessWorld(top), top)
    await writer.begin()
    await writer.touch([])
    await writer.commit()
    await writer.close()
    const second = watchedFiles()
    await (await openFresh(threadlessWorld(top, second), top)).close()
    expect(second.listed.toSorted()).toEqual([top, join(top, 'a')])
  })

  test('P6 an update of a part makes no file trusted that it has not read', async () => {
    const top = onDisk('//- a.ts\nexport const A = 1\n//- b.ts\nexport const B = 1\n')
    for (const it of ['a.ts', 'b.ts']) utimesSync(join(top, it), THEN, THEN)
    // Written a second before it was read, and then once more by a clock that tells no less.
    await indexIn(top, { clock: { ...LATER, now: () => THEN * 1000 + 1000 } })
    writeFile(top, 'a.ts', 'export const A = 2\n')
    utimesSync(join(top, 'a.ts'), THEN, THEN)
    const world = threadlessWorld(top, { clock: LATER })
    const writer = openWriter(world, top)
    writeFile(top, 'b.ts', 'export const B = 2\n')
    const { size, mtimeMs } = statSync(join(top, 'b.ts'))
    const files = [{ path: 'b.ts', size, mtimeMs }]
    const part = { files, gone: [], skipped: [], within: ['b.ts'] }
    await updateCodeIndex(world, writer, { path: '.', found: () => part })
    await writer.close()
    expect(await textOf(top, 'b.ts')).toBe('export const B = 2')
    await (await openFresh(world, top)).close()
    expect(await textOf(top, 'a.ts')).toBe('export const A = 2')
    const next = watchedFiles()
    await (await openFresh(threadlessWorld(top, next), top)).close()
    expect(next.listed).toEqual([])
  })
})

async function textOf(top: string, path: string): Promise<string | undefined> {
  const index = openPresent(threadlessWorld(top), top)
  try {
    return (await index.chunksInFiles([path]))[0]?.text
  } finally {
    await index.close()
  }
}
