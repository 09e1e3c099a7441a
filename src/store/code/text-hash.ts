/** A hash of a text's units, for tables that compare what they find. */
export function textHash(text: string): number {
  let hash = text.length
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x9e3779b1)
    hash ^= hash >>> 15
  }
  return hash >>> 0
}
