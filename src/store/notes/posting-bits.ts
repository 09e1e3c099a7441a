/**
 * Where in a note a word stands, and how often, in one byte: name (up to 3 times), tags (or not),
 * fields (up to 3), content (up to 7). More often than that says nothing more.
 */

export interface TextPart {
  readonly shift: number
  readonly most: number
  readonly weight: number
}

export const NAME: TextPart = { shift: 0, most: 3, weight: 8 }
export const TAGS: TextPart = { shift: 2, most: 1, weight: 4 }
export const FIELDS: TextPart = { shift: 3, most: 3, weight: 2 }
export const CONTENT: TextPart = { shift: 5, most: 7, weight: 1 }

export const IN_NAME = 0b11
export const IN_NAME_OR_TAGS = 0b111

export function countOnce(bits: number, { shift, most }: TextPart): number {
  return ((bits >>> shift) & most) === most ? bits : bits + (1 << shift)
}

/** The worth of all places that a byte tells of. */
export const WEIGHT_OF_BITS: Float64Array = Float64Array.from({ length: 256 }, (_, bits) =>
  [NAME, TAGS, FIELDS, CONTENT].reduce(
    (sum, { shift, most, weight }) => sum + ((bits >>> shift) & most) * weight,
    0,
  ),
)
