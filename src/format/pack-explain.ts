/** Why an item is in a pack: in half a line, and in full with `--explain`. */
import { ascending, descending, inOrder } from '../base/order.ts'
import { collapseSpaces, offsetAfter } from '../base/text.ts'
import type {
  ContextItem,
  EvidenceRef,
  PathStep,
  Rule,
  TermsOfItems,
} from '../model/context-pack.ts'
import { parseSymbol } from '../model/scip-symbol.ts'
import type { Block } from './pack-blocks.ts'
import type { Scoring } from './pack-text.ts'

/** What an item is to the other end of an edge, by the end that it stands at. */
const RELATIONS: Readonly<
  Record<PathStep['edgeType'], { readonly to: string; readonly from: string }>
> = {
  call: { to: 'called by', from: 'calls' },
  usage: { to: 'used by', from: 'uses' },
  import: { to: 'imported by', from: 'imports' },
  export: { to: 'exported by', from: 'exports' },
  dataflow: { to: 'gets data from', from: 'gives data to' },
  inherit: { to: 'extended by', from: 'extends' },
  mention: { to: 'mentioned by', from: 'mentions' },
  test: { to: 'tested by', from: 'tests' },
}

const RULE_WORDS: Readonly<Record<Rule, string>> = {
  seed: 'matches the question',
  focus: 'in focus',
  changed: 'changed',
  'call-neighbor': 'calls or is called',
  'usage-neighbor': 'uses or is used',
  'import-neighbor': 'imports or is imported',
  'export-neighbor': 'exports or is exported',
  'dataflow-neighbor': 'shares data',
  'test-neighbor': 'tests it',
  'doc-neighbor': 'documents it',
  'same-file-neighbor': 'same file as a hit',
  related: 'related',
}

/** Whole reasons as long as they fit; a reason is cut only where it is the first. */
const LONGEST_WHY = 130

/**
 * ``called by `parse` (src/a.ts:12)``, and what the item was found by. On one line; of several
 * items, all that is said of the best, then how the others relate; nothing twice.
 */
export function whyOf(block: Block): string {
  const [best, ...others] = block.length === 1 ? block : block.toSorted(BEST)
  const words = best === undefined ? [] : [...wordsOf(best), ...others.flatMap(lastStep)]
  let why = ''
  for (const reason of new Set(words)) {
    const longer =
      why === '' ? oneLine(reason, LONGEST_WHY) : `${why}; ${oneLine(reason, LONGEST_WHY)}`
    if (longer.length > LONGEST_WHY) break
    why = longer
  }
  return why
}

/** What is defined says more than the lines above it. */
const BEST = inOrder<ContextItem>(
  descending((it) => (it.symbolId === undefined ? 0 : 1)),
  descending((it) => it.scores.hybridScore),
)

function wordsOf(item: ContextItem): readonly string[] {
  const { path, reasons, rule } = item.why
  const hops = path.length > 1 ? [`${path.length} hops`] : []
  const words = [
    ...lastStep(item),
    ...hops,
    ...(rule === 'focus' ? [RULE_WORDS.focus] : []),
    // A relation says more than words; one of them shows what matched.
    ...(path.length === 0 ? reasons : reasons.slice(0, 1)),
  ]
  return words.length === 0 ? [RULE_WORDS[rule]] : words
}

/** The whole path with its evidence, and what the score is made of: nothing is cut off here. */
export function explainedLines(item: ContextItem, scoring?: Scoring): readonly string[] {
  const { path, evidence, rule } = item.why
  const { hybridScore, seedScore, graphDistance, evidenceScore } = item.scores
  const steps = path.map((step) => {
    const place = placeOf(evidence.find((it) => it.evidenceId === step.evidenceId))
    return `  path: ${symbolName(step.from)} -${step.edgeType}-> ${symbolName(step.to)}${place}`
  })
  const terms = scoring?.terms[item.chunkUid] ?? []
  const seedTerms = scoring?.seedTerms[item.chunkUid] ?? []
  const sum = seedTerms.reduce((total, it) => total + it.value, 0)
  // What was pointed at was not found, and its score is no power.
  const isPower = scoring?.seedProvider === 'hybrid' && rule !== 'focus'
  const power = isPower ? ` = e^${rounded(sum)}, ${rounded(sum)}` : ''
  const made = `(seed ${rounded(seedScore)}, distance ${graphDistance}, evidence ${rounded(evidenceScore)})`
  return [
    `  rule: ${rule}`,
    ...steps,
    `  score: ${rounded(hybridScore)} ${made}${terms.length === 0 ? '' : ` = ${sumOf(terms)}`}`,
    ...(seedTerms.length === 0
      ? []
      : [`  seed: ${rounded(seedScore)}${power} = ${sumOf(seedTerms)}`]),
  ].map((line) => `  ${withoutControls(line)}`)
}

