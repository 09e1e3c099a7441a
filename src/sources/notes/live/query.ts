/**
 * Questions to the Local API, and how they are written into a URL: `query[and][0][textContains]=…`.
 * There is no room for booleans here: in a query string they arrive as text and are refused.
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
export const MOST_CONDITIONS = 20

/** Deep objects and lists in brackets, in the order of their keys. */
export function queryString(parameters: Readonly<Record<string, Parameter>>): string {
  const pairs: string[] = []
  for (const [name, value] of Object.entries(parameters)) write(pairs, name, value)
  return pairs.join('&')
}

type Parameter = string | number | readonly Parameter[] | { readonly [name: string]: Parameter }

function write(pairs: string[], name: string, value: Parameter): void {
  if (typeof value === 'object') {
    for (const [key, inner] of Object.entries(value)) write(pairs, `${name}[${key}]`, inner)
  } else {
    pairs.push(`${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
  }
}
