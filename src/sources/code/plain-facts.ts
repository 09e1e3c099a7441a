/** The facts of a file without a grammar: none, but for what says how modules are found. */
import { type Facts, NO_FACTS } from '../../model/facts.ts'

const SETTINGS = /(?:^|\/)go\.(?:mod|work)$/

export function plainFacts(path: string, text: string, language = 'plain'): Facts {
  return { ...NO_FACTS, language, settings: SETTINGS.test(path) ? text : '' }
}
