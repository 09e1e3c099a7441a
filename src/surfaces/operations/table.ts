/** Everything that can be asked for, in the order that help lists it. */
import { ctxBuild } from './ctx-build.ts'
import { ctxGet } from './ctx-get.ts'
import { ctxPrompt } from './ctx-prompt.ts'
import { ctxSearch } from './ctx-search.ts'
import { ctxStats } from './ctx-stats.ts'
import { ctxSync } from './ctx-sync.ts'
import { ctxValidate } from './ctx-validate.ts'
import type { Operation } from './operation.ts'

export const OPERATIONS: readonly Operation[] = [
  ctxBuild,
  ctxSync,
  ctxValidate,
  ctxSearch,
  ctxGet,
  ctxStats,
  ctxPrompt,
]
