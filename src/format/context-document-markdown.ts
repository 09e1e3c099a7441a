/**
 * A context document as Markdown that is read from top to bottom: what was asked for, then the other
 * notes by score, each with how it was reached and with the lines that belong to it, and at the end
 * the names of what else there is. Nothing is said twice.
 */
import { ascending, inOrder } from '../base/order.ts'
import { collapseSpaces, counted } from '../base/text.ts'
import type {
  ContextDocument,
  ContextMeta,
  ContextNode,
  OverflowSummary,
} from '../model/context-document.ts'
import type { NoteCandidate } from '../model/note-candidate.ts'
import { howWords, labelWords } from './context-document-words.ts'
import { tagWords } from './note-outline.ts'
import { grouped, inline, LIST_MARK, linesIn, titleOf, under } from './note-text.ts'

export interface MarkdownView {
  /** By id: at least those of all nodes of the document. */
  readonly candidates: ReadonlyMap<string, NoteCandidate>
  /** By the id of a source that is not shown: who says the same, and has what hangs on it. */
  readonly twins: ReadonlyMap<string, string>
  readonly depth: number
  /** Notes that were found and are not even named. */
  readonly unlisted: number
  /** Those of the document that are not said elsewhere in the text. */
  readonly warnings: readonly string[]
}

const LONGEST_QUERY = 120

export function contextMarkdown(document: ContextDocument, view: MarkdownView): string {
  const outline = outlineOf(document.nodes, view)
  const sources = document.nodes.filter((node) => node.distance === 0)
  const text = [
    headOf(document.meta, view),
    ...sources.map((it) => sectionOf(it, SOURCE_LEVEL, outline)),
    // Below one source, what follows belongs to it; below several, to none of them alone.
    sources.length > 1 && outline.sections.length > 0 ? '## Related\n\n' : '',
    ...outline.sections.map((it) => sectionOf(it, NOTE_LEVEL, outline)),
    alsoRelated(document, view),
  ].join('')
  return `${text.trimEnd()}\n`
}

const SOURCE_LEVEL = 2
const NOTE_LEVEL = 3

/** What one more note adds to the text, wherever it will stand. */
export function markdownNode(node: ContextNode, view: MarkdownView): string {
  const candidate = view.candidates.get(node.id)
  if (!isLine(node, candidate)) {
    return sectionText(node, node.distance === 0 ? SOURCE_LEVEL : NOTE_LEVEL, candidate)
  }
  const label = labelOf(candidate, true)
  return bulletText(node, { indent: Math.max(0, node.distance - 1), label })
}

export function markdownLine({ name, tags, score }: OverflowSummary): string {
  return `- ${inline(name)}${tagWords({ name, tags })} · ${score.toFixed(2)}\n`
}

function headOf(meta: ContextMeta, view: MarkdownView): string {
  const { lens, workspace, backend, embedder, tokens } = meta
  const { used, budget, nodesIncluded, nodesSummarized } = tokens
  const about = [
    `${lens} lens`,
    `depth ${view.depth}`,
    `workspace ${workspace} (${backend})`,
    ...(embedder === undefined ? [] : [`vectors of ${embedder}`]),
    `${used} of ${budget} tokens`,
    ...(nodesIncluded > 0 || nodesSummarized === 0 ? [counted(nodesIncluded, 'note')] : []),
    ...(nodesSummarized === 0
      ? []
      : [`${nodesSummarized} ${nodesIncluded > 0 ? 'more ' : ''}by name`]),
  ]
  const title = `# Context: ${titleOf(meta.query, LONGEST_QUERY)}\n\n`
  return [title, `${about.join(' · ')}\n\n`, ...view.warnings.map((it) => `> ${it}\n\n`)].join('')
}

interface Outline {
  readonly nodes: ReadonlyMap<string, ContextNode>
  readonly candidates: MarkdownView['candidates']
  /** Notes with something to say, in the order of the document. */
  readonly sections: readonly ContextNode[]
  /** Lines by the note that they hang on. */
  readonly lines: ReadonlyMap<string, readonly HungLine[]>
}

interface HungLine {
  readonly node: ContextNode
  readonly label: string
  readonly order: number
}

