import { call } from '../call-rules.ts'
import type { Language } from '../language.ts'
import { patterns, rules } from './c-family.ts'
import { provideNames } from './c-names.ts'
import { withoutPreprocessor } from './c-visible.ts'

/** Headers are read as C++, which understands both. */
export const c: Language = {
  id: 'c',
  grammar: 'c',
  see: withoutPreprocessor,
  extensions: ['.c'],
  rules: { ...rules, call_expression: call({ callee: 'function', args: 'arguments' }) },
  patterns,
  finish: provideNames,
}
