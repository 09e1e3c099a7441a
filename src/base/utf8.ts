/** Text as UTF-8, and how far one is in the bytes when one is so far in the text. */
export interface Utf8Text {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** The same bytes. */
  readonly view: DataView
  /** Bytes of the text. There are `MARGIN` more at least, the first of which is `END_OF_TEXT`. */
  readonly length: number
}

/** A byte that is in no UTF-8. */
export const END_OF_TEXT = 0xff
const MARGIN = 4

/** Text of no more units than `usualUnits` is written to the same bytes each time. */
export function utf8Writer(usualUnits: number): (text: string) => Utf8Text {
  const encoder = new TextEncoder()
  const usual = bytesFor(usualUnits)
  return (text) => {
    const { bytes, view } = text.length <= usualUnits ? usual : bytesFor(text.length)
    const length = encoder.encodeInto(text, bytes).written
    bytes[length] = END_OF_TEXT
    return { bytes, view, length }
  }
}

/** A unit is three bytes at most: what takes four is two units. */
function bytesFor(units: number): Pick<Utf8Text, 'bytes' | 'view'> {
  const bytes = new Uint8Array(units * 3 + MARGIN)
  return { bytes, view: new DataView(bytes.buffer) }
}

/** Where the bytes end that stand for so many units; half a character of two units is three. */
export function afterUnits(bytes: Uint8Array, from: number, units: number): number {
  let at = from
  for (let left = units; left > 0; ) {
    const first = bytes[at] as number
    if (first < 0x80) at += 1
    else if (first < 0xe0) at += 2
    else at += first < 0xf0 ? 3 : 4
    left -= first < 0xf0 ? 1 : 2
  }
  return at
}

/** How many units the bytes of whole characters stand for. */
export function unitsBetween(bytes: Uint8Array, from: number, end: number): number {
  let units = 0
  for (let at = from; at < end; at += 1) {
    const byte = bytes[at] as number
    // Not one that goes on with a character; the first of four stands for two units.
    if ((byte & 0xc0) !== 0x80) units += byte < 0xf0 ? 1 : 2
  }
  return units
}
