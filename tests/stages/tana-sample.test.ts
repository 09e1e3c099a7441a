/** A real workspace, where it is at hand, and a generated one. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { writeGeneratedExport } from '../../bench/notes/generated-export.ts'
import { openTanaExport } from '../../src/sources/notes/tana/export-source.ts'
import { type ReadNotes, readNotes } from '../support/notes-source.ts'
import { hasShared } from '../support/shared-data.ts'

const SAMPLE = fileURLToPath(
  new URL('../../../shared/data/tana/sample-workspace.json', import.meta.url),
)
const HAS_SAMPLE = hasShared('../tana/sample-workspace.json')
const FOLDER = mkdtempSync(join(tmpdir(), 'dossier-generated-'))
afterAll(() => rmSync(FOLDER, { recursive: true }))

function counts(values: readonly string[]): Readonly<Record<string, number>> {
  const found: Record<string, number> = {}
  for (const value of values) found[value] = (found[value] ?? 0) + 1
  return found
}

test.runIf(HAS_SAMPLE)(
  'NI9 the sample workspace has what is known of it (needs shared data)',
  async () => {
    const { records, account, field, note } = await readNotes(openTanaExport(SAMPLE))
    expect(account).toMatchObject({
      seen: 5243,
      trashed: 629,
      inlineReferences: 38,
      correctedParents: 44,
      unresolved: 8,
    })
    const tagged = [...records.values()].filter((it) => it.tags.length > 0)
    expect(tagged).toHaveLength(103)
    expect(counts(tagged.flatMap((it) => it.tags))).toEqual({
      chapter: 67,
      category: 16,
      subject: 14,
      author: 3,
      book: 3,
    })
    expect([...records.values()].filter((it) => it.name.includes('data-inlineref'))).toEqual([])
    expect(note('4LWqG6vhlmaT').name).toBe('Chapter 11: Tasks')
    expect(field('4LWqG6vhlmaT', 'Word count')).toEqual(['2743'])
    expect(field('4LWqG6vhlmaT', 'Book')).toEqual(['The Rhythms of Productivity'])
  },
)

test.runIf(HAS_SAMPLE)(
  'NI9 no tagged note of the sample is alone (needs shared data)',
  async () => {
    const { records } = await readNotes(openTanaExport(SAMPLE))
    const around = neighbours(records)
    const tagged = [...records.values()].filter((it) => it.tags.length > 0)
    const sizes = tagged.map((it) => around.get(it.id)?.size ?? 0)
    expect(Math.min(...sizes)).toBeGreaterThan(0)
    expect(sizes.reduce((sum, size) => sum + size, 0) / sizes.length).toBeGreaterThan(36)
  },
)

test('NI10 a generated export is the same each time, and is read whole', async () => {
  const first = join(FOLDER, 'first.json')
  const made = writeGeneratedExport(first, 20_000)
  const again = join(FOLDER, 'again.json')
  writeGeneratedExport(again, 20_000)
  expect(readFileSync(first).equals(readFileSync(again))).toBe(true)
  expect(made.bytes).toBe(readFileSync(first).length)
  expect(Math.abs(made.nodes - 20_000)).toBeLessThan(10)
  const { records, account } = await readNotes(openTanaExport(first))
  expect(account.seen).toBe(made.nodes)
  expect(account.trashed).toBeGreaterThan(100)
  expect(account.inlineReferences).toBeGreaterThan(400)
  expect(account.diagnostics).toEqual([])
  const all = [...records.values()]
  expect(all.filter((it) => it.tags.length > 0).length).toBeGreaterThan(800)
  expect(all.filter((it) => it.tags.includes('task')).length).toBeGreaterThan(100)
  expect(Math.max(...all.map((it) => it.children.length))).toBeGreaterThan(3000)
})

/** As a reader goes, without the places of the program. */
function neighbours(records: ReadNotes['records']): ReadonlyMap<string, ReadonlySet<string>> {
  const around = new Map<string, Set<string>>()
  const link = (from: string, to: string): void => {
    if (records.get(from)?.kind === 'system' || records.get(to)?.kind === 'system') return
    for (const [one, other] of [
      [from, to],
      [to, from],
    ] as const) {
      const set = around.get(one) ?? new Set()
      around.set(one, set.add(other))
    }
  }
  for (const { id, children, references, fields } of records.values()) {
    const targets = fields.flatMap((it) => it.values.flatMap((value) => value.target ?? []))
    for (const to of [...children, ...references, ...targets]) link(id, to)
  }
  return around
}
