import type { Language } from '../language.ts'
import { rules } from './ecmascript.ts'
import { finish } from './ecmascript-assign.ts'
import { mend } from './ecmascript-jsx.ts'
import { patterns } from './ecmascript-names.ts'

export const jsx: Language = {
  id: 'jsx',
  grammar: 'javascript',
  extensions: ['.jsx'],
  rules,
  patterns,
  finish,
  mend,
}
