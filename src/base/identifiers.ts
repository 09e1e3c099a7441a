/** Words as people and programs write them, taken apart: `normalizeTitlePath`, `HTTPServer2`. */

/**
 * The parts of the compound words of a text, in order: normalize, Title, Path. A plain word has no
 * parts. The pattern finds the seams and the words are spelled out around them, which takes a
 * quarter of the time of a scan over all characters.
 */
export function compoundParts(text: string): readonly string[] {
  const parts: string[] = []
  let from = 0
  let wordEnd = 0
  // One pattern object for all texts: a new one for each would never get past the interpreter.
  SEAM.lastIndex = 0
  for (let match = SEAM.exec(text); match !== null; match = SEAM.exec(text)) {
    const at = match.index + 1
    if (at > wordEnd) {
      if (from < wordEnd) parts.push(text.slice(from, wordEnd))
      from = match.index
      while (from > 0 && isWordUnit(text.charCodeAt(from - 1))) from -= 1
      wordEnd = at
      while (wordEnd < text.length && isWordUnit(text.charCodeAt(wordEnd))) wordEnd += 1
    }
    parts.push(text.slice(from, at))
    from = at
    // A character can end one seam and begin the next: `a1b`.
    SEAM.lastIndex = at
  }
  if (from < wordEnd) parts.push(text.slice(from, wordEnd))
  return parts
}

/** The second character begins a part: `e|T`, `h|2`, `2|x`, and `P|Se` as in `HTTP|Server`. */
const SEAM = /[a-z][A-Z]|[A-Za-z][0-9]|[0-9][A-Za-z]|[A-Z][A-Z][a-z]/g

/** Letters and digits; beyond ASCII, whatever the alphabets with spaces use. */
function isWordUnit(unit: number): boolean {
  return (
    (unit >= 97 && unit <= 122) ||
    (unit >= 65 && unit <= 90) ||
    (unit >= 48 && unit <= 57) ||
    (unit >= 0xc0 && unit < 0x2000)
  )
}

const MAY_LACK_SPACES = /[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\ud840-\ud887]/

/** Scripts without spaces, as overlapping pairs of characters, so that a word inside can be found. */
export function unspacedPairs(text: string): readonly string[] {
  if (!MAY_LACK_SPACES.test(text)) return []
  // Made where it is needed, which is seldom: to make a pattern of scripts takes a millisecond.
  const runs = text.match(/[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}]{2,}/gu) ?? []
  return runs.flatMap((run) => {
    const characters = [...run]
    return characters.slice(1).map((character, at) => `${characters[at]}${character}`)
  })
}
