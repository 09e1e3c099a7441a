/** The parts of a pack as Markdown, for people and prompts. Every token here is one less for code. */
import { type ContextItem, DROP_REASONS, type DropReason } from '../model/context-pack.ts'
import { impactLines } from './impact-lines.ts'
import type { Block } from './pack-blocks.ts'
import { changesLines } from './pack-changes.ts'
import { explainedLines, oneLine, shownPath, symbolName, whyOf } from './pack-explain.ts'
import { overviewLines } from './pack-overview.ts'
import {
  blockPlace,
  confidenceWords,
  lineRange,
  placedText,
  shortSignature,
  shownRepository,
  tailNotes,
} from './pack-places.ts'
import type { PackHead, PackParts, PackTail, PartsOptions } from './pack-text.ts'

export function markdownParts(options: PartsOptions): PackParts {
  return {
    head: markdownHead,
    overview: (pack) =>
      overviewLines(pack)
        .map((line) => `${line}\n`)
        .join(''),
    sectionHead: ({ title }) => `## ${oneLine(title, LONGEST_TITLE)}\n`,
    block: (items) => markdownBlock(items, options),
    // What is not shown is counted once, at the end: a line for each section costs as much as code.
    sectionTail: () => '',
    tail: markdownTail,
  }
}

const LONGEST_QUERY = 120
const LONGEST_TITLE = 120
const LONGEST_NAME = 80

function markdownHead({ request, indexSignature, confidence, changes, impact }: PackHead): string {
  const { query, repoId, intent } = request
  const about = [
    oneLine(shownRepository(repoId), LONGEST_QUERY),
    intent,
    `index ${shortSignature(indexSignature)}`,
  ]
  const sure = confidenceWords(confidence)
  const title =
    changes === undefined ? 'Context' : `Changes in ${oneLine(changes.source, LONGEST_QUERY)}`
  const subject = [title, oneLine(query, LONGEST_QUERY)].filter((it) => it !== '').join(': ')
  const lines = [
    `# ${changes === undefined ? `${title}: ${oneLine(query, LONGEST_QUERY)}` : subject}`,
    about.join(' · '),
    ...(sure === '' ? [] : [sure]),
    ...(changes === undefined ? [] : changesLines(changes)),
    ...(impact === undefined ? [] : ['## Impact', ...impactLines(impact)]),
  ]
  return `${lines.join('\n')}\n`
}

function markdownBlock(block: Block, options: PartsOptions): string {
  const [item] = block
  if (item === undefined) return ''
  const isExplained = options.explained === true
  const explained = isExplained ? block.flatMap((it) => explainedLines(it, options.scoring)) : []
  const { shown, of } = blockPlace(block)
  const place = `${shownPath(item.fileRelPath)}:${shown}${of === '' ? '' : ` of ${of}`}`
  const why = whyOf(block)
  if (item.excerpt.level === 'title') {
    const title = oneLine(item.title, LONGEST_TITLE)
    return `${[`- ${place} · ${title} · ${why}`, ...explained].join('\n')}\n`
  }
  const names = [...new Set(block.map(nameOf).filter((it) => it !== ''))]
  const name = names.length > 1 ? oneLine(names.join(', '), LONGEST_NAME) : names.join('')
  const text = placedText(block)
  const fence = fenceFor(text)
  const isPlain = item.languageId === 'plain'
  const language = item.changes !== undefined ? 'diff' : isPlain ? '' : item.languageId
  return `${[
    name === '' ? `### ${place}` : `### ${place} · ${name}`,
    `why: ${why}`,
    ...explained,
    fence + language,
    text,
    fence,
  ].join('\n')}\n`
}

/** The text says the signature; the head says only what it may not. */
function nameOf(item: ContextItem): string {
  if (item.symbolId !== undefined) return symbolName(item.symbolId)
  const title = oneLine(item.title, LONGEST_NAME)
  return item.excerpt.text.includes(title.replace(/…$/, '')) ? '' : title
}

/** Longer than any run of backticks inside. */
function fenceFor(text: string): string {
  let longest = 2
  for (const [run] of text.matchAll(/`{3,}/g)) longest = Math.max(longest, run.length)
  return '`'.repeat(longest + 1)
}

const REASON_WORDS: Readonly<Record<DropReason, string>> = {
  budget: 'less likely',
  noEvidence: 'without evidence',
  duplicate: 'duplicates',
  unsupported: 'unsupported',
  secret: 'with credentials',
}

function omittedLine({ sections }: PackTail): string {
  const counts = new Map<DropReason, number>()
  for (const { reason, count } of sections.flatMap((it) => it.omitted)) {
    counts.set(reason, (counts.get(reason) ?? 0) + count)
  }
  const words = DROP_REASONS.filter((it) => (counts.get(it) ?? 0) > 0).map(
    (it) => `${counts.get(it) ?? 0} ${REASON_WORDS[it]}`,
  )
  return words.length === 0 ? '' : `Not shown: ${words.join(', ')}\n`
}

function markdownTail(tail: PackTail): string {
  const notes = tailNotes(tail.budgets, tail.explain).map((note) => `Note: ${note}\n`)
  return [...pointerLines(tail), omittedLine(tail), ...notes].join('')
}

/** One line each: an agent can open a file by itself. */
function pointerLines({ pointers }: PackTail): readonly string[] {
  if (pointers.length === 0) return []
  return [
    '## Also possible\n',
    ...pointers.map((item) => {
      const name = nameOf(item)
      const place = `${shownPath(item.fileRelPath)}:${lineRange(item.lines)}`
      const why = oneLine(whyOf([item]), LONGEST_REASON)
      return `- ${place}${name === '' ? '' : ` ${name}`} · ${why}\n`
    }),
  ]
}

const LONGEST_REASON = 60
