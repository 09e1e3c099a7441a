/**
 * Where the positions of a SCIP document are in a text. A position that the text does not have
 * (a line or a character too far, or inside a character) is undefined: the text is another one
 * than the indexer saw. Knows nothing of symbols.
 */
import { lineTable } from '../../base/line-table.ts'
import type { PositionEncoding, ScipRange } from '../../model/scip-document.ts'

export interface TextRange {
  readonly start: number
  readonly end: number
}

export interface ScipOffsets {
  /** Line and character count from 0. The answer is in UTF-16 units, as JavaScript counts. */
  offset(line: number, character: number): number | undefined
  range(range: ScipRange): TextRange | undefined
}

/** Fastest for positions that are asked for in the order of the text. */
export function createScipOffsets(text: string, encoding: PositionEncoding): ScipOffsets {
  const lines = lineTable(text)
  const hasEmptyLastLine = lines.end(lines.count) < text.length
  const inLine =
    encoding === 'utf-16' || !NON_ASCII.test(text)
      ? createUnitCounter(text)
      : createWidthCounter(text, CHARACTER_WIDTH[encoding])
  const offset = (line: number, character: number): number | undefined => {
    if (line < 0 || character < 0) return undefined
    if (line < lines.count) {
      return inLine(character, { start: lines.start(line + 1), end: lines.end(line + 1) })
    }
    // The end of a file that ends with a line feed is the start of a line that the table leaves out.
    return line === lines.count && character === 0 && hasEmptyLastLine ? text.length : undefined
  }
  return {
    offset,
    range: (range) => {
      const start = offset(range.startLine, range.startCharacter)
      const end = offset(range.endLine, range.endCharacter)
      return start === undefined || end === undefined || end < start ? undefined : { start, end }
    },
  }
}

/**
 * What a document's characters count. Older indexers leave it open, and then it is what the
 * indexer's own language counts in a string, so its name decides; SCIP's own rule for new indexers
 * is the same. `text_document_encoding` cannot say: it is UTF-8 for scip-typescript, which counts
 * UTF-16 units. Indexers that we do not know are taken to count as the language server protocol
 * does. A wrong guess matters on lines beyond ASCII only, and there it shows as a stale document.
 */
export function choosePositionEncoding(declared: number, toolName: string): PositionEncoding {
  return DECLARED_ENCODING.get(declared) ?? (BYTE_COUNTING_TOOLS.has(toolName) ? 'utf-8' : 'utf-16')
}

const DECLARED_ENCODING: ReadonlyMap<number, PositionEncoding> = new Map([
  [1, 'utf-8'],
  [2, 'utf-16'],
  [3, 'utf-32'],
])

/** Written in Go, Rust, C++ and PHP. Those for TypeScript, Python, Java, C# and Dart are not. */
const BYTE_COUNTING_TOOLS: ReadonlySet<string> = new Set([
  'lsif-go',
  'rust-analyzer',
  'scip-clang',
  'scip-go',
  'scip-php',
  'scip-ruby',
  'scip-syntax',
])

const NON_ASCII = /[^\0-\x7f]/

const CHARACTER_WIDTH = {
  'utf-8': (point: number): number =>
    point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x1_0000 ? 3 : 4,
  'utf-32': (): number => 1,
} as const

type ColumnToOffset = (character: number, line: TextRange) => number | undefined

function createUnitCounter(text: string): ColumnToOffset {
  return (character, line) => {
    const at = line.start + character
    return at > line.end || isInsidePair(text, at) ? undefined : at
  }
}

function isInsidePair(text: string, at: number): boolean {
  return (text.codePointAt(at - 1) ?? 0) > 0xffff
}

/** Goes on from where the last position was, if it can: lines of minified code are very long. */
function createWidthCounter(text: string, width: (point: number) => number): ColumnToOffset {
  let lineStart = -1
  let at = 0
  let passed = 0
  return (character, line) => {
    if (line.start !== lineStart || character < passed) {
      lineStart = line.start
      at = line.start
      passed = 0
    }
    while (passed < character && at < line.end) {
      const point = text.codePointAt(at) ?? 0
      passed += width(point)
      at += point > 0xffff ? 2 : 1
    }
    return passed === character ? at : undefined
  }
}
