/** The facts of a file without a grammar: none, but for what says how modules are found. */
import { lastPart } from '../../base/paths.ts'
import { type Facts, NO_FACTS } from '../../model/facts.ts'

const SETTINGS: ReadonlySet<string> = new Set(['go.mod', 'go.work'])

export function plainFacts(path: string, text: string, language = 'plain'): Facts {
  const name = lastPart(path)
  if (!SETTINGS.has(name)) return { ...NO_FACTS, language }
  const module = name === 'go.mod' ? MODULE.exec(text)?.[1] : undefined
  const provides = module === undefined ? [] : [{ name: `go-module:${module}`, definition: 0 }]
  return { ...NO_FACTS, language, settings: text, provides }
}

/** A module of Go is known by its path to others in the repository. */
const MODULE = /^module[ \t]+["`]?([^\s"`]+)/m
