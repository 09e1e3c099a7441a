/**
 * What a question asks for, without a model: words with weights, names as they are written, files
 * and lines that it points to, and which kinds of files it speaks of. Any text is a question, so
 * nothing in it is an error: a commit's message, an issue with a stack trace, a line of Chinese.
 */
import { codeForms, eachToken } from '../base/code-tokens.ts'
import { ascending, descending, inOrder } from '../base/order.ts'
import type { PathRole } from '../base/path-roles.ts'
import { isStopStem, isStopWord, stemOf } from '../base/words.ts'
import { isAboutCode, isSentenceWord } from './common-words.ts'
import { type SpelledName, spelledNames } from './spelled-names.ts'
import { relatedWords } from './synonyms.ts'
import { findTraceFrames, type TraceFrame } from './trace-frames.ts'

export interface Understood {
  /** To be looked up in the index, heaviest first. */
  readonly words: readonly WeightedWord[]
  /** Names of code, as they are written. */
  readonly identifiers: readonly string[]
  /** Words that may be names of definitions. */
  readonly names: readonly SpelledName[]
  readonly places: readonly MentionedPlace[]
  /** Of stack traces: functions with their places. */
  readonly frames: readonly TraceFrame[]
  /** What is quoted: messages, values, names. */
  readonly phrases: readonly string[]
  /** Whether it asks how something is done, as documentation says it. */
  readonly isHowTo: boolean
  /** Kinds of files that it speaks of. */
  readonly roles: ReadonlySet<PathRole>
}

export interface WeightedWord {
  readonly word: string
  readonly weight: number
  /** As the question says it, in lower case: `handling` for `handl`. */
  readonly said: string
}

/** A file, perhaps with a line, as a question writes it: relative to anything. */
export interface MentionedPlace {
  readonly path: string
  readonly line: number
  /** Whether the first line of the question names it: that one says what it is about. */
  readonly isFirst: boolean
}

/** How much a word counts; they multiply. */
export const QUERY_WEIGHTS = {
  /** On a later line: the first one says what it is about, as in a mail or a commit. */
  laterLine: 0.5,
  /** So many lines further down it counts half of that: what comes late is output and versions. */
  linesToHalf: 40,
  /** In a block of code or of output. */
  inBlock: 0.7,
  /** A name of code; a part of one. */
  name: 1.5,
  namePart: 0.5,
  /** A word as it stands, beside its stem. */
  exact: 0.5,
  /** A word about the change, not about what is changed; about code of any kind; of any sentence. */
  aside: 0.2,
  aboutCode: 0.5,
  sentence: 0.05,
  number: 0.3,
  /** What a second occurrence adds. */
  repeated: 0.3,
  related: 0.15,
  /** Two words of the question, written as one. */
  joined: 0.4,
} as const

/** More text than this tells no more of what is wanted. */
const MOST_TEXT = 20_000
const MOST_WORDS = 36
const MOST_JOINED = 16
const MOST_PLACES = 20
const MOST_PHRASES = 20
const MOST_IDENTIFIERS = 60

export function understood(query: string): Understood {
  const text = dropBoilerplate(withoutAsides(query.slice(0, MOST_TEXT)))
  const words = new Map<string, Said>()
  const joined = new Map<string, Said>()
  const identifiers = new Set<string>()
  const isShort = text.split(/\s+/, MOST_OF_SHORT + 1).length <= MOST_OF_SHORT
  for (const { line, weight } of weightedLines(text)) {
    let before = ''
    let beforeEnd = 0
    eachToken(line, { start: 0, end: line.length, isCode: false }, (start, end) => {
      const token = line.slice(start, end)
      if (isName(token)) identifiers.add(token)
      addForms(words, token, { weight, isShort })
      if (before !== '' && start - beforeEnd === 1) addJoined(joined, [before, token], weight)
      before = token
      beforeEnd = end
    })
  }
  addRelated(words)
  return {
    words: [...heaviest(words, MOST_WORDS), ...heaviest(joined, MOST_JOINED)],
    identifiers: [...identifiers].slice(0, MOST_IDENTIFIERS),
    names: spelledNames(text),
    places: mentionedPlaces(query.slice(0, MOST_TEXT)),
    frames: findTraceFrames(query.slice(0, MOST_TEXT)),
    phrases: quoted(text),
    isHowTo: HOW_TO.test(text),
    roles: rolesIn(text),
  }
}

