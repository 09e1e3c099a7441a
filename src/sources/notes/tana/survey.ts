/**
 * The first pass over an export: finds the nodes, their positions in the file, and their owners.
 */
import { EngineError } from '../../../model/engine-error.ts'
import { describeFile } from './describe-file.ts'
import type { DiagnosticList } from './diagnostic-list.ts'
import { typeNumber } from './doc-types.ts'
import { ElementScanner } from './element-scanner.ts'
import { UNKNOWN } from './id-table.ts'
import { createNodeTableBuilder, type NodeTable, type NodeTableBuilder } from './node-table.ts'
import { extractReferences } from './plain-text.ts'
import { type RawDoc, readProps } from './raw-doc.ts'

export const EXPORT_HINT = 'give the JSON file that Tana writes with “Export workspace as JSON”'

export interface Survey {
  readonly table: NodeTable
  readonly seen: number
  readonly inlineReferences: number
}

export interface SurveyOptions {
  readonly file: number
  readonly path: string
  readonly blockBytes: number
  readonly trouble: DiagnosticList
}

/** Yields the number of bytes read from time to time, and returns the survey. */
export function* surveyExport(wish: SurveyOptions): Generator<number, Survey> {
  const scanner = new ElementScanner({ ...wish, array: 'docs', wrapper: 'storeData' })
  const nodes = createNodeTableBuilder()
  let seen = 0
  let inline = 0
  let told = 0
  while (scanner.next()) {
    const doc = parseDoc(scanner)
    seen += 1
    inline += addNode(nodes, { doc, scanner, trouble: wish.trouble })
    if (scanner.read - told < wish.blockBytes) continue
    yield scanner.read - told
    told = scanner.read
  }
  if (!scanner.foundArray) throw createNotAnExportError(wish)
  yield scanner.read - told
  return { table: nodes.finish(), seen, inlineReferences: inline }
}

function parseDoc(scanner: ElementScanner): RawDoc | undefined {
  const text = scanner.bytes.toString('utf8', scanner.start, scanner.end)
  try {
    const doc: unknown = JSON.parse(text)
    return typeof doc === 'object' && doc !== null ? doc : undefined
  } catch {
    throw scanner.invalid(scanner.offset, 'a node of `docs` is invalid')
  }
}

interface ScannedDoc {
  readonly doc: RawDoc | undefined
  readonly scanner: ElementScanner
  readonly trouble: DiagnosticList
}

/** The number of references inside its texts. */
function addNode(nodes: NodeTableBuilder, { doc, scanner, trouble }: ScannedDoc): number {
  if (typeof doc?.id !== 'string') {
    const message = `A node without an id, at byte ${scanner.offset}, was skipped`
    trouble.add({ code: 'unparsable', path: `byte ${scanner.offset}`, message })
    return 0
  }
  const number = nodes.ids.intern(doc.id)
  const props = readProps(doc)
  const inline = countReferences(props.name) + countReferences(props.description)
  if (nodes.has(number)) {
    const message = 'The export has this node more than once; the first one is used'
    trouble.add({ code: 'unparsable', path: doc.id, message })
    return inline
  }
  const numberOf = (id: unknown): number =>
    typeof id === 'string' && id !== '' ? nodes.ids.intern(id) : UNKNOWN
  nodes.add({
    number,
    type: typeNumber(props['_docType']),
    isWorded: hasText(props.name) || hasText(props.description),
    owner: numberOf(props['_ownerId']),
    meta: numberOf(props['_metaNodeId']),
    offset: scanner.offset,
    length: scanner.end - scanner.start,
    children: Array.isArray(doc.children) ? doc.children : [],
  })
  return inline
}

function countReferences(text: unknown): number {
  return typeof text === 'string' ? extractReferences(text).length : 0
}

function hasText(text: unknown): boolean {
  return typeof text === 'string' && /\S/.test(text)
}

function createNotAnExportError({ path, file }: SurveyOptions): EngineError {
  return new EngineError(
    'POC_E_SOURCE_INVALID',
    `${path} is not a Tana export: it is ${describeFile(file)}`,
    { hint: EXPORT_HINT },
  )
}
