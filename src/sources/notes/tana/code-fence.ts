/** Code as Markdown. */

/** The fence is longer than any in the code. */
export function fenceCode(code: string, language = ''): string {
  if (code === '') return ''
  let longest = 2
  for (const run of code.matchAll(/`+/g)) longest = Math.max(longest, run[0].length)
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${code}\n${fence}`
}

/** The first non-empty line, used as the name of code. */
export function firstNonEmptyLine(code: string): string {
  return (code.split('\n').find((line) => line.trim() !== '') ?? '').trim()
}
