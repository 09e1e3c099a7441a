/**
 * Facts as bytes, for storing and for handing between threads. Numbers are written with as few
 * bytes as they need, text once each; decoding gives back exactly what was encoded.
 */
import {
  DEFINITION_KINDS,
  type Definition,
  type Export,
  type Expression,
  type Facts,
  type Grant,
  type Mention,
  OPS,
  type Provided,
  SCOPE_KINDS,
  type Scope,
} from './facts.ts'

/** Part of the extractor's version: what is stored in another form is read anew from the sources. */
export const FACTS_FORMAT = 1

const DEFINITION_NUMBER = new Map(DEFINITION_KINDS.map((it, at) => [it, at]))
const OP_NUMBER = new Map(OPS.map((it, at) => [it, at]))
const SCOPE_NUMBER = new Map(SCOPE_KINDS.map((it, at) => [it, at]))

export function encodeFacts(facts: Facts): Uint8Array {
  const out = new Writer()
  out.text(facts.language)
  out.list(facts.scopes, ({ parent, kind, owner }) => {
    out.number(parent)
    out.number(SCOPE_NUMBER.get(kind) ?? 0)
    out.number(owner)
  })
  out.list(facts.definitions, (it) => writeDefinition(out, it))
  out.list(facts.expressions, (it) => writeExpression(out, it))
  out.list(facts.exports, ({ name, of }) => {
    out.text(name)
    out.number(of)
  })
  out.numbers(facts.comments)
  out.list(facts.mentions, ({ name, start, end, isMarked }) => {
    out.text(name)
    out.place(start, end)
    out.number(isMarked ? 1 : 0)
  })
  out.list(facts.provides, ({ name, definition }) => {
    out.text(name)
    out.number(definition)
  })
  out.list(facts.grants, ({ to, definition }) => {
    out.number(to)
    out.number(definition)
  })
  out.text(facts.settings)
  return out.bytes()
}

/** Of a file that is known; what is left out has none. */
export function factsIn(bytes: Uint8Array | undefined): Facts | undefined {
  return bytes === undefined || bytes.length === 0 ? undefined : decodeFacts(bytes)
}

export function decodeFacts(bytes: Uint8Array): Facts {
  const from = new Reader(bytes)
  return {
    language: from.text(),
    scopes: from.list(
      (): Scope => ({
        parent: from.number(),
        kind: SCOPE_KINDS[from.number()] ?? 'block',
        owner: from.number(),
      }),
    ),
    definitions: from.list(() => readDefinition(from)),
    expressions: from.list(() => readExpression(from)),
    exports: from.list((): Export => ({ name: from.text(), of: from.number() })),
    comments: from.numbers(),
    mentions: from.list(() => readMention(from)),
    provides: from.list((): Provided => ({ name: from.text(), definition: from.number() })),
    grants: from.list((): Grant => ({ to: from.number(), definition: from.number() })),
    settings: from.text(),
  }
}

function readMention(from: Reader): Mention {
  const name = from.text()
  const start = from.start()
  const end = start + from.number()
  return { name, start, end, isMarked: from.number() === 1 }
}

function writeDefinition(out: Writer, it: Definition): void {
  out.text(it.name)
  out.number(DEFINITION_NUMBER.get(it.kind) ?? 0)
  out.number(it.scope)
  out.number(it.inner)
  out.number(it.owner)
  out.place(it.start, it.end)
  out.place(it.from, it.to)
  out.number(it.type)
  out.number(it.value)
  out.numbers(it.parameters)
  out.numbers(it.bases)
  out.number(it.traits)
}

function readDefinition(from: Reader): Definition {
  const name = from.text()
  const kind = DEFINITION_KINDS[from.number()] ?? 'label'
  const scope = from.number()
  const inner = from.number()
  const owner = from.number()
  const start = from.start()
  const end = start + from.number()
  const begin = from.start()
  const to = begin + from.number()
  const type = from.number()
  const value = from.number()
  const parameters = from.numbers()
  const bases = from.numbers()
  const traits = from.number()
  return {
    name,
    kind,
    scope,
    inner,
    owner,
    start,
    end,
    from: begin,
    to,
    type,
    value,
    parameters,
    bases,
    traits,
  }
}

