/**
 * Reads the documents of a SCIP index (`index.scip`) one at a time. Knows the messages of
 * scip.proto and nothing of what is done with them, nor of the files they speak of.
 *
 * The index is checked from end to end for being cut off before the first document is given out. A
 * file that was cut exactly between two documents cannot be told from a whole one: the format does
 * not say how many there are.
 */
import {
  SCIP_ROLE,
  type ScipDocument,
  type ScipMetadata,
  type ScipOccurrence,
  type ScipRange,
  type ScipRelationship,
  type ScipSymbol,
} from '../../model/scip-document.ts'
import { isLocal } from '../../model/scip-symbol.ts'
import { choosePositionEncoding } from './offsets.ts'
import { createInvalidIndexError, decodeText, MessageReader } from './protobuf.ts'

/** At most one document is decoded at a time. Throws an EngineError if this is not a SCIP index. */
export function* readScip(bytes: Uint8Array): Generator<ScipDocument, void, undefined> {
  const { toolName } = readScipMetadata(bytes)
  const index = new MessageReader(bytes)
  for (let field = index.next(); field !== 0; field = index.next()) {
    if (field === INDEX.documents) yield readDocument(index.message(), toolName)
    else index.skip()
  }
}

/** A document that is not decoded yet. */
export interface EncodedDocument {
  readonly path: string
  open(): ScipDocument
  /** Global symbols that the document defines, found without decoding all of it. */
  defined(): readonly string[]
}

/** For random access to some of the documents: nothing is decoded. */
export function* findDocuments(bytes: Uint8Array): Generator<EncodedDocument, void, undefined> {
  const { toolName } = readScipMetadata(bytes)
  const index = new MessageReader(bytes)
  for (let field = index.next(); field !== 0; field = index.next()) {
    if (field !== INDEX.documents) {
      index.skip()
      continue
    }
    const packed = index.bytes()
    yield {
      path: readPath(new MessageReader(packed)),
      open: () => readDocument(new MessageReader(packed), toolName),
      defined: () => readDefined(new MessageReader(packed)),
    }
  }
}

/** Symbols that are defined outside of the index. */
export function* readExternalSymbols(bytes: Uint8Array): Generator<ScipSymbol, void, undefined> {
  readScipMetadata(bytes)
  const index = new MessageReader(bytes)
  for (let field = index.next(); field !== 0; field = index.next()) {
    if (field === INDEX.externalSymbols) yield readSymbol(index.message())
    else index.skip()
  }
}

export function readScipMetadata(bytes: Uint8Array): ScipMetadata {
  let metadata: ScipMetadata | undefined
  const index = new MessageReader(bytes)
  for (let field = index.next(); field !== 0; field = index.next()) {
    // Concatenated indexes are valid; the first metadata applies to all.
    if (field === INDEX.metadata && metadata === undefined) metadata = readMetadata(index.message())
    else index.skip()
  }
  if (metadata === undefined) throw createInvalidIndexError('it has no metadata')
  return metadata
}

const INDEX = { metadata: 1, documents: 2, externalSymbols: 3 } as const

function readMetadata(fields: MessageReader): ScipMetadata {
  let projectRoot = ''
  let tool = { name: '', version: '' }
  let textEncoding = 0
  for (let field = fields.next(); field !== 0; field = fields.next()) {
    if (field === 2) tool = readTool(fields.message())
    else if (field === 3) projectRoot = fields.string()
    else if (field === 4) textEncoding = fields.int32()
    else fields.skip()
  }
  return {
    projectRoot,
    toolName: tool.name,
    toolVersion: tool.version,
    textEncoding: textEncoding === 1 ? 'utf-8' : textEncoding === 2 ? 'utf-16' : 'unspecified',
  }
}

function readTool(fields: MessageReader): { readonly name: string; readonly version: string } {
  let name = ''
  let version = ''
  for (let field = fields.next(); field !== 0; field = fields.next()) {
    if (field === 1) name = fields.string()
    else if (field === 2) version = fields.string()
    else fields.skip()
  }
  return { name, version }
}

function readPath(fields: MessageReader): string {
  let path = ''
  for (let field = fields.next(); field !== 0; field = fields.next()) {
    if (field === 1) path = fields.string()
    else fields.skip()
  }
  if (path === '') throw createInvalidIndexError('a document has no path')
  return useForwardSlashes(path)
}

function readDefined(fields: MessageReader): readonly string[] {
  const found = new Set<string>()
  for (let field = fields.next(); field !== 0; field = fields.next()) {
    if (field !== 2) {
      fields.skip()
      continue
    }
    const symbol = readDefinedSymbol(fields.message())
    if (symbol !== '' && !isLocal(symbol)) found.add(symbol)
  }
  return [...found]
}

/** The symbol of an occurrence, if that is its definition. Few are: the others stay bytes. */
function readDefinedSymbol(fields: MessageReader): string {
  let symbol: Uint8Array = NO_BYTES
  let roles = 0
  for (let field = fields.next(); field !== 0; field = fields.next()) {
    if (field === 2) symbol = fields.bytes()
    else if (field === 3) roles = fields.int32()
    else fields.skip()
  }
  return (roles & SCIP_ROLE.Definition) === 0 ? '' : decodeText(symbol)
}

