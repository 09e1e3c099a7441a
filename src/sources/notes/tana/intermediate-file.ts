/** What is in a Tana Intermediate Format file, as far as one can rely on it. */

export interface IntermediateFile {
  readonly nodes: readonly IntermediateNode[]
  readonly supertags: readonly unknown[]
}

export interface IntermediateNode {
  readonly uid?: unknown
  readonly name?: unknown
  readonly description?: unknown
  readonly children?: unknown
  readonly refs?: unknown
  readonly createdAt?: unknown
  readonly editedAt?: unknown
  readonly type?: unknown
  readonly mediaUrl?: unknown
  readonly codeLanguage?: unknown
  readonly supertags?: unknown
  readonly todoState?: unknown
}

export function isNode(value: unknown): value is IntermediateNode {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function listChildren(node: IntermediateNode): readonly IntermediateNode[] {
  return Array.isArray(node.children) ? node.children.filter(isNode) : []
}

export function asTexts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((it): it is string => typeof it === 'string') : []
}

export function asText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** `[[uid]]`, and `[alias]([[uid]])`: the alias, if there is one, and the uid. */
export const LINKS = /(?:\[([^[\]]*)\]\()?\[\[([^[\]]+)\]\]\)?/g

/** The uids that a text links to. Dates are no uids. */
export function extractLinks(name: string): readonly string[] {
  if (!name.includes('[[')) return []
  return [...name.matchAll(LINKS)].flatMap((match) => {
    const uid = match[2] ?? ''
    return uid.startsWith(DATE) ? [] : [uid]
  })
}

export const DATE = 'date:'
