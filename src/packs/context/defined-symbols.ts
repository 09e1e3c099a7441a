/** Of symbols with the same name, those that are defined and not only declared. */
import type { CodeIndexReader, StoredSymbol } from '../../model/code-index.ts'
import { TRAIT } from '../../model/facts.ts'
import { decodeFacts } from '../../model/facts-codec.ts'

/** A name in more files than this is ambiguous anyway. */
const MOST_FILES = 64
/** Files that declare what others define. */
const DECLARATIONS = /\.(?:d\.[cm]?ts|pyi)$/

/** All of them where none is defined: a prototype is better than nothing. */
export async function definedSymbols(
  index: CodeIndexReader,
  symbols: readonly StoredSymbol[],
): Promise<readonly StoredSymbol[]> {
  const paths = [...new Set(symbols.map((it) => it.path))]
  if (new Set(symbols.map((it) => it.id)).size < 2 || paths.length > MOST_FILES) return symbols
  const files = await index.storedFiles(paths)
  const facts = new Map(
    files.filter((it) => it.facts.length > 0).map((it) => [it.path, decodeFacts(it.facts)]),
  )
  const defined = symbols.filter(({ path, definition }) => {
    const traits = facts.get(path)?.definitions[definition]?.traits ?? 0
    return (traits & TRAIT.again) === 0 && !DECLARATIONS.test(path)
  })
  return defined.length === 0 ? symbols : defined
}
