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
  // Nearly every line stands in one text alone, for which a number is enough.
  const holders = new Map<string, number | number[]>()
  const sizes: number[] = []
  return texts.map((text, at) => {
    const lines = tellingLines(text)
    sizes.push(lines.size)
    if (lines.size < LEAST_LINES) return undefined
    const shared = new Map<number, number>()
    const count = (other: number): unknown => shared.set(other, (shared.get(other) ?? 0) + 1)
    for (const line of lines) {
      const known = holders.get(line)
      if (typeof known === 'number') count(known)
      else known?.forEach(count)
    }
    for (const [other, both] of shared) {
      const larger = Math.max(lines.size, sizes[other] ?? 0)
      if (both / larger >= LEAST_SHARED) return other
    }
    for (const line of lines) {
      const known = holders.get(line)
      if (known === undefined) holders.set(line, at)
      else if (typeof known === 'number') holders.set(line, [known, at])
      else known.push(at)
    }
    return undefined
  })
}

function tellingLines(text: string): ReadonlySet<string> {
  // All lines at once: a search for each takes longer than what it finds.
  return new Set(text.replaceAll(SPACE, ' ').match(TELLING))
}

const SPACE = /[^\S\n]+/g
/** More than two characters of a line, without the space around them. */
const TELLING = /\S.+\S/g
