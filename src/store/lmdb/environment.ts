/**
 * The tables of index.mdb. Keys are what the port asks by: texts, and the numbers of a flat index.
 * It is written once, by one process, and never changed after it has its place.
 */
import { type Database, open, type RootDatabase } from 'lmdb'
import { sha256 } from '../../platform/hash.ts'
import { newFileMode } from '../../platform/private.ts'
import { Packer, Unpacker } from './packing.ts'

export const DATA_NAME = 'index.mdb'

/** By number: of a file, a chunk, a symbol's id, a page. */
const BY_NUMBER = [
  'paths',
  'facts',
  'unresolved',
  'chunks',
  'symbols',
  'texts',
  'fileEdges',
  'edgesFrom',
  'edgesTo',
  'lengths',
] as const
/** By text, in the order of its bytes. */
const BY_TEXT = ['meta', 'files', 'uids', 'ids', 'names', 'postings', 'askers'] as const

type NumberTable = (typeof BY_NUMBER)[number]
type TextTable = (typeof BY_TEXT)[number]

/** Size of the first piece of a value; further pieces are in the table of rests. */
const PIECE_BYTES = 16_000
/**
 * LMDB takes keys of 1,978 bytes. A longer text is known by its beginning and its hash, and among
 * those with the same beginning it stands where the hash puts it.
 */
const MAX_KEY_BYTES = 1024
const KEPT_KEY_BYTES = 900
/** In no UTF-8, so no text is taken for another's hash. */
const HASHED = 0xff

const LETTER = 't'

type Key = Buffer | number

export class Environment {
  readonly #root: RootDatabase<Buffer, string>
  readonly #tables = new Map<string, Database<Buffer, Key>>()
  /** Long texts by their keys, and further pieces of values by table, key and number. */
  readonly #longTexts: Database<Buffer, Buffer>
  readonly #rests: Database<Buffer, Buffer>
  readonly #packer = new Packer()

  private constructor(path: string, access: 'read' | 'write') {
    // Not in the types of the library, which passes it on to LMDB.
    const mode = newFileMode(path)
    const permissions = mode === undefined ? {} : { permissionsMode: mode }
    this.#root = open(path, {
      ...permissions,
      noSubdir: true,
      maxDbs: 32,
      encoding: 'binary',
      // What is written is made durable when it gets its place, as a whole.
      ...(access === 'read' ? { readOnly: true } : { noSync: true }),
    })
    for (const name of BY_NUMBER) this.#tables.set(name, this.#table(name, 'uint32'))
    for (const name of BY_TEXT) this.#tables.set(name, this.#table(name, 'binary'))
    this.#longTexts = this.#table('longTexts', 'binary')
    this.#rests = this.#table('rests', 'binary')
  }

  static create(path: string): Environment {
    return new Environment(path, 'write')
  }

  static open(path: string): Environment {
    return new Environment(path, 'read')
  }

  /** All that is put in the action is committed at its end. */
  write(action: () => void): void {
    this.#root.transactionSync(action)
  }

  putByNumber(table: NumberTable, number: number, value: Buffer): void {
    this.#put(table, number, value)
  }

  putByText(table: TextTable, text: string, value: Buffer): void {
    const key = encodeTextKey(text)
    if (isHashed(key)) this.#longTexts.putSync(key, Buffer.from(text))
    this.#put(table, key, value)
  }

  byNumber(table: NumberTable, number: number): Uint8Array | undefined {
    return this.#get(table, number)
  }

  byText(table: TextTable, text: string): Uint8Array | undefined {
    return this.#get(table, encodeTextKey(text))
  }

  /** So many after a given one, which need not be there. */
  textsAfter(table: TextTable, after: string, limit: number): readonly string[] {
    if (limit <= 0) return []
    const keys = this.#of(table).getKeys({
      start: encodeTextKey(after),
      exclusiveStart: true,
      limit,
    })
    return [...keys].map((it) => this.#textOf(it as Buffer))
  }

  async close(): Promise<void> {
    await this.#root.close()
  }

  #put(table: string, key: Key, value: Buffer): void {
    const rests = Math.max(0, Math.ceil(value.length / PIECE_BYTES) - 1)
    const head = this.#packer.pack((it) => it.number(rests))
    this.#of(table).putSync(key, Buffer.concat([head, value.subarray(0, PIECE_BYTES)]))
    for (let at = 1; at <= rests; at += 1) {
      const piece = value.subarray(at * PIECE_BYTES, (at + 1) * PIECE_BYTES)
      this.#rests.putSync(encodeRestKey(table, key, at), piece)
    }
  }

  #get(table: string, key: Key): Uint8Array | undefined {
    const value = this.#of(table).getBinary(key)
    if (value === undefined) return undefined
    const first = value[0] ?? 0
    if (first === 0) return value.subarray(1)
    const rests = new Unpacker(value).number()
    const pieces = Array.from(
      { length: rests },
      (_, at) => this.#rests.getBinary(encodeRestKey(table, key, at + 1)) ?? Buffer.alloc(0),
    )
    return Buffer.concat([value.subarray(value.length - PIECE_BYTES), ...pieces])
  }

  #textOf(key: Buffer): string {
    const bytes = isHashed(key) ? this.#longTexts.getBinary(key) : key.subarray(LETTER.length)
    return bytes?.toString('utf8') ?? ''
  }

  #of(table: string): Database<Buffer, Key> {
    const found = this.#tables.get(table)
    if (found === undefined) throw new Error(`unknown table ${table}`)
    return found
  }

  #table<K extends Key>(name: string, keyEncoding: 'uint32' | 'binary'): Database<Buffer, K> {
    return this.#root.openDB<Buffer, K>({ name, encoding: 'binary', keyEncoding })
  }
}

/** LMDB has no empty key, so there is a letter before every text. */
function encodeTextKey(text: string): Buffer {
  const bytes = Buffer.from(`${LETTER}${text}`)
  if (bytes.length <= MAX_KEY_BYTES) return bytes
  const hash = Buffer.from(sha256(bytes), 'hex')
  return Buffer.concat([bytes.subarray(0, KEPT_KEY_BYTES), Buffer.from([HASHED]), hash])
}

function isHashed(key: Buffer): boolean {
  return key.length > KEPT_KEY_BYTES && key[KEPT_KEY_BYTES] === HASHED
}

function encodeRestKey(table: string, key: Key, piece: number): Buffer {
  const own = typeof key === 'number' ? encodeUint32(key) : key
  return Buffer.concat([Buffer.from(`${table} `), own, encodeUint32(piece)])
}

function encodeUint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
