/**
 * The parts of a pack as tags, the way that some models like their documents best. The text of an
 * item is raw, so that code stays code; only what could be taken for one of our tags is escaped.
 * Everything else is in attributes, or between tags, where all of it is escaped.
 */

import type { Impact } from '../model/impact.ts'
import type { PackChanges } from '../model/pack-changes.ts'
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
import type { PackHead, PackParts, PackTail, PartsOptions, SectionTail } from './pack-text.ts'

export function xmlParts(options: PartsOptions): PackParts {
  return {
    head: xmlHead,
    overview: (pack) =>
      overviewLines(pack)
        .map((line) => `<relation>${escaped(line)}</relation>\n`)
        .join(''),
    sectionHead: ({ type }) => `<section${attributes({ type })}>\n`,
    block: (items) => xmlBlock(items, options),
    sectionTail: xmlOmitted,
    tail: xmlTail,
  }
}

const LONGEST = 200

function xmlHead({ request, indexSignature, confidence, changes, impact }: PackHead): string {
  const { query, repoId, intent } = request
  return `<context${attributes({
    query: oneLine(query, LONGEST),
    repo: oneLine(shownRepository(repoId), LONGEST),
    intent,
    index: shortSignature(indexSignature),
    confidence: confidence.level,
    notice: confidenceWords(confidence),
    diff: oneLine(changes?.source ?? '', LONGEST),
  })}>\n${changes === undefined ? '' : xmlChanges(changes)}${impact === undefined ? '' : xmlImpact(impact)}`
}

function xmlChanges(changes: PackChanges): string {
  return `<changes>\n${changesLines(changes).map(escaped).join('\n')}\n</changes>\n`
}

function xmlImpact(impact: Impact): string {
  return `<impact>\n${impactLines(impact).map(escaped).join('\n')}\n</impact>\n`
}

function xmlBlock(block: Block, options: PartsOptions): string {
  const [item] = block
  if (item === undefined) return ''
  const isTitle = item.excerpt.level === 'title'
  const { shown: lines, of } = blockPlace(block)
  const symbols = block.flatMap((it) => (it.symbolId === undefined ? [] : symbolName(it.symbolId)))
  const tag = `<item${attributes({
    path: shownPath(item.fileRelPath),
    lines,
    of,
    symbol: isTitle ? '' : oneLine([...new Set(symbols)].join(', '), LONGEST),
    title: isTitle ? oneLine(item.title, LONGEST) : '',
    why: whyOf(block),
  })}`
  const isExplained = options.explained === true
  const explained = isExplained ? block.flatMap((it) => explainedLines(it, options.scoring)) : []
  return [
    ...(isTitle ? [`${tag}/>`] : [`${tag}>`, rawText(placedText(block)), '</item>']),
    ...(explained.length === 0 ? [] : ['<explain>', ...explained.map(escaped), '</explain>']),
    '',
  ].join('\n')
}

/** One of our names behind `<`, in any case, with a slash, spaces or invisible signs between. */
const LIKE_TAG = String.raw`[\s\p{C}]*(?:/[\s\p{C}]*)?(?:context|changes|relation|section|item|explain|impact|omitted|pointer|note)(?!\w)`
const OPENING = new RegExp(`<(?=${LIKE_TAG})`, 'giu')
/** What the text itself has escaped so, which would otherwise be read back as a tag. */
const ESCAPED = new RegExp(`&(?=(?:amp;)*lt;${LIKE_TAG})`, 'giu')

/** No text opens or closes a tag, and the text can be had back: see FORMAT.md. */
function rawText(text: string): string {
  return text.replaceAll(ESCAPED, '&amp;').replaceAll(OPENING, '&lt;')
}

function xmlOmitted({ omitted }: SectionTail): string {
  const counts = omitted.filter(({ count }) => count > 0)
  const said = Object.fromEntries(counts.map(({ reason, count }) => [reason, String(count)]))
  return counts.length === 0 ? '</section>\n' : `<omitted${attributes(said)}/>\n</section>\n`
}

function xmlTail(tail: PackTail): string {
  const named = tail.pointers.map((item) => {
    const said = {
      path: shownPath(item.fileRelPath),
      lines: lineRange(item.lines),
      symbol: item.symbolId === undefined ? '' : symbolName(item.symbolId),
      why: whyOf([item]),
    }
    return `<pointer${attributes(said)}/>\n`
  })
  const notes = tailNotes(tail.budgets, tail.explain).map(
    (note) => `<note>${escaped(note)}</note>\n`,
  )
  return [...named, ...notes, '</context>\n'].join('')
}

/** Those that are not empty, in the order given. */
function attributes(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => ` ${name}="${escaped(value).replaceAll('"', '&quot;')}"`)
    .join('')
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
