/** Finds what says the same as something better: copies, vendored twins, generated variants. */

/** So much of the larger one's lines must stand in both. */
const LEAST_SHARED = 0.85
/** Less text than this is alike by chance. */
const LEAST_LINES = 4

/**
 * For each text the number of an earlier one that says nearly the same, or undefined. What repeats
 * a duplicate repeats what that one repeats.
 */
export function duplicatesIn(texts: readonly string[]): readonly (number | undefined)[] {
  const holders = new Map<string, number[]>()
  const sizes: number[] = []
  return texts.map((text, at) => {
    const lines = tellingLines(text)
    sizes.push(lines.size)
    if (lines.size < LEAST_LINES) return undefined
    const shared = new Map<number, number>()
    for (const line of lines) {
      for (const other of holders.get(line) ?? []) shared.set(other, (shared.get(other) ?? 0) + 1)
    }
    for (const [other, count] of shared) {
      const larger = Math.max(lines.size, sizes[other] ?? 0)
      if (count / larger >= LEAST_SHARED) return other
    }
    for (const line of lines) {
      const known = holders.get(line)
      if (known === undefined) holders.set(line, [at])
      else known.push(at)
    }
    return undefined
  })
}

function tellingLines(text: string): ReadonlySet<string> {
  const found = new Set<string>()
  // All lines at once: a search for each takes longer than what it finds.
  for (const line of text.replaceAll(/[^\S\n]+/g, ' ').split('\n')) {
    const bare = line.trim()
    if (bare.length > 2) found.add(bare)
  }
  return found
}