type Terms = TermsOfItems[string]

/** Those that decide first; the small ones as one sum, where there are several. */
function sumOf(terms: Terms): string {
  const order = inOrder<Terms[number]>(
    descending((it) => Math.abs(it.value)),
    ascending((it) => it.name),
  )
  const small = terms.filter((it) => Math.abs(it.value) < SMALL)
  const named = small.length < 2 ? terms : terms.filter((it) => Math.abs(it.value) >= SMALL)
  const rest = small.reduce((total, it) => total + it.value, 0)
  return [
    ...named.toSorted(order).map(({ name, value }) => `${name} ${rounded(value)}`),
    ...(small.length < 2 ? [] : [`${small.length} smaller ${rounded(rest)}`]),
  ].join(' + ')
}

const SMALL = 0.1

function lastStep(item: ContextItem): readonly string[] {
  const step = item.why.path.at(-1)
  if (step === undefined) return []
  const end = endOf(item, step)
  const other = symbolName(end === 'to' ? step.from : step.to)
  const evidence = item.why.evidence.find((it) => it.evidenceId === step.evidenceId)
  const place = placeOf(evidence, item.fileRelPath)
  return [`${RELATIONS[step.edgeType][end]} \`${other}\`${place}`]
}

/** Where the item stands: not where the path came from, which is the other end. */
function endOf(item: ContextItem, step: PathStep): 'from' | 'to' {
  if (item.symbolId === step.to) return 'to'
  if (item.symbolId === step.from) return 'from'
  const evidence = item.why.evidence.find((it) => it.evidenceId === step.evidenceId)
  if (evidence !== undefined && holds(item, evidence)) return 'from'
  const before = item.why.path.at(-2)
  return before !== undefined && (before.from === step.to || before.to === step.to) ? 'from' : 'to'
}

/** Whether the place that supports an edge lies in the item, as it does where an edge begins. */
function holds({ fileRelPath, lines }: ContextItem, evidence: EvidenceRef): boolean {
  const { line } = evidence
  return evidence.fileRelPath === fileRelPath && lines.start <= line && line <= lines.end
}

function placeOf(evidence: EvidenceRef | undefined, here?: string): string {
  if (evidence === undefined || evidence.line === 0) return ''
  const { fileRelPath, line } = evidence
  return fileRelPath === here ? ` (line ${line})` : ` (${shownPath(fileRelPath)}:${line})`
}

/** `Router.add` of a symbol's id; the path of a file's. */
export function symbolName(id: string): string {
  const symbol = parseSymbol(id.replace(/^scip:/, ''))
  if (symbol === undefined || symbol.descriptors.length === 0) return oneLine(id, LONGEST_WHY)
  const names = symbol.descriptors.filter(({ kind }) => kind !== 'namespace')
  return names.length === 0
    ? shownPath(symbol.descriptors.map(({ name }) => name).join('/'))
    : oneLine(names.map(({ name }) => name).join('.'), LONGEST_WHY)
}

/** As it is; with quotes and escapes where it would break a line. */
export function shownPath(path: string): string {
  if (!CONTROL.test(path)) return path
  // JSON leaves some of them as they are.
  return JSON.stringify(path).replace(CONTROLS, (it) => `\\u${hex(it)}`)
}

function hex(character: string): string {
  return character.charCodeAt(0).toString(16).padStart(4, '0')
}

// oxlint-disable-next-line no-control-regex -- They are what must not get into a line.
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/
const CONTROLS = new RegExp(CONTROL, 'g')

/** Without control characters, and no longer than so many characters. */
export function oneLine(text: string, maxChars: number): string {
  // So much is enough, however long the text is and whatever falls away.
  const line = withoutControls(text.slice(0, maxChars * 8))
  const end = offsetAfter(line, 0, maxChars)
  return end === line.length
    ? line
    : `${line.slice(0, offsetAfter(line, 0, maxChars - 1)).trimEnd()}…`
}

function withoutControls(text: string): string {
  return collapseSpaces(text.replace(CONTROLS, ' '))
}

function rounded(value: number): string {
  return String(Number(value.toFixed(4)))
}
