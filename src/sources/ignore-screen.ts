/**
 * A quick no for names that no pattern can match, which is nearly every name: trying thirty
 * patterns on each of 100,000 names takes longer than the disk does. Case counts. Pure.
 */

/** Patterns for bare names, without slashes. A yes means: ask the patterns. A no is a no. */
export function screen(patterns: readonly string[]): (name: string) => boolean {
  const whole = new Set<string>()
  const endings = new Set<string>()
  const starts: string[] = []
  const parts: string[] = []
  for (const pattern of patterns.flatMap(withoutFinalClass)) {
    const plain = /^[^*?[\\]*/.exec(pattern)?.[0] ?? ''
    if (plain === pattern) whole.add(pattern)
    else if (plain !== '') starts.push(plain)
    else if (/^\*[^*?[\\]*\.[^*?[\\]*$/.test(pattern)) endings.add(endingOf(pattern))
    else parts.push(longestPlainPart(pattern))
  }
  return (asked) => {
    const name = asked.endsWith('/') ? asked.slice(0, -1) : asked
    return (
      whole.has(name) ||
      endings.has(endingOf(name)) ||
      starts.some((it) => name.startsWith(it)) ||
      parts.some((it) => name.includes(it))
    )
  }
}

/** From the last dot on. */
function endingOf(name: string): string {
  const dot = name.lastIndexOf('.')
  return dot === -1 ? '' : name.slice(dot)
}

/** `*.py[cod]` is in every Python project, and its plain part in every name there. */
function withoutFinalClass(pattern: string): readonly string[] {
  const [, before, members] = /^([^[\\]*)\[([A-Za-z0-9]+)\]$/.exec(pattern) ?? []
  if (before === undefined || members === undefined) return [pattern]
  return [...members].map((it) => before + it)
}

/** Only what comes before a bracket or a backslash: after them, not all is what it looks like. */
function longestPlainPart(pattern: string): string {
  const runs = (/^[^[\\]*/.exec(pattern)?.[0] ?? '').split(/[*?]/)
  return runs.reduce((best, it) => (it.length > best.length ? it : best), '')
}
