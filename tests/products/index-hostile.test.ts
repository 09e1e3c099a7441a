/**
 * Repositories that mean harm, or met some. Whatever is in them, the rest is indexed, what is not
 * is named with a reason, and nothing hangs: H1–H7, H10. What takes a process of its own: H8, H9.
 */
import { spawnSync } from 'node:child_process'
import { appendFileSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { FileRecord, ResolvedFile } from '../../src/model/index-record.ts'
import { decodeResolved, encodeResolved } from '../../src/model/resolved-codec.ts'
import { type IndexOutcome, openWriter } from '../../src/packs/index/code-index.ts'
import { readSources } from '../../src/packs/index/read-sources.ts'
import { resolveSources } from '../../src/packs/index/resolve-sources.ts'
import { type Files, realFiles } from '../../src/platform/files.ts'
import { startPool } from '../../src/platform/pool.ts'
import { readBatch } from '../../src/sources/code/read-batch.ts'
import { dumpOf, indexIn, threadlessWorld } from '../support/indexed-folder.ts'
import { onDisk, writeFile } from '../support/project.ts'
import { quietWorld } from '../support/world.ts'

const FINE = '//- fine.ts\nexport function fine() {\n  return 1\n}\nfine()\n'
const MEGABYTE = 1024 * 1024

/** Whatever else there is: this file was read and resolved. */
async function expectFine(folder: string): Promise<string> {
  const dump = await dumpOf(folder)
  expect(dump).toMatch(/edge \["fine\.ts",.*"call",.*`fine\.ts`\/fine\(\)\./)
  return dump
}

function reasons({ skipped }: IndexOutcome): readonly string[] {
  return skipped.map(({ path, code }) => `${path} ${code}`)
}

/** Reasons that stand with the files themselves, because they were read. */
function diagnosed(dump: string): readonly string[] {
  const found = dump.matchAll(/^diagnostic \["((?:[^"\\]|\\.)*)","([\w-]+)"/gm)
  return [...found].map(([, path, code]) => `${path} ${code}`)
}

describe('H1 bytes', () => {
  test('H1 what is no text, by its name or by its bytes', async () => {
    const folder = onDisk(FINE)
    writeFile(folder, 'image.png', 'no picture')
    writeFile(folder, 'data.ts', Uint8Array.of(0x7f, 0x45, 0x4c, 0x46, 0, 1, 2))
    writeFile(folder, 'late.ts', `${'// text\n'.repeat(2000)}\0`)
    const outcome = await indexIn(folder)
    expect(reasons(outcome)).toEqual(['data.ts binary', 'image.png binary'])
    expect(diagnosed(await expectFine(folder))).toEqual(['data.ts binary', 'late.ts invalid-utf8'])
  })

  test('H1 fifty megabytes in one line, and a hundred of minified code, are not read', async () => {
    const folder = onDisk(FINE)
    writeFile(folder, 'line.txt', Buffer.alloc(50 * MEGABYTE, 'a'))
    writeFile(folder, 'bundle.js', Buffer.alloc(100 * MEGABYTE, 'a();'))
    const outcome = await indexIn(folder, { files: { ...realFiles, read: refuseLarge } })
    expect(reasons(outcome)).toEqual(['bundle.js too-large', 'line.txt too-large'])
    await expectFine(folder)
  })

  test('H1 one line of two megabytes is cut, and code in it is left out as minified', async () => {
    const folder = onDisk(FINE)
    writeFile(folder, 'line.txt', Buffer.alloc(2 * MEGABYTE - 1, 'word '))
    writeFile(folder, 'line.json', `["${'x'.repeat(MEGABYTE)}"]`)
    writeFile(folder, 'bundle.js', Buffer.alloc(2 * MEGABYTE - 1, 'a();'))
    expect(reasons(await indexIn(folder))).toEqual(['bundle.js minified'])
    expect(diagnosed(await expectFine(folder))).toEqual(['bundle.js minified'])
  })

  test('H1 other encodings are read or named', async () => {
    const folder = onDisk(FINE)
    const wide = Buffer.from('\uFEFFexport const wide = 1\n', 'utf16le')
    writeFile(folder, 'utf16le.ts', wide)
    writeFile(folder, 'utf16be.ts', Buffer.from(wide).swap16())
    writeFile(folder, 'mark.ts', '\uFEFFexport const marked = 1\n')
    const latin = Buffer.from('export const latin = "caf\u00e9 au lait, s\u00fc\u00df"\n', 'latin1')
    writeFile(folder, 'latin.ts', latin)
    writeFile(folder, 'bytes.ts', Buffer.alloc(300, 0xfe))
    await indexIn(folder)
    const dump = await expectFine(folder)
    expect(diagnosed(dump)).toEqual(['bytes.ts invalid-utf8', 'latin.ts invalid-utf8'])
    for (const file of ['utf16le.ts', 'utf16be.ts'])
      expect(dump).toContain(`symbol ["${file}",13,17,"scip:dossier . . . \`${file}\`/wide."`)
    // Offsets are those of the text without the mark.
    expect(dump).toContain('symbol ["mark.ts",13,19,')
    expect(dump).toContain('symbol ["latin.ts",13,18,')
  })

  test('H1 words that mean something to a tokenizer are text', async () => {
    const folder = onDisk(FINE)
    writeFile(folder, 'end.ts', 'export const end = "<|endoftext|><|im_start|>"\n')
    writeFile(folder, 'end.md', '# <|endoftext|>\n\n<|fim_prefix|> `fine`\n')
    await indexIn(folder)
    const dump = await expectFine(folder)
    expect(dump).toContain('<|endoftext|><|im_start|>')
    expect(diagnosed(dump)).toEqual([])
  })
})

function refuseLarge(path: string): Uint8Array {
  const bytes = realFiles.read(path)
  expect(bytes.length).toBeLessThan(MEGABYTE)
  return bytes
}

describe('H2 what is neither file nor folder', () => {
  test('H2 links in circles, out of the tree and to nowhere', async () => {
    const folder = onDisk(FINE)
    const outside = onDisk('//- secret.ts\nexport const secret = 1\n')
    symlinkSync('.', join(folder, 'self'))
    symlinkSync('loop', join(folder, 'loop'))
    symlinkSync(outside, join(folder, 'out'))
    symlinkSync(join(outside, 'secret.ts'), join(folder, 'out.ts'))
    symlinkSync('nowhere.ts', join(folder, 'dangling.ts'))
    const outcome = await indexIn(folder)
    const paths = ['dangling.ts', 'loop', 'out', 'out.ts', 'self']
    expect(reasons(outcome)).toEqual(paths.map((path) => `${path} link`))
    expect(await expectFine(folder)).not.toContain('secret')
  })

  test('H2 pipes, sockets and files that are no ignore files', async () => {
    const folder = onDisk(FINE)
    expect(spawnSync('mkfifo', [join(folder, 'pipe.ts')]).status).toBe(0)
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(join(folder, 'socket.ts'), resolve))
    mkdirSync(join(folder, 'sub'))
    expect(spawnSync('mkfifo', [join(folder, 'sub/.gitignore')]).status).toBe(0)
    try {
      const outcome = await indexIn(folder)
      const paths = ['pipe.ts', 'socket.ts', 'sub/.gitignore']
      expect(reasons(outcome)).toEqual(paths.map((path) => `${path} not-a-file`))
      await expectFine(folder)
    } finally {
      server.close()
    }
  })
})