function writeExpression(out: Writer, it: Expression): void {
  out.number(OP_NUMBER.get(it.op) ?? 0)
  out.text(it.name)
  out.number(it.of)
  out.numbers(it.list)
  out.number(it.scope)
  out.place(it.start, it.end)
  out.number(it.role)
}

function readExpression(from: Reader): Expression {
  const op = OPS[from.number()] ?? 'unknown'
  const name = from.text()
  const of = from.number()
  const list = from.numbers()
  const scope = from.number()
  const start = from.start()
  const end = start + from.number()
  const role = from.number()
  return { op, name, of, list, scope, start, end, role }
}

/** Where facts are written before their size is known: one file at a time, so one for all. */
let room = new Uint8Array(1 << 16)
const ENCODER = new TextEncoder()

/** Numbers from -1 up as varints, seven bits a byte; offsets as distances from the last one. */
class Writer {
  #buffer = room
  #at = 0
  #last = 0
  readonly #texts = new Map<string, number>()
  readonly #order: string[] = []

  number(value: number): void {
    let at = this.#at
    if (at + 8 > this.#buffer.length) this.#grow()
    const buffer = this.#buffer
    let rest = value + 1
    while (rest > 127) {
      buffer[at] = (rest & 127) | 128
      at += 1
      rest >>>= 7
    }
    buffer[at] = rest
    this.#at = at + 1
  }

  /** Offsets mostly grow, but not always: the sign goes to the lowest bit. */
  place(start: number, end: number): void {
    const step = start - this.#last
    this.number(step < 0 ? -step * 2 - 1 : step * 2)
    this.number(end - start)
    this.#last = start
  }

  text(value: string): void {
    let number = this.#texts.get(value)
    if (number === undefined) {
      number = this.#order.length
      this.#texts.set(value, number)
      this.#order.push(value)
    }
    this.number(number)
  }

  numbers(values: readonly number[]): void {
    this.number(values.length)
    for (const value of values) this.number(value)
  }

  list<T>(items: readonly T[], write: (item: T) => void): void {
    this.number(items.length)
    for (const item of items) write(item)
  }

  bytes(): Uint8Array {
    const texts = ENCODER.encode(JSON.stringify(this.#order))
    const whole = new Uint8Array(4 + texts.length + this.#at)
    new DataView(whole.buffer).setUint32(0, texts.length, true)
    whole.set(texts, 4)
    whole.set(this.#buffer.subarray(0, this.#at), 4 + texts.length)
    return whole
  }

  #grow(): void {
    const wider = new Uint8Array(this.#buffer.length * 2)
    wider.set(this.#buffer)
    this.#buffer = wider
    room = wider
  }
}

class Reader {
  readonly #bytes: Uint8Array
  readonly #texts: readonly string[]
  #at: number
  #last = 0

  constructor(bytes: Uint8Array) {
    const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true)
    this.#bytes = bytes
    this.#texts = JSON.parse(TEXT.decode(bytes.subarray(4, 4 + length)))
    this.#at = 4 + length
  }

  number(): number {
    const first = this.#bytes[this.#at] ?? 0
    this.#at += 1
    // Most numbers are small.
    return first < 128 ? first - 1 : this.#longer(first & 127)
  }

  #longer(low: number): number {
    let value = low
    for (let shift = 7; ; shift += 7) {
      const byte = this.#bytes[this.#at] ?? 0
      this.#at += 1
      value |= (byte & 127) << shift
      if (byte < 128) return value - 1
    }
  }

  /** Of a place; how long it is comes next. */
  start(): number {
    const coded = this.number()
    this.#last += (coded & 1) === 0 ? coded >> 1 : -((coded + 1) >> 1)
    return this.#last
  }

  text(): string {
    return this.#texts[this.number()] ?? ''
  }

  numbers(): readonly number[] {
    const count = this.number()
    if (count === 0) return NONE
    const values: number[] = []
    for (let at = 0; at < count; at += 1) values.push(this.number())
    return values
  }

  list<T>(read: () => T): readonly T[] {
    const count = this.number()
    const items: T[] = []
    for (let at = 0; at < count; at += 1) items.push(read())
    return items
  }
}

const NONE: readonly number[] = []
const TEXT = new TextDecoder()
