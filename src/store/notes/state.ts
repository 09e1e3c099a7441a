/** One committed state of a workspace, with caches. */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { Memo } from '../../platform/memo.ts'
import { type ColumnName, type Columns, loadColumn } from './columns.ts'
import { toWellFormed } from './note-numbers.ts'
import { PageReader } from './pages.ts'
import { PostingReader } from './postings.ts'

/** Ids are looked up repeatedly in a walk; this many take a few megabytes. */
const MAX_CACHED_IDS = 200_000

export class NotesState {
  readonly connection: DatabaseSync
  readonly outward: PageReader
  readonly inward: PageReader
  readonly #columns: Partial<Columns> = {}
  readonly #ids: Memo<number, string>
  readonly #numberOf: StatementSync
  #postings: PostingReader | undefined

  constructor(connection: DatabaseSync) {
    this.connection = connection
    this.outward = new PageReader(connection, 'outward')
    this.inward = new PageReader(connection, 'inward')
    const idOf = connection.prepare('SELECT id FROM notes WHERE n = ?')
    idOf.setReturnArrays(true)
    this.#ids = new Memo(
      (number) => (idOf.get(number) as unknown as [string] | undefined)?.[0] ?? '',
      { limit: MAX_CACHED_IDS },
    )
    this.#numberOf = connection.prepare('SELECT n FROM notes WHERE id = ?')
    this.#numberOf.setReturnArrays(true)
  }

  /** Read when it is first asked for. */
  column<Name extends ColumnName>(name: Name): Columns[Name] {
    const known = this.#columns[name] as Columns[Name] | undefined
    if (known !== undefined) return known
    const column = loadColumn(this.connection, name) as Columns[Name]
    this.#columns[name] = column
    return column
  }

  get postings(): PostingReader {
    this.#postings ??= new PostingReader(this.connection, this.column('flags').length)
    return this.#postings
  }

  /** 0 if there is no such note. */
  findNumber(id: string): number {
    const row = this.#numberOf.get(toWellFormed(id)) as unknown as [number] | undefined
    return row?.[0] ?? 0
  }

  getId(number: number): string {
    return this.#ids.get(number)
  }
}
