/** One import: records are compared with what is stored, and only what differs is written. */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { NoteRecord } from '../../model/note.ts'
import type { ImportAbout, ImportCounts } from '../../model/notes-index.ts'
import { sha256 } from '../../platform/hash.ts'
import {
  type Columns,
  EXISTS,
  growColumns,
  loadColumns,
  saveColumns,
  TAGGED,
  VISIBLE,
} from './columns.ts'
import { lengthCode } from './lengths.ts'
import { accountOfLinks, LinkWriter } from './links.ts'
import { loadMeta, type StoredStatus, saveMeta } from './meta.ts'
import { NoteNumbers } from './note-numbers.ts'
import { type NoteTexts, PostingWriter } from './posting-writer.ts'
import { canonicalText, packRest, parseRest, toRow } from './rows.ts'
import { CREATE_INDEXES } from './tables.ts'
import { hashName } from './terms.ts'

export interface ImportInput {
  readonly connection: DatabaseSync
  /** Whether there is nothing in the tables yet. */
  readonly isFirst: boolean
  /** Sixteen hexadecimal digits of a text. */
  readonly digest: (text: string) => string
}

/** As many hexadecimal digits as a number holds exactly. */
const EXACT_DIGITS = 13

const NO_PARENT = { id: undefined, number: 0 }

export class ImportRun {
  readonly #parts: ImportInput
  readonly #ledger: NoteNumbers
  readonly #columns: Columns
  readonly #links: LinkWriter
  readonly #postings: PostingWriter
  readonly #statements: Statements
  /** By number: whether it was put. */
  #seen = new Uint8Array(1024)
  /** Parents are mentioned before they have a number. */
  readonly #changed: number[] = []
  #lastParent: { readonly id: string | undefined; readonly number: number } = NO_PARENT
  readonly #counts = { added: 0, changed: 0, removed: 0, unchanged: 0 }

