/**
 * Chunk ids as docs/FORMAT.md describes them, from nothing but what a pack says of its chunks. Must
 * not use a function of the program: that anybody can write this is what is tested.
 */
import { createHash } from 'node:crypto'
import type { DocsPack } from '../../src/model/docs-pack.ts'

/** The ids of all chunks, in the order of the pack. */
export function recomputedIds(pack: DocsPack): readonly string[] {
  const taken = new Set<string>()
  return pack.chunks.map((chunk, at) => {
    const doc = pack.index[at]?.doc ?? ''
    const lines = [doc, pathOf(chunk.title_path), sha('sha256', bodyOf(chunk))]
    let id = idOf(doc, lines)
    for (let ordinal = 2; taken.has(id); ordinal += 1) id = idOf(doc, [...lines, String(ordinal)])
    taken.add(id)
    return id
  })
}

function idOf(doc: string, lines: readonly string[]): string {
  return `${doc}:${sha('sha1', lines.join('\n')).slice(0, 10)}`
}

export function pathOf(titles: readonly string[]): string {
  return titles.map((it) => it.trim().replace(/\s+/g, ' ').toLowerCase()).join('\u001f')
}

export function bodyOf(chunk: DocsPack['chunks'][number]): string {
  let lines: string[] = chunk.text.split(/\r\n|\r|\n/)
  const hasHeading = chunk.heading_level > 0 && (chunk.part ?? 1) === 1
  if (hasHeading) lines = lines.slice(headingLines(lines))
  while (lines[0]?.trim() === '') lines.shift()
  while (lines.at(-1)?.trim() === '') lines.pop()
  return lines.filter((line, at) => line !== '' || lines[at - 1] !== '').join('\n')
}

/** `# Title` is one line; a title that is underlined goes on to its underline. */
function headingLines(lines: readonly string[]): number {
  if (/^ {0,3}#{1,6}(?:[ \t]|$)/.test(lines[0] ?? '')) return 1
  const underline = lines.findIndex((it, at) => at > 0 && /^ {0,3}(?:=+|-+)[ \t]*$/.test(it))
  return underline === -1 ? lines.length : underline + 1
}

export function sha(kind: 'sha1' | 'sha256', text: string): string {
  return createHash(kind).update(text).digest('hex')
}
