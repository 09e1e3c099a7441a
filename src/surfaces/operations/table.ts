/** Everything that can be asked for, in the order that help lists it. */
import { contextPack } from './context-pack.ts'
import { contextPackGet } from './context-pack-get.ts'
import { ctxBuild } from './ctx-build.ts'
import { ctxGet } from './ctx-get.ts'
import { ctxPrompt } from './ctx-prompt.ts'
import { ctxSearch } from './ctx-search.ts'
import { ctxStats } from './ctx-stats.ts'
import { ctxSync } from './ctx-sync.ts'
import { ctxValidate } from './ctx-validate.ts'
import { evaluate } from './eval.ts'
import { indexBuild } from './index-build.ts'
import { indexExport } from './index-export.ts'
import { indexImport } from './index-import.ts'
import { status } from './index-status.ts'
import type { Operation } from './operation.ts'
import { pack } from './pack.ts'
import { packDiff } from './pack-diff.ts'
import { packVerify } from './pack-verify.ts'

/** By name, each with its own types: what the library hands out. */
export const BY_NAME = {
  pack,
  'pack diff': packDiff,
  'pack verify': packVerify,
  'context-pack': contextPack,
  'context-pack get': contextPackGet,
  index: indexBuild,
  'index export': indexExport,
  'index import': indexImport,
  status,
  eval: evaluate,
  'ctx build': ctxBuild,
  'ctx sync': ctxSync,
  'ctx validate': ctxValidate,
  'ctx search': ctxSearch,
  'ctx get': ctxGet,
  'ctx stats': ctxStats,
  'ctx prompt': ctxPrompt,
} as const

export const OPERATIONS: readonly Operation[] = Object.values(BY_NAME)
