/** Which words of a question are names of code, and how sure that is. */
import { isStopWord } from '../base/words.ts'

export interface SpelledName {
  /** As the question writes it. */
  readonly text: string
  readonly name: string
  /** `Client` of `Client.send`. */
  readonly qualifiers: readonly string[]
  /** The question is nothing else, it is written as code is, or it is a word of a sentence. */
  readonly kind: 'alone' | 'code' | 'word'
  readonly isAnyCase: boolean
  /** 1 on the first line, less further down. */
  readonly weight: number
}

const MOST_NAMES = 24
const LATER_LINE = 0.5
/** What is longer is data. */
const LONGEST_NAME = 120
/** The more a question says besides a name, the less it is about that name alone. */
const SHARE_POWER = 1.5

export function spelledNames(text: string): readonly SpelledName[] {
  const whole = text.trim().replace(QUOTES, '$1$2$3')
  if (whole.length <= LONGEST_NAME && ALONE.test(whole))
    return [nameOf(whole, { kind: 'alone', weight: 1 })]
  const found = new Map<string, SpelledName>()
  const content = new Set<string>()
  for (const [at, line] of text
    .split('\n')
    .filter((it) => it.trim() !== '')
    .entries()) {
    const weight = at === 0 ? 1 : LATER_LINE
    for (const match of line.matchAll(NAME)) {
      const [token] = match
      const isQuoted = line[match.index - 1] === '`' && line[match.index + token.length] === '`'
      const isCalled = line.startsWith('()', match.index + token.length)
      const isCode = isQuoted || isCalled || isWrittenAsCode(token)
      if (!isCode && (isStopWord(token) || isAboutCode(token))) continue
      content.add(token.toLowerCase())
      if (found.size === MOST_NAMES || token.length > LONGEST_NAME) continue
      if (!isCode && at > 0) continue
      const own = nameOf(token, { kind: isCode ? 'code' : 'word', weight })
      if (!found.has(own.text)) found.set(own.text, own)
    }
  }
  const share = 1 / Math.max(1, content.size) ** SHARE_POWER
  return [...found.values()].map((it) => ({ ...it, weight: it.weight * share }))
}

const QUOTES = /^(?:`([^`]*)`|"([^"]*)"|'([^']*)')$/
/** One word, perhaps qualified or called. */
const ALONE =
  /^[#@$]?[\p{L}_$][\p{L}\p{N}_$]*(?:(?:\.|::|#|->|\/)#?[\p{L}_$][\p{L}\p{N}_$]*[?!]?)*(?:\(\))?$/u
const NAME = /[\p{L}_$][\p{L}\p{N}_$]+(?:(?:\.|::|#|->)#?[\p{L}_$][\p{L}\p{N}_$]*)*/gu

function nameOf(text: string, { kind, weight }: Pick<SpelledName, 'kind' | 'weight'>): SpelledName {
  const parts = text
    .replace(/\(\)$/, '')
    .replace(/^[@$]/, '')
    .split(/\.|::|->|\/|(?<=[^.:/#])#/)
  const name = parts.at(-1) ?? text
  const isAnyCase = kind === 'alone'
  return { text, name, qualifiers: parts.slice(0, -1), kind, isAnyCase, weight }
}

/** `camelCase`, `snake_case`, `HTTPServer`, `a.b`, `A::b`; not a word with a capital. */
function isWrittenAsCode(token: string): boolean {
  return /[_$]|[.:#>]/.test(token) || (/[a-z]/.test(token) && /[A-Z]/.test(token.slice(1)))
}

function isAboutCode(token: string): boolean {
  return ABOUT_CODE.has(token.toLowerCase())
}

/** What people say about code of any kind: in a sentence, they name no definition. */
const ABOUT_CODE: ReadonlySet<string> = new Set(
  `about above add added adds after again all allow allows also always any api argument arguments
   attribute avoid back bad be because been before behavior behaviour being better between both break
   breaks broken bug bugs build call called caller callers calling calls cannot case cases cause causes
   change changed changes class classes clean cleanup code come comes correct could crash crashes create
   current data default defaults define deprecated did different doc docs document documentation does
   don done due each either else empty ensure error errors even every example exception existing expect
   expected extra fail failing fails failure false fast faster feat feature field fields file files
   first fix fixed fixes fixing folder found full function functions give given gives good handle
   handles happen happens have help here implement implementation improve in incorrect input inputs
   instead introduce invalid issue issues just know large last later less like line lines list logic
   long look looks loop made main major make makes making many may mean member message method methods
   minor missing mode module more most move much must name named names need needs never new next non
   nothing now null number object off old once one only option optional options other out output over
   package parameter parameters part pass passed passing people performance please possible prevent
   previous problem profiler proper properly property question raise raises reason refactor regression
   related release remove removed removes rename replace report result results return returned returns
   right run same second see seem set should show shows simple simplify since single slow some something
   sometimes specific start still stop string supposed support supported supports take takes tell test
   tests than thing third throw thrown throws time top true try turn twice two type types undefined
   unexpected unless unnecessary unused update updated updates upgrade use used user users uses using
   valid value values variable version via want warn warning warnings way well when while whole why
   without work worked working works would wrong yet you`.split(/\s+/),
)
