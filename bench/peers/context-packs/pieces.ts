/**
 * Which lines of which files stand in the text that a tool printed. Only what is printed counts; a
 * tool that does not say which lines they are is helped by looking them up.
 */
import type { CheckoutText } from './checkout-text.ts'

export interface Place {
  readonly path: string
  readonly start: number
  readonly end: number
}

export type Reading = (text: string, checkout: CheckoutText) => readonly Place[]

/** `### path:3-9 of 1-20 · name`, a fence, and `@@ 12-15` before each further part. */
export function placesInOurs(text: string): readonly Place[] {
  const places: Place[] = []
  let item: { path: string; fence: string | undefined } | undefined
  let line = 0
  for (const row of text.split('\n')) {
    if (item?.fence === undefined) {
      const head = /^### (.+?):(\d+)(?:-\d+)?(?:,\S+)?(?: of \S+)?(?: · .*)?$/.exec(row)
      if (head !== null) {
        item = { path: head[1] ?? '', fence: undefined }
        line = Number(head[2])
      } else if (item !== undefined) item.fence = /^`{3,}/.exec(row)?.[0]
    } else if (row === item.fence) item = undefined
    else {
      const part = /^@@ (\d+)(?:-\d+)?$/.exec(row)
      if (part === null) {
        places.push({ path: item.path, start: line, end: line })
        line += 1
      } else line = Number(part[1])
    }
  }
  return places
}

/** `**`path`** — …`, a fence, and every line with its number before a tab. */
export function placesInExplore(text: string): readonly Place[] {
  const places: Place[] = []
  let path = ''
  for (const row of text.split('\n')) {
    const head = /^\*\*`([^`]+)`\*\*/.exec(row)
    if (head !== null) path = head[1] ?? ''
    const line = Number(/^(\d+)\t/.exec(row)?.[1] ?? 0)
    if (line > 0 && path !== '') places.push({ path, start: line, end: line })
  }
  return places
}

/** `#### name (path:29)`, and a fence with the lines from there on. */
export function placesInContext(text: string, checkout: CheckoutText): readonly Place[] {
  const places: Place[] = []
  let path = ''
  let from = 0
  let isInside = false
  for (const row of text.split('\n')) {
    const head = isInside ? null : /^#### .* \((.+):(\d+)\)$/.exec(row)
    if (head !== null) {
      path = head[1] ?? ''
      from = Number(head[2])
    } else if (row.startsWith('```') && path !== '') {
      // A fence in the code itself looks the same; the next line of the file tells.
      const isCode = isInside && lineAfter(checkout.lines(path), from, row) !== undefined
      if (!isCode) {
        if (isInside) path = ''
        isInside = !isInside
      }
    } else if (isInside) {
      const line = lineAfter(checkout.lines(path), from, row)
      if (line === undefined) continue
      places.push({ path, start: line, end: line })
      from = line + 1
    }
  }
  return places
}

/** What is cut out in the middle is no longer than this. */
const LONGEST_GAP = 400

/** The number of the next line that reads so, but for space around it; from 1. */
function lineAfter(lines: readonly string[], from: number, row: string): number | undefined {
  const wanted = row.trim()
  // An empty line is found everywhere, so it has to be the very next.
  const last = wanted === '' ? from : Math.min(lines.length, from + LONGEST_GAP)
  for (let line = from; line <= last; line += 1) if (lines[line - 1]?.trim() === wanted) return line
  return undefined
}

/** `## path`, a fence, and a signature per line, most with `:12-30` behind it. */
export interface Signature {
  readonly path: string
  readonly text: string
  readonly range: { readonly start: number; readonly end: number } | undefined
}

export function signaturesIn(text: string): readonly Signature[] {
  const signatures: Signature[] = []
  let path = ''
  for (const row of text.split('\n')) {
    const head = /^## (\S.*)$/.exec(row)
    if (head !== null) path = head[1] ?? ''
    else if (path !== '' && row !== '' && !row.startsWith('```') && !row.startsWith('# module:')) {
      const [, start, end] = / {2}:(\d+)(?:-(\d+))?(?: {2}|$)/.exec(row) ?? []
      const range =
        start === undefined ? undefined : { start: Number(start), end: Number(end ?? start) }
      signatures.push({ path, text: row.replace(/ {2}(?:[:#]).*$/, '').trim(), range })
    }
  }
  return signatures
}

/** The first line of what has the signature; without a number, the line that has its beginning. */
export function placesInSignatures(text: string, checkout: CheckoutText): readonly Place[] {
  return signaturesIn(text).flatMap(({ path, text: signature, range }) => {
    const line = range?.start ?? lineWith(checkout.lines(path), signature)
    return line === undefined ? [] : [{ path, start: line, end: line }]
  })
}

function lineWith(lines: readonly string[], signature: string): number | undefined {
  const beginning = bare(signature.replace(/\s*→.*$/, '').replace(/\).*$/, ''))
  const at = beginning === '' ? -1 : lines.findIndex((line) => bare(line).includes(beginning))
  return at < 0 ? undefined : at + 1
}

function bare(text: string): string {
  return text.replaceAll(/\s+/g, '')
}
