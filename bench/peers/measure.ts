/** What is counted of each splitter, over the same documents. */
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import type { Document } from './documents.ts'
import { type FenceScan, isInFence, scanFences } from './fences.ts'
import { headingTruth, samePath } from './heading-truth.ts'
import { locate, type Place } from './locate.ts'
import { lostCharacters } from './lost-characters.ts'
import { type Squeezed, squeeze, squeezed } from './squeezed.ts'
import type { Piece, Tool } from './tools.ts'

/** A document with all that the pieces are judged by. */
export interface Subject extends Document {
  readonly squeezed: Squeezed
  readonly fences: FenceScan
  readonly pathAt: (offset: number) => readonly string[]
}

export interface Counts {
  readonly pieces: number
  /**
   * Pieces that begin inside a code fence without opening one of their own, or end inside one.
   * Documents with a fence that never closes are left out.
   */
  readonly brokenFences: number
  readonly oversized: number
  readonly characters: number
  readonly lost: number
  /** Pieces that stand under a heading, or claim to. */
  readonly underHeading: number
  readonly pathKept: number
  /** Pieces with a text that their document does not have. */
  readonly unlocated: number
}

/** A piece that failed, for `--verbose`. */
export type Complain = (what: string, path: string, piece: string) => void

export function subjectOf(document: Document): Subject {
  return {
    ...document,
    squeezed: squeezed(document.text),
    fences: scanFences(document.text),
    pathAt: headingTruth(document.text),
  }
}

export async function measure(
  tool: Tool,
  subjects: readonly Subject[],
  complain: Complain,
): Promise<Counts> {
  const total = { ...NOTHING }
  for (const subject of subjects) {
    const counts = judge(tool, { subject, pieces: await tool.split(subject.text) }, complain)
    for (const key of COUNTED) total[key] += counts[key]
  }
  return total
}

const NOTHING = {
  pieces: 0,
  brokenFences: 0,
  oversized: 0,
  characters: 0,
  lost: 0,
  underHeading: 0,
  pathKept: 0,
  unlocated: 0,
}
const COUNTED = Object.keys(NOTHING) as (keyof Counts)[]

interface Result {
  readonly subject: Subject
  readonly pieces: readonly Piece[]
}

function judge(tool: Tool, { subject, pieces }: Result, complain: Complain): Counts {
  const places = locate(
    subject.squeezed,
    pieces.map((it) => it.text),
  )
  const paths = pieces.map((piece, at) => pathVerdict(subject, piece, places[at]))
  const broken = pieces.filter((piece, at) => isBroken(subject, piece, places[at]))
  const oversized = pieces.filter((piece) => isOversized(tool, piece.text))
  const lost = lostCharacters(subject.squeezed.text, squeeze(pieces.map((it) => it.text).join('')))
  for (const piece of broken) complain('broken fence', subject.path, piece.text)
  for (const piece of oversized) complain('oversized', subject.path, piece.text)
  pieces.forEach((piece, at) => {
    if (paths[at] === 'wrong') complain(`path ${piece.path?.join(' > ')}`, subject.path, piece.text)
    if (places[at] === undefined) complain('not located', subject.path, piece.text)
  })
  if (lost > 0) complain(`${lost} characters lost`, subject.path, '')
  return {
    pieces: pieces.length,
    brokenFences: broken.length,
    oversized: oversized.length,
    characters: subject.squeezed.text.length,
    lost,
    underHeading: paths.filter((it) => it !== 'none').length,
    pathKept: paths.filter((it) => it === 'kept').length,
    unlocated: places.filter((it) => it === undefined).length,
  }
}

/**
 * A piece has to be whole Markdown on its own. One that begins in the middle of code is broken
 * whatever follows; of the others, the scanner says whether they end in the middle of code.
 */
function isBroken(subject: Subject, piece: Piece, place: Place | undefined): boolean {
  if (subject.fences.endsOpen) return false
  if (place !== undefined && !place.isReopened && isInFence(subject.fences, place.offset)) {
    return true
  }
  return scanFences(piece.text).endsOpen
}

/**
 * The project's tokenizer counts long words in bounded steps and may be off by a token or two.
 * Here the exact count decides, which takes too long only for texts that are over in any case.
 */
function isOversized(tool: Tool, text: string): boolean {
  const { max, size } = tool.limit
  const counted = size(text)
  if (counted > 2 * max || max !== TOKEN_LIMIT) return counted > max
  return countTokens(text, { disallowedSpecial: new Set<string>() }) > max
}

const TOKEN_LIMIT = 512

/** By the headings in force at the piece's first character, its own heading included. */
function pathVerdict(
  subject: Subject,
  piece: Piece,
  place: Place | undefined,
): 'kept' | 'wrong' | 'none' {
  const claimed = piece.path ?? []
  const truth = place === undefined ? [] : subject.pathAt(place.offset)
  if (truth.length === 0 && claimed.length === 0) return 'none'
  return place !== undefined && samePath(truth, claimed) ? 'kept' : 'wrong'
}
