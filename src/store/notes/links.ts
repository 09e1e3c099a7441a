/**
 * Stores the links of notes: outward the children, references and field values in source order, and
 * inward the notes that refer to each number, by id. Only changed notes are written; their old
 * targets are read from the database.
 */
import type { DatabaseSync } from 'node:sqlite'
import type { NoteRecord } from '../../model/note.ts'
import { ByteReader, ByteWriter } from '../code/varint.ts'
import { EXISTS } from './columns.ts'
import type { NoteNumbers } from './note-numbers.ts'
import { allEntries, PageWriter } from './pages.ts'

/** The lists of an outward entry, in this order; an inward one has the last two. */
export const OUTWARD_LISTS = ['child', 'reference', 'field'] as const
export const INWARD_LISTS = ['reference', 'field'] as const

const FIRST_CAPACITY = 1 << 12

export class LinkWriter {
  readonly #connection: DatabaseSync
  readonly #ledger: NoteNumbers
  /** A number and where its lists begin: three counts, each with as many numbers after it. */
  readonly #changed: { readonly number: number; readonly start: number }[] = []
  #lists = new Uint32Array(FIRST_CAPACITY)
  #length = 0

  constructor(connection: DatabaseSync, ledger: NoteNumbers) {
    this.#connection = connection
    this.#ledger = ledger
  }

  get hasChanges(): boolean {
    return this.#changed.length > 0
  }

  put(number: number, record: NoteRecord): void {
    const { children, references, fields } = record
    this.#changed.push({ number, start: this.#length })
    this.#add(record.id, children)
    this.#add(record.id, references)
    this.#add(record.id, fields.length === 0 ? [] : listTargets(record))
  }

  remove(number: number): void {
    this.#changed.push({ number, start: this.#length })
    for (let left = OUTWARD_LISTS.length; left > 0; left -= 1) this.#push(0)
  }

  /** Without duplicates and without links to itself. */
  #add(own: string, ids: readonly string[]): void {
    const place = this.#length
    this.#push(0)
    if (ids.length === 0) return
    const distinct = ids.length === 1 ? ids : new Set(ids)
    for (const id of distinct) if (id !== own) this.#push(this.#ledger.mention(id))
    this.#lists[place] = this.#length - place - 1
  }

  #push(value: number): void {
    if (this.#length === this.#lists.length) {
      const larger = new Uint32Array(2 * this.#length)
      larger.set(this.#lists)
      this.#lists = larger
    }
    this.#lists[this.#length++] = value
  }

  /** `ranks` orders whoever points at the same note. All numbers must be settled. */
  write(ranks: Uint32Array, isFirst: boolean): void {
    const inward = new InwardChanges(this.#ledger.size)
    const outward = new PageWriter(this.#connection, 'outward', isFirst)
    const writer = new ByteWriter()
    for (const { number, start } of this.#changed.toSorted((a, b) => a.number - b.number)) {
      if (!isFirst) inward.note(decodeLists(outward.get(number)), { source: number, isGone: true })
      const lists = this.#listsAt(start)
      inward.note(lists, { source: number, isGone: false })
      outward.set(number, encodeLists(writer, lists))
    }
    outward.flush()
    inward.apply(new PageWriter(this.#connection, 'inward', isFirst), ranks)
  }

  #listsAt(start: number): readonly Uint32Array[] {
    let at = start
    return OUTWARD_LISTS.map(() => {
      const count = this.#lists[at] ?? 0
      const list = this.#lists.slice(at + 1, at + 1 + count)
      for (const [place, number] of list.entries()) list[place] = this.#ledger.finalNumber(number)
      at += 1 + count
      return list
    })
  }
}

function listTargets(record: NoteRecord): readonly string[] {
  return record.fields.flatMap((field) => field.values.flatMap((it) => it.target ?? []))
}

const GONE = 2

class InwardChanges {
  /** By target: the last change of it. Changes of one target are chained. */
  readonly #last: Int32Array
  readonly #before: number[] = []
  readonly #sources: number[] = []
  /** Place in `INWARD_LISTS`, and whether it is gone. */
  readonly #codes: number[] = []

  constructor(size: number) {
    this.#last = new Int32Array(size).fill(-1)
  }

  note(
    lists: readonly Uint32Array[],
    change: { readonly source: number; readonly isGone: boolean },
  ): void {
    for (let list = 1; list < OUTWARD_LISTS.length; list += 1) {
      for (const target of lists[list] ?? []) {
        this.#before.push(this.#last[target] ?? -1)
        this.#last[target] = this.#sources.length
        this.#sources.push(change.source)
        this.#codes.push(list - 1 + (change.isGone ? GONE : 0))
      }
    }
  }

  apply(pages: PageWriter, ranks: Uint32Array): void {
    const writer = new ByteWriter()
    for (const [target, last] of this.#last.entries()) {
      if (last < 0) continue
      const lists = decodeLists(pages.get(target)).map((it) => new Set(it))
      while (lists.length < INWARD_LISTS.length) lists.push(new Set())
      for (const gone of [GONE, 0]) {
        for (let at = last; at >= 0; at = this.#before[at] ?? -1) {
          const code = this.#codes[at] ?? 0
          if ((code & GONE) !== gone) continue
          const list = lists[code & 1]
          const source = this.#sources[at] ?? 0
          if (gone === GONE) list?.delete(source)
          else list?.add(source)
        }
      }
      const sorted = lists.map((it) =>
        Uint32Array.from(it).toSorted((a, b) => (ranks[a] ?? 0) - (ranks[b] ?? 0)),
      )
      pages.set(target, encodeLists(writer, sorted))
    }
    pages.flush()
  }
}

/** A copy of its own; empty where all lists are. */
function encodeLists(writer: ByteWriter, lists: readonly Uint32Array[]): Uint8Array {
  writer.length = 0
  if (lists.every((it) => it.length === 0)) return new Uint8Array()
  for (const list of lists) {
    writer.put(list.length)
    for (const number of list) writer.put(number)
  }
  return writer.from(0).slice()
}

export function decodeLists(entry: Uint8Array): readonly Uint32Array[] {
  const reader = new ByteReader(entry)
  const lists: Uint32Array[] = []
  while (!reader.isAtEnd) {
    const count = reader.next()
    if (count > entry.length) throw new RangeError('a list is longer than its bytes')
    const list = new Uint32Array(count)
    for (let at = 0; at < list.length; at += 1) list[at] = reader.next()
    lists.push(list)
  }
  return lists
}

export interface LinkAccount {
  /** Links whose both ends are there. */
  readonly links: number
  /** By number: whether somebody points at it. */
  readonly isMentioned: Uint8Array
}

export function accountOfLinks(connection: DatabaseSync, flags: Uint8Array): LinkAccount {
  const isMentioned = new Uint8Array(flags.length)
  let links = 0
  for (const { entry } of allEntries(connection, 'outward')) {
    for (const list of decodeLists(entry)) {
      for (const target of list) {
        isMentioned[target] = 1
        if (((flags[target] ?? 0) & EXISTS) !== 0) links += 1
      }
    }
  }
  return { links, isMentioned }
}
