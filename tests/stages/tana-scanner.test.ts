import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  array,
  assert,
  constantFrom,
  integer,
  jsonValue,
  property,
  record,
  string,
} from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { ElementScanner } from '../../src/sources/notes/tana/element-scanner.ts'
import { createIdTable, UNKNOWN } from '../../src/sources/notes/tana/id-table.ts'
import { runs } from '../support/property.ts'

const FOLDER = mkdtempSync(join(tmpdir(), 'dossier-scanner-'))
const PATH = join(FOLDER, 'file.json')
afterAll(() => rmSync(FOLDER, { recursive: true }))

interface Scanned {
  readonly elements: readonly unknown[]
  readonly offsets: readonly number[]
  readonly read: number
  readonly met: boolean
  /** Bytes that were needed at a time. */
  readonly held: number
}

function scan(text: string, blockBytes: number): Scanned {
  writeFileSync(PATH, text)
  const file = openSync(PATH, 'r')
  try {
    const scanner = new ElementScanner({
      file,
      path: 'file.json',
      array: 'docs',
      wrapper: 'storeData',
      blockBytes,
    })
    const elements: unknown[] = []
    const offsets: number[] = []
    while (scanner.next()) {
      elements.push(JSON.parse(scanner.bytes.toString('utf8', scanner.start, scanner.end)))
      offsets.push(scanner.offset)
    }
    return {
      elements,
      offsets,
      read: scanner.read,
      met: scanner.foundArray,
      held: scanner.bytes.length,
    }
  } finally {
    closeSync(file)
  }
}

const around = record({
  before: jsonValue({ maxDepth: 3 }),
  items: array(jsonValue()),
  after: jsonValue({ maxDepth: 3 }),
  indent: constantFrom(0, 2),
  wrapped: constantFrom(true, false),
  block: integer({ min: 1, max: 97 }),
})

test('NI1 the elements of docs are those that JSON.parse finds, for any content and any block size', () => {
  assert(
    property(around, ({ before, items, after, indent, wrapped, block }) => {
      const inner = { formatVersion: 1, before, docs: items, after }
      const outer = wrapped ? { x: before, storeData: inner, y: [after] } : inner
      const text = JSON.stringify(outer, undefined, indent)
      const scanned = scan(text, block)
      expect(scanned.elements).toEqual(JSON.parse(JSON.stringify(items)))
      expect(scanned.read).toBe(Buffer.byteLength(text))
      expect(scanned.met).toBe(true)
      for (const [at, offset] of scanned.offsets.entries()) {
        const rest = Buffer.from(text).subarray(offset).toString()
        expect(rest.startsWith(JSON.stringify(items[at], undefined, 0).slice(0, 1))).toBe(true)
      }
    }),
    runs(300),
  )
})

test('NI1 quotes, backslashes and brackets in strings of any length decide nothing', () => {
  const strings = ['"', '\\', '\\"', ']}', '{"docs":[1]}', 'é'.repeat(40), '\\'.repeat(61)]
  const docs = strings.map((name) => ({ id: 'x', props: { name: `${'a'.repeat(30)}${name}` } }))
  const text = JSON.stringify({ refIndex: strings, docs, lastTxid: 1 })
  for (let block = 1; block < 140; block += 1) {
    expect(scan(text, block).elements, `blocks of ${block}`).toEqual(docs)
  }
})

test('NI1 docs further down than the top or the wrapper are not the ones', () => {
  const text = JSON.stringify({
    other: { docs: [1] },
    storeData: { deep: { docs: [2] }, docs: [3] },
  })
  expect(scan(text, 16).elements).toEqual([3])
  expect(scan('{"nodes":[]}', 16).met).toBe(false)
  expect(scan('{"docs":{"a":1}}', 16).met).toBe(false)
})

test('NI1 what is passed over is not kept, however large', () => {
  const text = JSON.stringify({
    refIndex: ['x'.repeat(100_000), { y: [1, 2] }],
    docs: [{ id: 'a' }],
  })
  const scanned = scan(text, 64)
  expect(scanned.elements).toEqual([{ id: 'a' }])
  expect(scanned.held).toBe(64)
})

test('NI8 wherever a file is cut off, it is said to end in the middle', () => {
  const text = JSON.stringify({ a: [1], docs: [{ id: 'é\\"' }, { id: 'b' }], z: { y: 'x' } })
  const bytes = Buffer.byteLength(text)
  for (let length = 1; length < bytes; length += 1) {
    const cut = Buffer.from(text).subarray(0, length)
    writeFileSync(PATH, cut)
    const file = openSync(PATH, 'r')
    try {
      const wish = { file, path: 'f', array: 'docs', wrapper: 'storeData', blockBytes: 8 }
      const scanner = new ElementScanner(wish)
      const all = () => {
        while (scanner.next());
      }
      expect(all, `cut at ${length}`).toThrow(`at byte ${length}`)
    } finally {
      closeSync(file)
    }
  }
})

test('NI1 ids have numbers as a map would give them, whatever they are made of', () => {
  assert(
    property(array(string({ unit: 'grapheme' })), array(string()), (ids, others) => {
      const table = createIdTable()
      const expected = new Map<string, number>()
      for (const id of [...ids, ...ids, '\u007f%', '日本', '']) {
        if (!expected.has(id)) expected.set(id, expected.size)
        expect(table.intern(id)).toBe(expected.get(id))
      }
      for (const [id, number] of expected) expect(table.getText(number)).toBe(id)
      for (const id of others) expect(table.find(id)).toBe(expected.get(id) ?? UNKNOWN)
      expect(table.size).toBe(expected.size)
    }),
    runs(200),
  )
})

test('NI1 a hundred thousand ids keep their numbers', () => {
  const table = createIdTable()
  const ids = Array.from({ length: 100_000 }, (_, at) => `node-${at.toString(36)}`)
  for (const id of ids) table.intern(id)
  for (const [at, id] of ids.entries()) {
    if (table.find(id) !== at || table.getText(at) !== id) throw new Error(`lost ${id}`)
  }
  expect(table.size).toBe(ids.length)
})