function nested(open: string, close: string): string {
  return `${`${open}\n`.repeat(2000)}1${`\n${close}`.repeat(2000)}\n`
}

describe('H3 depth', () => {
  test('H3 two hundred folders in one another', async () => {
    const folder = onDisk(FINE)
    const deep = 'd/'.repeat(200)
    writeFile(folder, `${deep}deep.ts`, "import { fine } from './other'\nfine()\n")
    writeFile(folder, `${deep}other.ts`, 'export const fine = () => 1\n')
    expect(await indexIn(folder)).toMatchObject({ files: 3, skipped: [] })
    expect(await expectFine(folder)).toMatch(/edge \["d\/d\/.*deep\.ts",.*"call",.*`other\.ts`/)
  })

  const DEEP: readonly (readonly [string, string])[] = [
    ['brackets.ts', `export const a = ${nested('(', ')')}`],
    ['blocks.ts', `export function f() ${nested('{', '}')}`],
    ['calls.ts', `export const a = ${nested('f(', ')')}`],
    ['objects.js', `export const a = ${nested('{ a:', '}')}`],
    ['functions.js', nested('function f() {', '}')],
    ['classes.ts', nested('class A { m() {', '} }')],
    ['types.ts', `export type A = ${nested('Array<', '>')}`],
    ['markup.tsx', `export const a = ${nested('<a>', '</a>')}`],
    ['members.ts', `export const a = b${'\n.c()'.repeat(2000)}\n`],
    ['arrays.json', nested('[', ']')],
    ['objects.json', nested('{ "a":', '}')],
    ['calls.py', `a = ${nested('f(', ')')}`],
    ['defs.py', Array.from({ length: 99 }, (_, at) => `${' '.repeat(at)}def f():\n`).join('')],
    ['deep.go', `package a\nfunc f() int { return ${nested('g(', ')')} }\n`],
    ['Deep.java', `class Deep { int f() { return ${nested('g(', ')')}; } }\n`],
    ['deep.html', nested('<div>', '</div>')],
    ['deep.css', nested('a {', '}')],
    [
      'bases.ts',
      Array.from({ length: 2000 }, (_, at) => `class C${at} extends C${at + 1} {}\n`).join(''),
    ],
  ]

  test.each(DEEP)('H3 %s', async (path, text) => {
    const folder = onDisk(FINE)
    writeFile(folder, path, text)
    expect(await indexIn(folder)).toMatchObject({ files: 2, skipped: [] })
    expect(await expectFine(folder)).toContain(`file ["${path}"`)
  })

  test('H3 quotes and lists in one another, in Markdown', async () => {
    const folder = onDisk(FINE)
    writeFile(folder, 'quotes.md', `${'> '.repeat(2000)}quoted\n`)
    const items = Array.from({ length: 700 }, (_, at) => `${'  '.repeat(at)}- item\n`)
    writeFile(folder, 'lists.md', items.join(''))
    expect(await indexIn(folder)).toMatchObject({ files: 3, skipped: [] })
    await expectFine(folder)
  })

  test('H3 circles of modules, classes and values', async () => {
    const folder = onDisk(`${FINE}
//- a.ts
export { x, x as default } from './b'
export * from './b'
import { x } from './a'
export class A extends A {}
x()
//- b.ts
export { x, y as x } from './a'
export * from './a'
export const y = z, z = y
y()
//- c.py
from .c import *
from .c import f
class C(C):
    pass
f()
`)
    expect(await indexIn(folder)).toMatchObject({ files: 4 })
    await expectFine(folder)
  })
})

describe('H4 names', () => {
  test('H4 odd names are names, and those with control characters are left out', async () => {
    const folder = onDisk(FINE)
    const odd = ['a "b" \'c\'.ts', '-rf.ts', 'ünï 🎉.ts', 'back\\slash.ts', '%23#?*.ts', '$`x`.ts']
    for (const name of odd) writeFile(folder, name, 'export const odd = 1\n')
    // One name for the eye and two for the disk.
    for (const name of ['é.ts', 'e\u0301.ts']) writeFile(folder, name, 'export const e = 1\n')
    for (const name of ['two\nlines.ts', 'bell\u0007.ts', 'dir\n/a.ts'])
      writeFile(folder, name, 'export const bad = 1\n')
    writeFileSync(Buffer.from(`${folder}/inv\xffalid.ts`, 'latin1'), 'export const bad = 1\n')
    const outcome = await indexIn(folder)
    expect(outcome.files).toBe(odd.length + 3)
    expect(reasons(outcome).map((it) => JSON.stringify(it))).toEqual([
      '"bell\\u0007.ts unreadable"',
      '"dir\\n unreadable"',
      '"inv\uFFFDalid.ts unreadable"',
      '"two\\nlines.ts unreadable"',
    ])
    const dump = await expectFine(folder)
    expect(dump).not.toContain('bad')
    for (const name of odd) expect(dump).toContain(`file [${JSON.stringify(name)},`)
    expect((await indexIn(folder)).read).toBe(0)
  })
})

describe('H5 nothing', () => {
  test('H5 an empty repository has an empty index', async () => {
    const folder = onDisk('')
    expect(await indexIn(folder)).toMatchObject({ files: 0, read: 0, resolved: 0, skipped: [] })
    expect(await dumpOf(folder)).toMatch(/^index \["[\da-f]{64}"/)
    expect(await indexIn(folder)).toMatchObject({ files: 0 })
  })

  test('H5 files of nothing or of blanks', async () => {
    const folder = onDisk(FINE)
    const names = ['a.ts', 'a.py', 'a.md', 'a.json', 'a.txt', 'package.json', '.gitignore', 'none']
    for (const name of names) writeFile(folder, name, '')
    for (const name of names) writeFile(folder, `blank/${name}`, ' \n\t\r\n\n')
    expect(await indexIn(folder)).toMatchObject({ files: 17, skipped: [] })
    expect(await expectFine(folder)).not.toContain('chunk ["a.')
  })
})

describe('H6 what changes while it is read', () => {
  test('H6 a file that is gone when it is to be read', async () => {
    const folder = onDisk(`${FINE}//- gone.ts\nexport const gone = 1\n`)
    const doomed = join(folder, 'gone.ts')
    const read: Files['read'] = (path) => {
      if (path === doomed) rmSync(path)
      return realFiles.read(path)
    }
    const outcome = await indexIn(folder, { files: { ...realFiles, read } })
    expect(reasons(outcome)).toEqual(['gone.ts unreadable'])
    expect(outcome.files).toBe(1)
    await expectFine(folder)
    expect(await indexIn(folder)).toMatchObject({ files: 1, skipped: [] })
    expect(await dumpOf(folder)).not.toContain('gone')
  })

  test('H6 a folder that is gone when it is to be listed', async () => {
    const folder = onDisk(`${FINE}//- gone/a.ts\nexport const gone = 1\n`)
    const doomed = join(folder, 'gone')
    const list: Files['list'] = (path) => {
      if (path === doomed) rmSync(path, { recursive: true })
      return realFiles.list(path)
    }
    const outcome = await indexIn(folder, { files: { ...realFiles, list } })
    expect(reasons(outcome)).toEqual(['gone unreadable'])
    expect(outcome.skipped[0]?.message).not.toContain(folder)
    await expectFine(folder)
  })

  test('H6 a file that grows is what was read of it, until the next time', async () => {
    const folder = onDisk(`${FINE}//- grows.ts\nexport const first = 1\n`)
    const growing = join(folder, 'grows.ts')
    const read: Files['read'] = (path) => {
      const bytes = realFiles.read(path)
      if (path === growing) appendFileSync(path, 'export const second = 2\n')
      return bytes
    }
    await indexIn(folder, { files: { ...realFiles, read } })
    expect(await expectFine(folder)).not.toContain('second')
    expect((await indexIn(folder)).read).toBe(1)
    expect(await expectFine(folder)).toContain('second')
  })
})

const MANY = Array.from({ length: 9 }, (_, at) => `file${at}.ts`)

/** Through real threads, of which some never answer. */
async function readWithPatience(names: readonly string[]): Promise<readonly string[]> {
  const worker = new URL('../support/hostile-extractor.ts', import.meta.url)
  const pool = startPool(worker, 2)
  const files = names.map((path) => ({ path, size: 10, mtimeMs: 0 }))
  const found: string[] = []
  try {
    const sources = { top: '/', files, pool, patienceMs: 1500 }
    for await (const batch of readSources(quietWorld('/'), sources))
      for (const it of batch)
        if (it.kind === 'unreadable') found.push(`${it.diagnostic.path} ${it.diagnostic.message}`)
  } finally {
    await pool.close()
  }
  return found
}

describe('H7 a grammar that does not come to an end', () => {
  test('H7 its file is read without it, and the others as always, in their order', async () => {
    const names = [...MANY.slice(0, 4), 'endless.ts', ...MANY.slice(4)]
    expect(await readWithPatience(names)).toEqual(
      names.map((name) => `${name} read${name === 'endless.ts' ? ' as plain text' : ''}`),
    )
  })

  test('H7 a file that cannot be read even so is named in an error', async () => {
    await expect(readWithPatience([...MANY, 'hopeless.ts'])).rejects.toMatchObject({
      code: 'POC_E_READ_FAILED',
      message: 'hopeless.ts cannot be read',
    })
  })

  test('H7 of two that fail, the first is told, whichever was first to fail', async () => {
    const more = Array.from({ length: 70 }, (_, at) => `more${at}.ts`)
    await expect(readWithPatience(['hopeless.ts', ...more, 'failing.ts'])).rejects.toMatchObject({
      message: 'hopeless.ts cannot be read',
    })
    await expect(readWithPatience([...more, 'failing.ts', ...more])).rejects.toThrow('a bug')
  })

  test('H7 without its grammar a file is text with a diagnostic', async () => {
    const folder = onDisk(FINE)
    const batch = { top: folder, files: [{ path: 'fine.ts', mtimeMs: 0 }], isPlain: true }
    const [reading] = await readBatch(realFiles, batch)
    expect(reading).toMatchObject({
      kind: 'record',
      record: { language: 'typescript', diagnostics: [{ code: 'unparsable', path: 'fine.ts' }] },
    })
  })
})

const TROUBLED = `${FINE}
//- bad.ts
import { fine } from './fine.ts'
export function bad() {
  return fine()
}
`

/** Puts a file in, and resolves it and another one. */
async function resolvedWith(folder: string, record: FileRecord): Promise<readonly ResolvedFile[]> {
  const world = threadlessWorld(folder)
  const writer = openWriter(world, folder)
  const resolved: ResolvedFile[] = []
  try {
    await writer.begin()
    await writer.put([record])
    const paths = ['bad.ts', 'fine.ts']
    for await (const files of resolveSources(world, { writer, pool: world.extractors(), paths })) {
      // As they come from a thread.
      resolved.push(...decodeResolved(encodeResolved(files)))
      await writer.putResolved(files)
    }
    await writer.commit()
    return resolved
  } finally {
    await writer.close()
  }
}

describe('H10 a file that resolving stumbles over', () => {
  test('H10 it has no edges and a diagnostic, until it is resolved well', async () => {
    const folder = onDisk(TROUBLED)
    await indexIn(folder)
    const whole = await dumpOf(folder)
    expect(whole).toMatch(/edge \["bad\.ts"/)
    const batch = { top: folder, files: [{ path: 'bad.ts', mtimeMs: 0 }] }
    const [reading] = await readBatch(realFiles, batch)
    if (reading?.kind !== 'record') throw new Error('bad.ts was not read')
    const { record } = reading

    const damaged = { ...record, facts: record.facts.slice(0, 12) }
    const [bad, fine] = await resolvedWith(folder, damaged)
    expect(bad).toMatchObject({ path: 'bad.ts', edges: [], unresolved: [] })
    expect(bad?.failure).toMatch(/^has no edges, because resolving it failed: ./)
    expect(fine?.failure).toBe(undefined)
    const troubled = await expectFine(folder)
    expect(troubled).not.toMatch(/edge \["bad\.ts"/)
    expect(diagnosed(troubled)).toEqual(['bad.ts unresolvable'])

    expect((await resolvedWith(folder, record)).map((it) => it.failure)).toEqual([
      undefined,
      undefined,
    ])
    expect(await dumpOf(folder)).toBe(whole)
  })
})
