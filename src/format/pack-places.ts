/** What both ways of showing a pack say of an item's place and of what did not get in. */
import type {
  BudgetsResolved,
  Confidence,
  ContextItem,
  ExplainEnvelope,
  LineRange,
} from '../model/context-pack.ts'
import { markChanges } from './changed-text.ts'
import { type Block, blockText } from './pack-blocks.ts'
import { oneLine } from './pack-explain.ts'

/** Said where a reader should doubt what follows; empty otherwise. */
export function confidenceWords({ level, unknown }: Confidence): string {
  const names = unknown.slice(0, MOST_NAMED).map((it) => `\`${it}\``)
  const missing = names.length === 0 ? '' : `nothing found names ${names.join(' or ')}`
  if (level === 'low') return `Only weak matches${missing === '' ? '' : `: ${missing}`}.`
  return missing === '' ? '' : `${missing[0]?.toUpperCase() ?? ''}${missing.slice(1)}.`
}

const MOST_NAMED = 3

const LONGEST_NOTE = 200
const SHORT_SIGNATURE = 12

/** Enough to tell two states of an index apart. */
export function shortSignature(signature: string): string {
  return signature.slice(signature.indexOf(':') + 1).slice(0, SHORT_SIGNATURE)
}

/** A commit is known by its beginning. */
export function shownRepository(repoId: string): string {
  return repoId.replace(/^[0-9a-f]{40,64}(?=#|$)/, (commit) => commit.slice(0, SHORT_SIGNATURE))
}

/** Which lines a text begins with, and those of the whole where these are others. */
interface ShownLines {
  readonly shown: string
  readonly of: string
}

/** Of one item, or from the first to the last of several. */
export function blockPlace(block: Block): ShownLines {
  const [first] = block
  const last = block.at(-1)
  if (first === undefined || last === undefined) return { shown: '', of: '' }
  if (first === last) return itemLines(first)
  return { shown: lineRange({ start: first.lines.start, end: last.lines.end }), of: '' }
}

/** As it is printed. */
export function placedText(block: Block): string {
  const [first, ...others] = block
  if (first === undefined) return ''
  return others.length === 0 ? placedParts(first) : blockText(block)
}

function itemLines(item: ContextItem): ShownLines {
  const { parts } = item.excerpt
  const whole = lineRange(item.lines)
  const told = textParts(item) === undefined ? parts : parts.slice(0, 1)
  const shown = told.map(({ lines }) => lineRange(lines)).join(',')
  const isWhole = parts.length === 0 || (parts.length === 1 && shown === whole)
  return isWhole ? { shown: whole, of: '' } : { shown, of: whole }
}

/** Before each part but the first a line `@@ 30-36` says which lines follow, as in a diff. */
function placedParts(item: ContextItem): string {
  const parts = textParts(item)
  if (parts === undefined) return item.excerpt.text
  return parts
    .map(({ text, lines }, at) => {
      const shown = item.changes === undefined ? text : markChanges(text, lines, item.changes)
      return at === 0 ? shown : `@@ ${lineRange(lines)}\n${shown}`
    })
    .join('\n')
}

/** The text of each part; undefined where it cannot be told, as the text has such lines itself. */
function textParts(
  item: ContextItem,
): readonly { readonly text: string; readonly lines: LineRange }[] | undefined {
  const { text, parts } = item.excerpt
  const texts = text.split(BETWEEN)
  if (texts.length !== parts.length) return undefined
  return parts.map(({ lines }, at) => ({ text: texts[at] ?? '', lines }))
}

const BETWEEN = '\n⋯\n'

export function lineRange({ start, end }: LineRange): string {
  return start === end ? String(start) : `${start}-${end}`
}

export function tailNotes(
  budgets: BudgetsResolved,
  explain: ExplainEnvelope | undefined,
): readonly string[] {
  const clamped = budgets.clamped.map(
    ({ field, requested, applied }) => `${field} of ${requested} was reduced to ${applied}`,
  )
  return [...clamped, ...(explain?.notes ?? [])].map((note) => oneLine(note, LONGEST_NOTE))
}
