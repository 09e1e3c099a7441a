/** All that a source of notes gives, as one table. */
import { expect } from 'vitest'
import type { NoteRecord } from '../../src/model/note.ts'
import type { NotesSource, SourceAccount } from '../../src/model/notes-index.ts'

export interface ReadNotes {
  readonly records: ReadonlyMap<string, NoteRecord>
  readonly account: SourceAccount
  readonly batches: number
  /** A note that has to be there. */
  note(id: string): NoteRecord
  /** The values of a field of a note, as texts. */
  field(id: string, name: string): readonly string[]
}

/** Reads a source to its end, and checks what holds for every source. */
export async function readNotes(source: NotesSource): Promise<ReadNotes> {
  const records = new Map<string, NoteRecord>()
  let read = 0
  let batches = 0
  for await (const batch of source.batches()) {
    read += batch.read
    batches += 1
    for (const record of batch.records) {
      expect(records.has(record.id), `${record.id} is given once`).toBe(false)
      records.set(record.id, record)
    }
  }
  expect(read).toBe(source.size)
  expectWhole(records)
  const note = (id: string): NoteRecord => {
    const found = records.get(id)
    if (found === undefined) throw new Error(`there is no note ${id}`)
    return found
  }
  return {
    records,
    account: source.account(),
    batches,
    note,
    field: (id, name) =>
      (note(id).fields.find((it) => it.name === name)?.values ?? []).map((it) => it.text),
  }
}

/** Every link leads to a note that is there, and parents and children agree. */
function expectWhole(records: ReadonlyMap<string, NoteRecord>): void {
  const broken: string[] = []
  for (const { id, parent, children, references, fields, name } of records.values()) {
    if (/[\n\r]|^\s|\s$/.test(name)) broken.push(`${id} is not on one line`)
    if (parent !== undefined && !records.get(parent)?.children.includes(id)) {
      broken.push(`${parent} does not list ${id}`)
    }
    for (const child of children) {
      if (records.get(child)?.parent !== id) broken.push(`${child} is not of ${id}`)
    }
    const targets = fields.flatMap((field) => field.values.flatMap((it) => it.target ?? []))
    for (const target of [...references, ...targets]) {
      if (!records.has(target)) broken.push(`${id} leads to ${target}, which is not there`)
    }
    if (new Set(children).size < children.length) broken.push(`${id} lists a child twice`)
    if (new Set(references).size < references.length) broken.push(`${id} refers twice`)
    if (references.some((it) => it === id || children.includes(it))) broken.push(`${id} refers in`)
  }
  expect(broken).toEqual([])
}
