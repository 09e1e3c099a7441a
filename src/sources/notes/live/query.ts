/**
 * Search queries of the Local API and their encoding in a URL: `query[and][0][textContains]=…`.
 * Booleans are not supported: in a query string they arrive as text and are rejected.
 */

export type LiveQuery =
  | { readonly and: readonly LiveQuery[] }
  | { readonly or: readonly LiveQuery[] }
  /** In names, without case. */
  | { readonly textContains: string }
  /** Notes with this tag, or with one that extends it. */
  | { readonly hasType: string }
  /** Notes that point at one of these. */
  | { readonly linksTo: readonly string[] }

/** As many as `and`, `or` and `linksTo` may have. */
export const MAX_CONDITIONS = 20

/** Deep objects and lists in brackets, in the order of their keys. */
export function formatQueryString(parameters: Readonly<Record<string, QueryParameter>>): string {
  const pairs: string[] = []
  for (const [name, value] of Object.entries(parameters)) appendPairs(pairs, name, value)
  return pairs.join('&')
}

type QueryParameter =
  | string
  | number
  | readonly QueryParameter[]
  | { readonly [name: string]: QueryParameter }

function appendPairs(pairs: string[], name: string, value: QueryParameter): void {
  if (typeof value === 'object') {
    for (const [key, inner] of Object.entries(value)) appendPairs(pairs, `${name}[${key}]`, inner)
  } else {
    pairs.push(`${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
  }
}