/** Who signed it off, addresses, and numbers of issues: words that say nothing of the code. */
const TRAILER =
  /^[ \t]*(?:co-authored-by|signed-off-by|reviewed-by|reported-by|tested-by|acked-by|cc|change-id|pr-url|git-svn-id)[ \t]*:.*$/gim
const ADDRESS = /\bhttps?:\/\/[^\s<>"')\]]+/gi
const ISSUE_NUMBER = /\(?\B#\d+\b\)?/g

function withoutAsides(query: string): string {
  return withoutComments(query)
    .replace(TRAILER, '')
    .replace(ADDRESS, ' ')
    .replace(ISSUE_NUMBER, ' ')
}

/** Whole lines that every trace or every file has: they are not about what went wrong. */
const TRACE_HEADING =
  /^[ \t]*(?:traceback \(most recent call last\):|stack ?(?:trace|backtrace):?|(?:the above exception was the direct cause of|during handling of the above exception).*|goroutine \d+ \[.{0,40}\]:|\.\.\. \d+ more)[ \t]*$/gim
const FILE_COMMENT =
  /^[ \t]*(?:#!.*|(?:#|\/\/|\/\*+|\*|--|;+|%|<!--)[ \t]*(?:(?:frozen_string_literal|encoding|coding|typed|warn_indent)[ \t]*[:=]|-\*-|vim?:|eslint-|@ts-|prettier-|pylint:|noqa|spdx-|copyright\b|licen[sc]ed? (?:under|to)\b|all rights reserved|permission is hereby granted|redistribution and use|the above copyright).*)$/gim
/** `File "a.py", line 3, in f`: its path and its name are what it says. */
const FRAME = /\bFile (["'][^"'\n]{1,300}["']), line \d+(?:, in )?/g
/** The receiver of a method, as code writes it. */
const RECEIVER = /(?<![\w$])(?:self|cls)(?=\.|[ \t]*[,)])/g

function dropBoilerplate(text: string): string {
  return text
    .replace(TRACE_HEADING, '')
    .replace(FILE_COMMENT, '')
    .replace(FRAME, '$1 ')
    .replace(RECEIVER, ' ')
}

/** What the form of an issue says to who fills it in. */
function withoutComments(text: string): string {
  let kept = ''
  let from = 0
  for (let start = text.indexOf('<!--'); start >= 0; start = text.indexOf('<!--', from)) {
    const end = text.indexOf('-->', start)
    if (end < 0) break
    kept += text.slice(from, start)
    from = end + '-->'.length
  }
  return kept + text.slice(from)
}

interface WeightedLine {
  readonly line: string
  readonly weight: number
}

function weightedLines(text: string): readonly WeightedLine[] {
  const found: WeightedLine[] = []
  let isBlock = false
  for (const line of text.split(/\r\n|\r|\n/)) {
    if (/^\s*(?:```|~~~)/.test(line)) {
      isBlock = !isBlock
      continue
    }
    if (line.trim() === '') continue
    const block = isBlock ? QUERY_WEIGHTS.inBlock : 1
    found.push({ line, weight: placeWeight(found.length) * block })
  }
  return found
}

/** By the number of lines before it. */
function placeWeight(before: number): number {
  if (before === 0) return 1
  const { laterLine, linesToHalf } = QUERY_WEIGHTS
  return (laterLine * linesToHalf) / (linesToHalf + before - 1)
}

/** `camelCase`, `snake_case`, `HTTPServer`; not a word with a capital, nor one in capitals. */
function isName(token: string): boolean {
  return token.includes('_') || (/[a-z]/.test(token) && /[A-Z]/.test(token.slice(1)))
}

type Said = Omit<WeightedWord, 'word'>

interface TokenWeight {
  readonly weight: number
  /** Whether it is of a short question. */
  readonly isShort: boolean
}

function addForms(words: Map<string, Said>, token: string, { weight, isShort }: TokenWeight): void {
  if (isStopWord(token)) return
  const forms = codeForms(token)
  const aside = asideWeight(forms[0] ?? '', isShort)
  const isNamed = isName(token)
  // Of a sentence that is written without spaces, and of a name, each part says itself.
  const isWhole = forms.length <= 2 && !isNamed
  const lower = token.toLowerCase()
  for (const [at, word] of forms.entries()) {
    if (word.length < 2 || isStopWord(word) || (at > 0 && isStopStem(word))) continue
    const number = /^\d+$/.test(word) ? QUERY_WEIGHTS.number : 1
    const own = weight * aside * number * formWeight(isNamed, at, forms.length)
    const before = words.get(word)
    const more = Math.min(own, before?.weight ?? 0) * QUERY_WEIGHTS.repeated
    const said = before?.said ?? (isWhole || (isNamed && at === 0) ? lower : word)
    words.set(word, { weight: Math.max(own, before?.weight ?? 0) + more, said })
  }
}

function formWeight(isNamed: boolean, at: number, count: number): number {
  if (isNamed) return at === 0 ? QUERY_WEIGHTS.name : QUERY_WEIGHTS.namePart
  return count === 2 && at === 0 ? QUERY_WEIGHTS.exact : 1
}

/** Two words that are one name in code: "temp file" is `tempfile`, `tempFile` or `temp_file`. */
function addJoined(
  words: Map<string, Said>,
  [first, second]: readonly [string, string],
  weight: number,
): void {
  if (isStopWord(first) || isStopWord(second) || !isPlain(first) || !isPlain(second)) return
  const [left, right] = [first.toLowerCase(), second.toLowerCase()]
  const said = `${left} ${right}`
  for (const between of ['', '_']) {
    const word = codeForms(left + between + right)[0] ?? ''
    if (!words.has(word)) words.set(word, { weight: weight * QUERY_WEIGHTS.joined, said })
    const stemmed = stemOf(left + between + right)
    if (!words.has(stemmed)) words.set(stemmed, { weight: weight * QUERY_WEIGHTS.joined, said })
  }
}

function isPlain(token: string): boolean {
  return /^[A-Za-z][a-z]+$/.test(token)
}

function heaviest(words: ReadonlyMap<string, Said>, most: number): readonly WeightedWord[] {
  return [...words]
    .map(([word, { weight, said }]) => ({ word, weight, said }))
    .toSorted(
      inOrder(
        descending((it) => it.weight),
        ascending((it) => it.word),
      ),
    )
    .slice(0, most)
}

/** What people say in place of a word of the question, at a small weight. */
function addRelated(words: Map<string, Said>): void {
  const asked = new Map(words)
  for (const [word, { weight, said }] of asked) {
    // "Method" would lead to every function.
    if (isAboutCode(said)) continue
    for (const other of relatedWords(word)) {
      if (!words.has(other)) words.set(other, { weight: weight * QUERY_WEIGHTS.related, said })
    }
  }
}

/** A long text has enough other words to outweigh those about code in general; a short one has not. */
const MOST_OF_SHORT = 60

function asideWeight(word: string, isShort: boolean): number {
  if (isSentenceWord(word)) return QUERY_WEIGHTS.sentence
  if (ASIDES.has(word)) return QUERY_WEIGHTS.aside
  return isShort && isAboutCode(word) ? QUERY_WEIGHTS.aboutCode : 1
}

const ASIDES: ReadonlySet<string> = new Set(
  `add added adds fix fixed fixes fixing bug bugs issue issues feat feature chore refactor perf
   test tests docs doc ci build style update updates updated remove removed removes support supports
   make makes use uses using allow allows improve change changed changes when should not does
   instead also only work works working ensure avoid handle via into more some could would now new
   all any set`.split(/\s+/),
)

/** `src/a.ts:12`, `File "x/y.py", line 3`, `at f (lib/a.js:1:2)`, `parser.c`. */
// What it repeats is bounded, and a match begins where a name does: it takes linear time.
const PLACE =
  /(?<![\w.@~+-])((?:[\w.@~+-]{1,80}[\\/]){0,24}[\w.@+-]{0,80}\w\.[a-z]\w{0,7})(?:["'`]?(?:,? line |:|#L|\()(\d{1,7}))?/gi

function mentionedPlaces(text: string): readonly MentionedPlace[] {
  const found = new Map<string, MentionedPlace>()
  const end = text.length - text.trimStart().replace(/^.*/, '').length
  for (const match of text.matchAll(PLACE)) {
    const path = (match[1] ?? '').replaceAll('\\', '/').replace(/^(?:\.\.?\/)+/, '')
    const line = Number(match[2] ?? 0)
    const key = `${path}:${line}`
    if (!found.has(key)) found.set(key, { path, line, isFirst: match.index < end })
    if (found.size === MOST_PLACES) break
  }
  return [...found.values()]
}

const QUOTED = /"([^"\n]{3,120})"|“([^”\n]{3,120})”|`([^`\n]{2,120})`|'([^'\n]{3,120})'(?!\w)/g

function quoted(text: string): readonly string[] {
  const found = new Set<string>()
  for (const match of text.matchAll(QUOTED)) {
    found.add(match[1] ?? match[2] ?? match[3] ?? match[4] ?? '')
    if (found.size === MOST_PHRASES) break
  }
  return [...found]
}

const HOW_TO =
  /^\s*(?:(?:how (?:do|can|should|would|could|does) (?:i|we|you|one)|how to|what(?:'s| is) the (?:best |right )?way to|(?:where|when) (?:do|can|should) (?:i|we)|(?:can|should) (?:i|we)|is there (?:a|any) way)\b|how\b[^\n]{0,200}\?)/i

interface Spoken {
  readonly role: PathRole
  /** One of them is in whatever matches: to look for them takes no time, to compile a pattern does. */
  readonly signs: readonly string[]
  readonly pattern: RegExp
}

/** What the first line says outright: `docs: …`, "tests for …", "the changelog". */
const SPOKEN: readonly Spoken[] = [
  {
    role: 'test',
    signs: ['test'],
    pattern:
      /^\s*tests?\b\s*[:(/]|\b(?:unit |integration |e2e )?tests? (?:for|of|that|cover)|\btest coverage\b|\bhow is\b.*\btested\b/,
  },
  {
    role: 'docs',
    signs: ['doc', 'readme', 'tutorial'],
    pattern: /^\s*docs?\b\s*[:(/]|\b(?:documentation|readme|tutorial|docs page)\b/,
  },
  { role: 'log', signs: ['log', 'notes'], pattern: /\bchange-?log\b|\brelease notes\b/ },
  {
    role: 'settings',
    signs: ['ci', 'build', 'chore', 'file', 'action'],
    pattern:
      /^\s*(?:ci|build|chore)\b\s*[:(/]|\b(?:config(?:uration)? file|dockerfile|makefile|ci workflow|github action)s?\b/,
  },
  {
    role: 'support',
    signs: ['example', 'benchmark', 'demo', 'script'],
    pattern: /\b(?:examples?|benchmarks?|demos?|scripts?) (?:for|of|that)\b/,
  },
  {
    role: 'types',
    signs: ['typ', 'declaration', 'd.ts', '.pyi'],
    pattern: /\b(?:type|types|typings?|declaration|d\.ts|\.pyi)\b/,
  },
]

function rolesIn(text: string): ReadonlySet<PathRole> {
  const first = (text.split('\n', 1)[0] ?? '').toLowerCase()
  const spoken = SPOKEN.filter(
    ({ signs, pattern }) => signs.some((it) => first.includes(it)) && pattern.test(first),
  )
  return new Set(spoken.map((it) => it.role))
}
