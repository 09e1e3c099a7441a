/** The first reading of an export: what there is, where in the file it is, and who owns whom. */
import { EngineError } from '../../../model/engine-error.ts'
import { typeNumber } from './doc-types.ts'
import { ElementScanner } from './element-scanner.ts'
import { UNKNOWN } from './id-table.ts'
import { looksLike } from './looks-like.ts'
import { type NodeTable, type NodeTableBuilder, nodeTableBuilder } from './node-table.ts'
import { inlineReferences } from './plain-text.ts'
import { propsOf, type RawDoc } from './raw-doc.ts'
import type { TroubleList } from './trouble-list.ts'

export const EXPORT_HINT = 'give the JSON file that Tana writes with “Export workspace as JSON”'

export interface Survey {
  readonly table: NodeTable
  readonly seen: number
  readonly inlineReferences: number
}

export interface SurveyWish {
  readonly file: number
  readonly path: string
  readonly blockBytes: number
  readonly trouble: TroubleList
}

/** Gives the bytes that were read, now and then, and in the end what there is. */
export function* survey(wish: SurveyWish): Generator<number, Survey> {
  const scanner = new ElementScanner({ ...wish, array: 'docs', wrapper: 'storeData' })
  const nodes = nodeTableBuilder()
  let seen = 0
  let inline = 0
  let told = 0
  while (scanner.next()) {
    const doc = parsed(scanner)
    seen += 1
    inline += added(nodes, { doc, scanner, trouble: wish.trouble })
    if (scanner.read - told < wish.blockBytes) continue
    yield scanner.read - told
    told = scanner.read
  }
  if (!scanner.met) throw notAnExport(wish)
  yield scanner.read - told
  return { table: nodes.finished(), seen, inlineReferences: inline }
}

function parsed(scanner: ElementScanner): RawDoc | undefined {
  const text = scanner.bytes.toString('utf8', scanner.start, scanner.end)
  try {
    const doc: unknown = JSON.parse(text)
    return typeof doc === 'object' && doc !== null ? doc : undefined
  } catch {
    throw scanner.invalid(scanner.offset, 'a node of `docs` cannot be read')
  }
}

interface Found {
  readonly doc: RawDoc | undefined
  readonly scanner: ElementScanner
  readonly trouble: TroubleList
}

/** The number of references inside its texts. */
function added(nodes: NodeTableBuilder, { doc, scanner, trouble }: Found): number {
  if (typeof doc?.id !== 'string') {
    const message = `A node without an id, at byte ${scanner.offset}, was passed over`
    trouble.note({ code: 'unparsable', path: `byte ${scanner.offset}`, message })
    return 0
  }
  const number = nodes.ids.intern(doc.id)
  const props = propsOf(doc)
  const inline = references(props.name) + references(props.description)
  if (nodes.has(number)) {
    const message = 'The export has this node more than once; the first one counts'
    trouble.note({ code: 'unparsable', path: doc.id, message })
    return inline
  }
  const numberOf = (id: unknown): number =>
    typeof id === 'string' && id !== '' ? nodes.ids.intern(id) : UNKNOWN
  nodes.add({
    number,
    type: typeNumber(props['_docType']),
    isWorded: isWorded(props.name) || isWorded(props.description),
    owner: numberOf(props['_ownerId']),
    meta: numberOf(props['_metaNodeId']),
    offset: scanner.offset,
    length: scanner.end - scanner.start,
    children: Array.isArray(doc.children) ? doc.children : [],
  })
  return inline
}

function references(text: unknown): number {
  return typeof text === 'string' ? inlineReferences(text).length : 0
}

function isWorded(text: unknown): boolean {
  return typeof text === 'string' && /\S/.test(text)
}

function notAnExport({ path, file }: SurveyWish): EngineError {
  return new EngineError(
    'POC_E_SOURCE_INVALID',
    `${path} is not a Tana export: it is ${looksLike(file)}`,
    { hint: EXPORT_HINT },
  )
}
