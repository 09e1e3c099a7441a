/** A text as one word of a shell's language, whatever is in it. */

/** For sh, bash, zsh and their like. */
export function posixQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

export function fishQuoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