function outlineOf(nodes: readonly ContextNode[], { candidates, twins }: MarkdownView): Outline {
  const shown = new Set(nodes.map((it) => it.id))
  const sections: ContextNode[] = []
  const lines = new Map<string, HungLine[]>()
  for (const node of nodes) {
    if (node.distance === 0) continue
    const candidate = candidates.get(node.id)
    const way = node.path.map(({ from }, at) => (at === 0 ? (twins.get(from) ?? from) : from))
    const hook = way.findLast((id) => shown.has(id))
    if (isLine(node, candidate) && hook !== undefined) {
      const label = labelOf(candidate, hook === way.at(-1))
      added(lines, hook, { node, label, order: candidate?.order ?? 0 })
    } else {
      sections.push(node)
    }
  }
  const ordered = [...lines].map(([id, all]) => [id, all.toSorted(LINE_ORDER)] as const)
  const byId = new Map(nodes.map((it) => [it.id, it]))
  return { nodes: byId, candidates, sections, lines: new Map(ordered) }
}

const LINE_ORDER = inOrder<HungLine>(
  ascending((it) => it.order),
  ascending((it) => it.node.id),
)

function added<T>(lists: Map<string, T[]>, key: string, item: T): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [item])
  else list.push(item)
}

function isLine(node: ContextNode, candidate: NoteCandidate | undefined): boolean {
  return node.distance > 0 && candidate?.isPlain === true
}

function sectionOf(node: ContextNode, level: number, outline: Outline): string {
  const bullets = bulletsUnder(node.id, 0, outline)
  const text = sectionText(node, level, outline.candidates.get(node.id))
  if (bullets === '') return text
  // They go on with the list that the content ends with.
  const isList = LIST_MARK.test(node.content.slice(node.content.lastIndexOf('\n') + 1))
  return `${isList ? text.slice(0, -1) : text}${bullets}\n`
}

function sectionText(node: ContextNode, level: number, candidate?: NoteCandidate): string {
  const { crumbs = [], steps = [] } = candidate ?? {}
  const place = crumbs.map((it) => titleOf(it, LONGEST_CRUMB)).join(' › ')
  const about = [howWords(steps), place === '' ? '' : `in ${place}`, node.score.toFixed(2)]
  const parts = [
    `${'#'.repeat(level)} ${headingOf(node)}${tagWords(node)}`,
    `*${about.filter((it) => it !== '').join(' · ')}*`,
    fieldWords(node.fields ?? {}),
    under(node.content, NOTE_LEVEL, node.name),
  ]
  return parts
    .filter((it) => it !== '')
    .map((it) => `${it}\n\n`)
    .join('')
}

const LONGEST_CRUMB = 40

/** A fence that begins with the name says it better. */
function headingOf({ name, content }: ContextNode): string {
  const code = FENCED.exec(content)?.[1]
  const begins = code !== undefined && collapseSpaces(code).startsWith(name.replace(/…$/, ''))
  return begins ? 'Code' : inline(name)
}

const FENCED = /^(?:`{3,}|~{3,})[^\n]*\n([^]*)/

function bulletsUnder(id: string, indent: number, outline: Outline): string {
  const lines = outline.lines.get(id) ?? []
  const said = linesIn(outline.nodes.get(id)?.content ?? '')
  return lines
    .map(({ node, label }) => {
      const below = bulletsUnder(node.id, indent + 1, outline)
      const isSaid = label === '' && below === '' && said.has(node.name)
      return isSaid ? '' : bulletText(node, { indent, label }) + below
    })
    .join('')
}

/** A long name stands in full in the content, and the name is only its beginning. */
function bulletText(
  { name, content }: ContextNode,
  { indent, label }: { readonly indent: number; readonly label: string },
): string {
  const text = inline(content === '' ? name : content)
  return `${'  '.repeat(indent)}- ${label === '' ? '' : `*${label}:* `}${text}\n`
}

/** Where it does not stand beneath what it hangs on, that is named. */
function labelOf(candidate: NoteCandidate | undefined, isBeneath: boolean): string {
  const step = candidate?.steps.at(-1)
  if (step === undefined) return ''
  return isBeneath ? labelWords(step) : howWords([step])
}

function fieldWords(fields: NonNullable<ContextNode['fields']>): string {
  return Object.entries(fields)
    .map(([name, value]) => {
      const values = typeof value === 'string' ? [value] : value
      return `**${inline(name)}** ${values.map(inline).join(', ')}`
    })
    .join(' · ')
}

function alsoRelated({ nodes, overflow }: ContextDocument, { unlisted }: MarkdownView): string {
  if (overflow.length === 0 && unlisted === 0) return ''
  const more = unlisted === 0 ? '' : `- and ${grouped(unlisted)} more\n`
  const title = nodes.length === 0 ? 'Found' : 'Also related'
  return `## ${title}\n\n${overflow.map(markdownLine).join('')}${more}`
}
