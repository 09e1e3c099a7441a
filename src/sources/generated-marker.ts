/**
 * Whether a file says of itself that a machine wrote it. Only what stands at the beginning of a
 * comment counts, near the top of the file and before its code: a comment or a document that speaks
 * about such markers has them in the middle of a sentence, and a program that writes them has them
 * in a text of its own. Pure; knows comments by how they open, and no language.
 */

/** The marker as it stands there, or undefined. */
export function generatedMarker(path: string, text: string): string | undefined {
  const head = text.slice(0, HEAD_CHARS)
  const said = readHeadComments(head, PROSE.test(path))
  const marker = said.find((words) => MARKERS.some((it) => it.test(words)))
  const found = marker ?? findTag(path, head, said)
  return found?.slice(0, MOST_QUOTED).trimEnd()
}

/**
 * The tag alone also silences linters in files that people write, so it counts only together with
 * the name of the file, words on how the file was made, or the attribute that generators write.
 */
function findTag(path: string, head: string, said: readonly string[]): string | undefined {
  const tag = said.find((words) => TAG.test(words))
  if (tag === undefined) return undefined
  const saysHow = said.some((words) => MADE_BY.test(words.replace(TAG, '')))
  return saysHow || GENERATED_PATH.test(path) || GENERATED_CODE.test(head) ? tag : undefined
}

/** The beginnings of sentences in the comments before the code. */
function readHeadComments(text: string, isProse: boolean): readonly string[] {
  const head = text.split(/\r?\n/, HEAD_LINES)
  const found: string[] = []
  let closing: string | undefined
  let before = ''
  for (const line of head) {
    const block = BLOCKS.find((it) => line.includes(it.opens) && (!isProse || it.inProse))
    const inBlock = closing !== undefined
    if (closing === undefined && block !== undefined) {
      const after = line.slice(line.indexOf(block.opens) + block.opens.length)
      if (!after.includes(block.closes)) closing = block.closes
    } else if (closing !== undefined && line.includes(closing)) closing = undefined
    const said = inBlock
      ? line
      : block !== undefined
        ? afterOpening(line, block.opens)
        : lineComment(line, isProse)
    if (said === undefined && !isProse && !OPENING.test(line)) break
    const words = said?.replace(DECORATION, '') ?? ''
    if (words !== '' && !goesOn(before, words)) found.push(words)
    before = words.trimEnd()
  }
  return found
}

/** Licences come first in many generated files, so ten lines would be too few. */
const HEAD_LINES = 40
const HEAD_CHARS = 2000
const MOST_QUOTED = 80

/** In these, `#` and `*` and `--` are headings, bullets and rules. */
const PROSE = /\.(?:md|mdx|markdown|rst|txt|adoc|org|html?)$/i

const BLOCKS = [
  { opens: '/*', closes: '*/', inProse: false },
  { opens: '<!--', closes: '-->', inProse: true },
  { opens: '"""', closes: '"""', inProse: false },
  { opens: "'''", closes: "'''", inProse: false },
  { opens: '{-', closes: '-}', inProse: false },
  { opens: '(*', closes: '*)', inProse: false },
] as const

/** What may stand before a header comment: blank lines, and what has to be first in a file. */
const OPENING =
  /^\s*(?:$|@|<[?!]|["']use strict["']|(?:declare|package|namespace|import|using|use|syntax)\b)/i

const LINE_COMMENT = /^\s*(?:\/\/|#|--|;|%|'|rem\b|@rem\b|dnl\b)(.*)$/i

function lineComment(line: string, isProse: boolean): string | undefined {
  return isProse ? undefined : LINE_COMMENT.exec(line)?.[1]
}

/** A block that opens after code or words is no header. */
function afterOpening(line: string, opens: string): string | undefined {
  const at = line.indexOf(opens)
  return line.slice(0, at).trim() === '' ? line.slice(at + opens.length) : undefined
}

const DECORATION = /^[\s*#/=!~;%-]+/

/** A line that was full when the sentence was not at its end. */
const FULL_LINE = 40
const UNFINISHED = /[\p{L},]$/u
const WITHIN_SENTENCE = /^\p{Ll}/u

/** Whether words go on with the sentence of the line before: then they are about something else. */
function goesOn(before: string, words: string): boolean {
  return before.length >= FULL_LINE && UNFINISHED.test(before) && WITHIN_SENTENCE.test(words)
}

const MARKERS: readonly RegExp[] = [
  /^@generated\b/,
  /^this (?:file|code) (?:is|was|has been) (?:automatically )?@generated\b/i,
  /^this (?:file|code|class|module) (?:is|was|has been) (?:auto-?|automatically )generated\b/i,
  /^(?:this (?:file|code) (?:is|was|has been) |code |auto-?|automatically )?generated (?:by|from|with|using|via|automatically|at|on)\b.*\bdo not (?:edit|modify)\b/i,
  /^(?:code |auto-?|automatically )?generated\W+do not (?:edit|modify)\b/i,
  /^(?:this is an? )?auto-?generated (?:file|code)\b/i,
  /^auto-?generated \w+ (?:start|begin)s? here\b/i,
  /^(?:this is a )?generated (?:file|code)\W+(?:please )?do not (?:edit|modify)\b/i,
  /^(?:please )?do not (?:edit|modify)\b.*\b(?:is|was) (?:auto-?|automatically )?generated\b/i,
]

const TAG = /^<\/?auto-?generated\b[^>]*>?/i
const MADE_BY =
  /\bgenerated (?:by|from|with|using|via)\b|\bregenerated?\b|\bdo not (?:edit|modify)\b|^changes to this file\b|\b(?:will|may) be (?:lost|overwritten)\b|^(?:\w+ )?tool\b/i
const GENERATED_PATH =
  /(?:^|\/)(?:auto-?)?generated\/|(?:[._](?:g|g\.i|gen|generated|designer)|ModelSnapshot)\.\w+$/i
const GENERATED_CODE = /\[(?:[\w.:]+[.:])?GeneratedCode(?:Attribute)?\(/
