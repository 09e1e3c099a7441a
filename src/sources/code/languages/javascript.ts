import type { Language } from '../language.ts'
import { rules } from './ecmascript.ts'
import { finish } from './ecmascript-assign.ts'
import { mend } from './ecmascript-jsx.ts'
import { patterns } from './ecmascript-names.ts'

/** The grammar reads JSX as well. */
export const javascript: Language = {
  id: 'javascript',
  grammar: 'javascript',
  extensions: ['.js', '.mjs', '.cjs'],
  interpreters: ['node', 'bun', 'deno'],
  rules,
  patterns,
  finish,
  mend,
}
