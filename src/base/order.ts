/** Total, locale-free orderings. Every sort in the engine goes through here. */

export type Compare<T> = (a: T, b: T) => number

/** Orders by UTF-16 code units: the same on every machine, unlike `localeCompare`. */
export function ascending<T>(key: (item: T) => string | number): Compare<T> {
  return (a, b) => {
    const ka = key(a)
    const kb = key(b)
    return ka < kb ? -1 : kb < ka ? 1 : 0
  }
}

export function descending<T>(key: (item: T) => string | number): Compare<T> {
  const up = ascending(key)
  return (a, b) => up(b, a)
}

/** First comparison that tells the two apart wins. Finish with an id, so that no tie is left. */
export function inOrder<T>(...steps: readonly Compare<T>[]): Compare<T> {
  return (a, b) => {
    for (const step of steps) {
      const sign = step(a, b)
      if (sign !== 0) return sign
    }
    return 0
  }
}
