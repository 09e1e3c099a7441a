const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉']

/** A share from 0 to 1 as a bar of at most `width` columns; anything above 0 can be seen. */
export function bar(share: number, width: number): string {
  const eighths = share <= 0 ? 0 : Math.max(1, Math.round(Math.min(1, share) * width * 8))
  const text = '█'.repeat(eighths >> 3) + (EIGHTHS[eighths & 7] ?? '')
  return text.padEnd(width)
}
