/** A text as one word of a shell's language, whatever is in it. */

/** For sh, bash, zsh and their like. */
export function quoteForPosix(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

export function quoteForFish(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
