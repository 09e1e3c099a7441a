/**
 * Where a name is bound without being defined: `exports.Router = require('router')`, an import, a
 * re-export. A question that is that name alone means these places if nothing defines it.
 */
import { escapePattern } from '../base/text.ts'
import type { StoredChunk } from '../model/code-index.ts'

/** The line of the chunk that binds the name first; undefined where none does. */
export function findBindingLine(chunk: StoredChunk, name: string): number | undefined {
  const own = escapePattern(name)
  // An indented assignment is a local of a function, which nothing else can mean.
  const binding = new RegExp(
    `^(?:\\S.*)?(?<![\\p{L}\\p{N}_$])${own}\\s*=(?![=>])|^\\s*(?:import|export|from|use|using|require|include)\\b.*(?<![\\p{L}\\p{N}_$])${own}(?![\\p{L}\\p{N}_$])`,
    'u',
  )
  const at = chunk.text.split('\n').findIndex((line) => binding.test(line))
  return at < 0 ? undefined : chunk.startLine + at
}
