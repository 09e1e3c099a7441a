/**
 * Porter's stemmer (1980), so that `searching`, `searches` and `searched` are one term. The same
 * algorithm as SQLite's, by the published steps; words that are not plain a–z stay as they are.
 */
export function stem(word: string): string {
  if (word.length < 3 || !/^[a-z]+$/.test(word)) return word
  return step5(step4(step3(step2(step1c(step1b(step1a(word)))))))
}

/**
 * How every word begins that has this stem: all that the steps put in place of an ending are letters
 * of it, except for a last `e` or `i`, and for the `l` in which `-bility` becomes `-ble`.
 */
export function stemStart(stemmed: string): string {
  return stemmed.replace(/(?<=b)le?$|[ei]$/, '')
}

const CONSONANT = '(?:[^aeiouy]|(?<![^aeiouy]|^)y|^y)'
const VOWEL = '(?:[aeiou]|(?<=[^aeiouy])y)'
const MEASURE_1 = new RegExp(`^${CONSONANT}*${VOWEL}+${CONSONANT}+`)
const MEASURE_2 = new RegExp(`^${CONSONANT}*(?:${VOWEL}+${CONSONANT}+){2}`)
const EXACTLY_1 = new RegExp(`^${CONSONANT}*${VOWEL}+${CONSONANT}+${VOWEL}*$`)
const HAS_VOWEL = new RegExp(VOWEL)
const ENDS_CVC = /[^aeiouy][aeiouy][^aeiouwxy]$/
const DOUBLE = /([^aeiouylsz])\1$/

function step1a(word: string): string {
  if (word.endsWith('sses')) return word.slice(0, -2)
  if (word.endsWith('ies')) return word.slice(0, -2)
  if (word.endsWith('ss')) return word
  return word.endsWith('s') ? word.slice(0, -1) : word
}

function step1b(word: string): string {
  if (word.endsWith('eed')) return MEASURE_1.test(word.slice(0, -3)) ? word.slice(0, -1) : word
  const ending = /(?:ed|ing)$/.exec(word)?.[0]
  if (ending === undefined) return word
  const rest = word.slice(0, -ending.length)
  if (!HAS_VOWEL.test(rest)) return word
  if (/(?:at|bl|iz)$/.test(rest)) return `${rest}e`
  if (DOUBLE.test(rest)) return rest.slice(0, -1)
  return EXACTLY_1.test(rest) && ENDS_CVC.test(rest) ? `${rest}e` : rest
}

function step1c(word: string): string {
  return word.endsWith('y') && HAS_VOWEL.test(word.slice(0, -1)) ? `${word.slice(0, -1)}i` : word
}

/** By the last letter, which most words do not share with any of them. */
type Suffixes = ReadonlyMap<string, readonly Suffix[]>

interface Suffix {
  readonly text: string
  readonly other: string
}

const STEP_2 = suffixes([
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['izer', 'ize'],
  ['logi', 'log'],
  ['bli', 'ble'],
  ['alli', 'al'],
  ['entli', 'ent'],
  ['eli', 'e'],
  ['ousli', 'ous'],
  ['ization', 'ize'],
  ['ation', 'ate'],
  ['ator', 'ate'],
  ['alism', 'al'],
  ['iveness', 'ive'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['aliti', 'al'],
  ['iviti', 'ive'],
  ['biliti', 'ble'],
])
const STEP_3 = suffixes([
  ['icate', 'ic'],
  ['ative', ''],
  ['alize', 'al'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ful', ''],
  ['ness', ''],
])

function suffixes(list: readonly (readonly [string, string])[]): Suffixes {
  return Map.groupBy(
    list.map(([text, other]) => ({ text, other })),
    ({ text }) => text.slice(-1),
  )
}

function step2(word: string): string {
  return replaceSuffix(word, STEP_2)
}

function step3(word: string): string {
  return replaceSuffix(word, STEP_3)
}

function replaceSuffix(word: string, byLastLetter: Suffixes): string {
  for (const { text, other } of byLastLetter.get(word.slice(-1)) ?? []) {
    if (!word.endsWith(text)) continue
    const rest = word.slice(0, -text.length)
    return MEASURE_1.test(rest) ? rest + other : word
  }
  return word
}

const STEP_4 =
  /(?:al|ance|ence|er|ic|able|ible|ant|ement|ment|ent|(?<=[st])ion|ou|ism|ate|iti|ous|ive|ize)$/

function step4(word: string): string {
  const ending = STEP_4.exec(word)?.[0]
  if (ending === undefined) return word
  const rest = word.slice(0, -ending.length)
  return MEASURE_2.test(rest) ? rest : word
}

function step5(word: string): string {
  let result = word
  if (result.endsWith('e')) {
    const rest = result.slice(0, -1)
    if (MEASURE_2.test(rest) || (EXACTLY_1.test(rest) && !ENDS_CVC.test(rest))) result = rest
  }
  return result.endsWith('ll') && MEASURE_2.test(result) ? result.slice(0, -1) : result
}