const NO_BYTES = new Uint8Array()

function readDocument(fields: MessageReader, toolName: string): ScipDocument {
  let path = ''
  let language = ''
  let text = ''
  let encoding = 0
  const symbols: ScipSymbol[] = []
  const occurrences: ScipOccurrence[] = []
  for (let field = fields.next(); field !== 0; field = fields.next()) {
    if (field === 1) path = fields.string()
    else if (field === 2) occurrences.push(readOccurrence(fields.message()))
    else if (field === 3) symbols.push(readSymbol(fields.message()))
    else if (field === 4) language = fields.string()
    else if (field === 5) text = fields.string()
    else if (field === 6) encoding = fields.int32()
    else fields.skip()
  }
  if (path === '') throw createInvalidIndexError('a document has no path')
  const document = {
    path: useForwardSlashes(path),
    language,
    positionEncoding: choosePositionEncoding(encoding, toolName),
    symbols,
    occurrences,
  }
  // An empty text and an absent one have the same encoding.
  return text === '' ? document : { ...document, text }
}

/** SCIP asks for slashes, but scip-typescript writes what Windows gives it. */
function useForwardSlashes(path: string): string {
  return path.includes('/') ? path : path.replaceAll('\\', '/')
}

function readSymbol(fields: MessageReader): ScipSymbol {
  let symbol = ''
  let kind = 0
  let displayName = ''
  let enclosingSymbol = ''
  const documentation: string[] = []
  const relationships: ScipRelationship[] = []
  for (let field = fields.next(); field !== 0; field = fields.next()) {
    if (field === 1) symbol = fields.string()
    else if (field === 3) documentation.push(fields.string())
    else if (field === 4) relationships.push(readRelationship(fields.message()))
    else if (field === 5) kind = fields.int32()
    else if (field === 6) displayName = fields.string()
    else if (field === 8) enclosingSymbol = fields.string()
    else fields.skip()
  }
  return { symbol, kind, displayName, documentation, relationships, enclosingSymbol }
}

function readRelationship(fields: MessageReader): ScipRelationship {
  let symbol = ''
  let isReference = false
  let isImplementation = false
  let isTypeDefinition = false
  let isDefinition = false
  for (let field = fields.next(); field !== 0; field = fields.next()) {
    if (field === 1) symbol = fields.string()
    else if (field === 2) isReference = fields.bool()
    else if (field === 3) isImplementation = fields.bool()
    else if (field === 4) isTypeDefinition = fields.bool()
    else if (field === 5) isDefinition = fields.bool()
    else fields.skip()
  }
  return { symbol, isReference, isImplementation, isTypeDefinition, isDefinition }
}

/** Ranges come as lists of numbers, or since 2026 as messages, which win where both are there. */
function readOccurrence(fields: MessageReader): ScipOccurrence {
  let symbol = ''
  let roles = 0
  let typedRange: ScipRange | undefined
  let typedEnclosingRange: ScipRange | undefined
  const range: number[] = []
  const enclosingRange: number[] = []
  for (let field = fields.next(); field !== 0; field = fields.next()) {
    if (field === 1) fields.int32s(range)
    else if (field === 2) symbol = fields.string()
    else if (field === 3) roles = fields.int32()
    else if (field === 7) fields.int32s(enclosingRange)
    else if (field === 8) typedRange = readTypedRange(fields.message(), 3)
    else if (field === 9) typedRange = readTypedRange(fields.message(), 4)
    else if (field === 10) typedEnclosingRange = readTypedRange(fields.message(), 3)
    else if (field === 11) typedEnclosingRange = readTypedRange(fields.message(), 4)
    else fields.skip()
  }
  const occurrence = { range: typedRange ?? toRange(range), symbol, roles }
  const enclosing =
    typedEnclosingRange ?? (enclosingRange.length === 0 ? undefined : toRange(enclosingRange))
  return enclosing === undefined ? occurrence : { ...occurrence, enclosingRange: enclosing }
}

/** Both messages have their numbers in the order of the lists, as fields 1 to 3 or 1 to 4. */
function readTypedRange(fields: MessageReader, count: 3 | 4): ScipRange {
  const numbers = Array.from({ length: count }, () => 0)
  for (let field = fields.next(); field !== 0; field = fields.next()) {
    if (field <= count) numbers[field - 1] = fields.int32()
    else fields.skip()
  }
  return toRange(numbers)
}

/** Three numbers are a range on one line. */
function toRange(numbers: readonly number[]): ScipRange {
  const [startLine = 0, startCharacter = 0, third = 0, fourth] = numbers
  if (numbers.length < 3 || numbers.length > 4) {
    throw createInvalidIndexError(`a range has ${numbers.length} numbers instead of 3 or 4`)
  }
  return fourth === undefined
    ? { startLine, startCharacter, endLine: startLine, endCharacter: third }
    : { startLine, startCharacter, endLine: third, endCharacter: fourth }
}