  constructor(parts: ImportInput) {
    this.#parts = parts
    this.#ledger = new NoteNumbers(parts.connection)
    this.#columns = loadColumns(parts.connection)
    growColumns(this.#columns, this.#ledger.size)
    this.#links = new LinkWriter(parts.connection, this.#ledger)
    this.#postings = new PostingWriter(parts.connection)
    this.#statements = prepareStatements(parts.connection)
  }

  put(record: NoteRecord): void {
    const rest = packRest(record)
    const digest = Number.parseInt(
      this.#parts.digest(canonicalText(record, rest)).slice(0, EXACT_DIGITS),
      16,
    )
    const number = this.#ledger.claim(record.id)
    this.#makeRoom(number)
    // Sources yield every id once; of duplicates the first is used.
    if (this.#seen[number] === 1) return
    this.#seen[number] = 1
    const isKnown = ((this.#columns.flags[number] ?? 0) & EXISTS) !== 0
    if (isKnown && this.#columns.digests[number] === digest) {
      this.#counts.unchanged += 1
      return
    }
    this.#counts[isKnown ? 'changed' : 'added'] += 1
    if (isKnown) this.#forgetTexts(number)
    this.#statements.put.run(...toRow(number, record, rest))
    this.#columns.digests[number] = digest
    this.#describe(number, record)
    this.#links.put(number, record)
    this.#changed.push(number)
  }

  /** Everything but the commit of the transaction. */
  finish(about: ImportAbout): ImportCounts {
    const { connection } = this.#parts
    this.#removeUnseen()
    const { added, changed, removed } = this.#counts
    const before = loadMeta(connection, 'status')
    const isSame = before !== undefined && added + changed + removed === 0
    const status = isSame ? before : this.#writeChanges()
    saveMeta(connection, 'status', { ...status, ...about })
    return this.#counts
  }

  #makeRoom(number: number): void {
    growColumns(this.#columns, number)
    if (number < this.#seen.length) return
    const larger = new Uint8Array(Math.max(2 * this.#seen.length, number + 1))
    larger.set(this.#seen)
    this.#seen = larger
  }

  #describe(number: number, record: NoteRecord): void {
    const columns = this.#columns
    const isVisible = record.kind !== 'system'
    const isTagged = record.tags.length > 0
    columns.flags[number] = EXISTS | (isVisible ? VISIBLE : 0) | (isTagged ? TAGGED : 0)
    columns.nameHashes[number] = isVisible ? hashName(record.name) : 0
    columns.times[number] = record.modified ?? record.created ?? 0
    columns.lengths[number] = isVisible ? lengthCode(this.#postings.add(number, record)) : 0
    columns.parents[number] = record.parent === record.id ? 0 : this.#parentOf(record)
  }

  /** Siblings mostly come one after the other, and looking an id up is not free. */
  #parentOf({ parent }: NoteRecord): number {
    if (parent === undefined) return 0
    if (this.#lastParent.id !== parent) {
      this.#lastParent = { id: parent, number: this.#ledger.mention(parent) }
    }
    return this.#lastParent.number
  }

  /** Removes the old words while the old row still exists, and the vector of the old text. */
  #forgetTexts(number: number): void {
    this.#statements.removeVector.run(number)
    if (((this.#columns.flags[number] ?? 0) & VISIBLE) === 0) return
    const row = this.#statements.texts.get(number)
    const rest = row?.['rest'] ?? null
    const [content, tags, fields] = parseRest(rest === null ? null : String(rest))
    const texts: NoteTexts = { name: String(row?.['name']), content, tags, fields }
    this.#postings.remove(number, texts)
  }

  #removeUnseen(): void {
    for (let number = 1; number < this.#ledger.size; number += 1) {
      if (((this.#columns.flags[number] ?? 0) & EXISTS) === 0 || this.#seen[number] === 1) continue
      this.#forgetTexts(number)
      this.#statements.remove.run(number)
      this.#links.remove(number)
      for (const column of Object.values(this.#columns)) column[number] = 0
      this.#counts.removed += 1
    }
  }

  #writeChanges(): StoredStatus {
    const { connection, isFirst } = this.#parts
    const columns = this.#columns
    this.#ledger.assignAll()
    growColumns(columns, this.#ledger.size)
    for (const number of this.#changed) {
      columns.parents[number] = this.#ledger.finalNumber(columns.parents[number] ?? 0)
    }
    const order = this.#rank()
    this.#postings.flush()
    this.#links.write(columns.ranks, isFirst)
    const { links, isMentioned } = accountOfLinks(connection, columns.flags)
    this.#keepAbsent(isMentioned)
    saveColumns(connection, columns, this.#ledger.size)
    connection.exec(CREATE_INDEXES)
    const isAmong = (flag: number) => (number: number) =>
      ((columns.flags[number] ?? 0) & flag) === flag
    return {
      source: 'vault',
      importedAt: 0,
      notes: order.filter(isAmong(VISIBLE)).length,
      tagged: order.filter(isAmong(VISIBLE | TAGGED)).length,
      links,
      signature: computeSignature(order, columns.digests),
    }
  }

  /** Numbers of all notes by id. */
  #rank(): Uint32Array {
    const { ids } = this.#ledger
    const { flags, ranks } = this.#columns
    const present = ids.filter(
      (id, number): id is string => id !== undefined && ((flags[number] ?? 0) & EXISTS) !== 0,
    )
    const order = Uint32Array.from(present.toSorted(), (id) => this.#ledger.claim(id))
    for (const [rank, number] of order.entries()) ranks[number] = rank
    return order
  }

  /** Referenced ids keep their numbers; other numbers can be reused for new notes. */
  #keepAbsent(isMentioned: Uint8Array): void {
    const { flags, parents } = this.#columns
    for (let number = 1; number < this.#ledger.size; number += 1) {
      if (((flags[number] ?? 0) & EXISTS) !== 0) isMentioned[parents[number] ?? 0] = 1
    }
    this.#parts.connection.exec('DELETE FROM absent')
    const put = this.#parts.connection.prepare('INSERT INTO absent VALUES (?, ?)')
    for (const [number, id] of this.#ledger.ids.entries()) {
      const isAbsent = id !== undefined && ((flags[number] ?? 0) & EXISTS) === 0
      if (isAbsent && isMentioned[number] === 1) put.run(number, id)
    }
  }
}

/**
 * The digest of a record includes its id, so the digests in id order identify the whole workspace.
 */
function computeSignature(order: Uint32Array, digests: Float64Array): string {
  const sorted = Float64Array.from(order, (number) => digests[number] ?? 0)
  return sha256(new Uint8Array(sorted.buffer))
}

interface Statements {
  readonly put: StatementSync
  readonly texts: StatementSync
  readonly remove: StatementSync
  readonly removeVector: StatementSync
}

function prepareStatements(connection: DatabaseSync): Statements {
  return {
    put: connection.prepare('INSERT OR REPLACE INTO notes VALUES (?, ?, ?, ?, ?, ?, ?, ?)'),
    texts: connection.prepare('SELECT name, rest FROM notes WHERE n = ?'),
    remove: connection.prepare('DELETE FROM notes WHERE n = ?'),
    removeVector: connection.prepare('DELETE FROM vectors WHERE n = ?'),
  }
}
