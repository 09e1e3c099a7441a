/**
 * The bones of a text: its headings, the first sentence of each paragraph, and of its code the
 * lines that declare something.
 */
import { fenceAfter, type OpenFence } from './fences.ts'

const HEADING = /^ {0,3}#{1,6}(?:\s|$)/
const UNDERLINE = /^ {0,3}(?:=+|-+)\s*$/
const LIST_ITEM = /^\s*(?:[-+*]|\d{1,9}[.)])\s/
/** Bullets and numbers at the start of a line, of which `1.` and `a.` end no sentence. */
const MARKERS = /^(?:\s*(?:[-+*]|\d{1,9}[.)]|[A-Za-z][.)])(?=\s))*/
/** Declarations of the usual languages; a line of code that is none of these is left out. */
const MODIFIERS =
  'export|default|public|private|protected|internal|static|final|abstract|async|pub|unsafe|open|override|sealed|data|inline|virtual|declare'
const DECLARATIONS =
  'function\\*?|class|interface|type|enum|struct|trait|impl|module|mod|namespace|def|fn|func|fun|const|let|var|val|record|object|protocol|extension|package|CREATE TABLE|CREATE INDEX'
const SIGNATURE = new RegExp(`^\\s*(?:(?:${MODIFIERS})\\s+)*(?:${DECLARATIONS})(?=[\\s({<:]|$)`)

export function skeleton(text: string): string {
  const kept: string[] = []
  let fence: OpenFence | undefined
  let code: string[] = []
  let paragraph: string[] = []
  const endParagraph = (): void => {
    if (paragraph.length > 0) kept.push(firstSentence(paragraph))
    paragraph = []
  }
  const endCode = (): void => {
    const signatures = code.filter((line) => SIGNATURE.test(line))
    // A block without any declaration is shown by its first line.
    kept.push(...(signatures.length > 0 ? signatures : code.slice(0, 1)))
    code = []
  }
  const lines = text.split(/\r\n|\r|\n/)
  for (const line of lines) {
    const before = fence
    fence = fenceAfter(line, before)
    if (fence !== undefined && before === undefined) {
      endParagraph()
      kept.push(line)
    } else if (fence !== undefined) {
      if (line.trim() !== '') code.push(line)
    } else if (before !== undefined) {
      endCode()
      kept.push(line)
    } else if (line.trim() === '') {
      endParagraph()
    } else if (HEADING.test(line)) {
      endParagraph()
      kept.push(line)
    } else if (UNDERLINE.test(line) && paragraph.length > 0) {
      kept.push(...paragraph, line)
      paragraph = []
    } else {
      if (LIST_ITEM.test(line)) endParagraph()
      paragraph.push(line)
    }
  }
  endParagraph()
  if (fence !== undefined) {
    endCode()
    kept.push(fence.indent + fence.marker)
  }
  return kept.join('\n')
}

const LONGEST_SENTENCE = 240

/** Up to the first full stop, however many lines that takes, but no more than a few. */
function firstSentence(paragraph: readonly string[]): string {
  const whole = paragraph.map((line, at) => (at === 0 ? line.trimEnd() : line.trim())).join(' ')
  const head = whole.slice(0, LONGEST_SENTENCE)
  const start = MARKERS.exec(head)?.[0].length ?? 0
  const end = /[.!?](?=\s|$)/.exec(head.slice(start))
  if (end !== null) return head.slice(0, start + end.index + 1)
  return head.length < whole.length ? `${head.trimEnd()}…` : whole
}
