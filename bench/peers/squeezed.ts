/**
 * A text without its white space. Splitters trim and join as they like; what they keep of a text
 * and where a piece comes from is told by the other characters.
 */
export interface Squeezed {
  readonly text: string
  /** Where each character stood in the original. */
  readonly offsets: Uint32Array
}

export function squeezed(original: string): Squeezed {
  const offsets = new Uint32Array(original.length)
  const runs: string[] = []
  let length = 0
  for (const { 0: run, index } of original.matchAll(/\S+/g)) {
    runs.push(run)
    for (let at = 0; at < run.length; at += 1) offsets[length + at] = index + at
    length += run.length
  }
  return { text: runs.join(''), offsets: offsets.slice(0, length) }
}

export function squeeze(text: string): string {
  return text.replace(/\s+/g, '')
}
