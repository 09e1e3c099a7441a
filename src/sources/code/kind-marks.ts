/**
 * What the kinds of a grammar's nodes are for cutting, told by their names: all grammars name them
 * alike, so no language has to say it.
 */
import type { Grammar } from './grammar.ts'

export const MARK = {
  /** A comment, an attribute or a decorator: belongs to what comes after it. */
  lead: 1,
  /** Wraps a declaration: `export …`, `@decorator …`, `const …`. */
  wrapper: 2,
  /** Brings names in from elsewhere. */
  import: 4,
  /** What a declaration's signature ends before. */
  body: 8,
  /** Parts of a signature, which may hold functions with bodies of their own. */
  parameters: 16,
  decorator: 32,
  comment: 64,
} as const

const NAMES: readonly (readonly [number, RegExp])[] = [
  [MARK.lead, /comment|^attribute_(?:item|list)$|^attributes?$|decorator|annotation$/],
  [MARK.wrapper, /(?:_declaration|_definition|_statement|_item|^declaration)$/],
  [
    MARK.import,
    /^(?:import|use|using|package|include|require|preproc_include|extern_crate|future_import|namespace_use)(?:_|$)/,
  ],
  [MARK.body, /^(?:block|body)$|_(?:body|block|declaration_list)$|^compound_statement$/],
  [MARK.parameters, /param|^(?:argument_list|class_heritage|superclass)/],
  [MARK.comment, /comment/],
  [MARK.decorator, /decorator|annotation|^attribute/],
]
/** Statements that hold other statements wrap no declaration. */
const NO_WRAPPER =
  /^(?:body|compound|if|for|while|do|switch|try|with|match|foreach|labeled)_statement|_list$/

const known = new WeakMap<Grammar, Uint8Array>()

/** Bits of `MARK` by the number of a kind. */
export function kindMarks(grammar: Grammar): Uint8Array {
  let marks = known.get(grammar)
  if (marks === undefined) {
    marks = Uint8Array.from(grammar.kindNames, (name, id) =>
      grammar.named[id] === 1 ? marksOf(name) : 0,
    )
    known.set(grammar, marks)
  }
  return marks
}

function marksOf(name: string): number {
  let bits = 0
  for (const [bit, pattern] of NAMES) if (pattern.test(name)) bits |= bit
  return NO_WRAPPER.test(name) ? bits & ~MARK.wrapper : bits
}
