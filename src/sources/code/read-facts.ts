/** Text of a language to facts: parse, visit by the language's rules, hand over. */
import type { Facts } from '../../model/facts.ts'
import { Builder, type Tables } from './builder.ts'
import { compact } from './compact.ts'
import { type Grammar, loadGrammar, parse } from './grammar.ts'
import type { Language } from './language.ts'
import { languageById } from './languages.ts'
import { kept, type Syntax, unparsed } from './syntax.ts'

export interface Understood {
  readonly facts: Facts
  /** Valid until the next file is parsed. */
  readonly syntax: Syntax
}

interface Source {
  readonly path: string
  readonly text: string
}

/** Nothing when there is no grammar, or when the grammar does not come to an end. */
export async function readFacts(file: Source, language: Language): Promise<Understood | undefined> {
  if (language.grammar === undefined) return undefined
  const grammar = await loadGrammar(language.grammar)
  const { text } = file
  const offset = contentStart(text)
  const isLong = text.length - offset > (language.longest ?? Number.POSITIVE_INFINITY)
  const parsed = isLong
    ? unparsed({ text, grammar, offset })
    : await parse(text, grammar, { ...language, start: offset })
  if (parsed === undefined) return undefined
  const syntax = language.embeds === undefined ? parsed : kept(parsed)
  const build = new Builder(syntax, tablesFor(language, grammar))
  build.visit(0)
  language.finish?.(build, file.path)
  await visitEmbedded(build, file, language)
  return { facts: compact(build.facts(language.id)), syntax }
}

/**
 * Where the first line begins that is not blank. What comes before it is kept from the parser: how
 * it goes on where it stumbles depends on how much there is to go back over.
 */
function contentStart(text: string): number {
  const first = text.search(/\S/)
  return Math.max(text.lastIndexOf('\n', first), text.lastIndexOf('\r', first)) + 1
}

/** `<script>` in HTML: its names are those of the file, and what stands around it can see them. */
async function visitEmbedded(build: Builder, file: Source, language: Language): Promise<void> {
  for (const part of language.embeds?.(build) ?? []) {
    const inner = languageById(part.language)
    if (inner?.grammar === undefined) continue
    const grammar = await loadGrammar(inner.grammar)
    const { start, end } = part
    const syntax = await parse(file.text, grammar, { ...inner, start, end })
    if (syntax === undefined) continue
    build.visitEmbedded(syntax, tablesFor(inner, grammar))
    inner.finish?.(build, file.path)
  }
}

const tables = new Map<string, Tables>()

/** The language's tables by number, so that visiting a node costs no look-up by name. */
function tablesFor(language: Language, grammar: Grammar): Tables {
  let found = tables.get(language.id)
  if (found === undefined) {
    const byNumber = <T>(table: Readonly<Record<string, T>>): readonly (T | undefined)[] =>
      grammar.kindNames.map((name, id) =>
        grammar.named[id] === 1 && Object.hasOwn(table, name) ? table[name] : undefined,
      )
    found = { rules: byNumber(language.rules ?? {}), patterns: byNumber(language.patterns ?? {}) }
    tables.set(language.id, found)
  }
  return found
}
