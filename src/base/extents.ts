/** Stretches of a file, by offsets and by lines. */
export interface Extent {
  readonly range: { readonly start: number; readonly end: number }
  readonly lines: { readonly start: number; readonly end: number }
}

/** Whether nothing but line breaks is between the one and the other. */
export function touches(before: Extent, after: Extent): boolean {
  const breaks = after.lines.start - before.lines.end
  return breaks > 0 && after.range.start - before.range.end === breaks
}
