/** Everything that can be asked for, in the order that help lists it. */
import { ctxBuild } from './ctx-build.ts'
import { ctxGet } from './ctx-get.ts'
import { ctxPrompt } from './ctx-prompt.ts'
import { ctxSearch } from './ctx-search.ts'
import { ctxStats } from './ctx-stats.ts'
import { ctxSync } from './ctx-sync.ts'
import { ctxValidate } from './ctx-validate.ts'
import { indexBuild } from './index-build.ts'
import { status } from './index-status.ts'
import type { Operation } from './operation.ts'

/** By name, each with its own types: what the library hands out. */
export const BY_NAME = {
  index: indexBuild,
  status,
  'ctx build': ctxBuild,
  'ctx sync': ctxSync,
  'ctx validate': ctxValidate,
  'ctx search': ctxSearch,
  'ctx get': ctxGet,
  'ctx stats': ctxStats,
  'ctx prompt': ctxPrompt,
} as const

export const OPERATIONS: readonly Operation[] = Object.values(BY_NAME)
