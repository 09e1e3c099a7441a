/** Everything that can be asked for, in the order that help lists it. */

import { ask } from './ask.ts'
import { assemble } from './assemble.ts'
import { context } from './context.ts'
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
import { evidenceAdd } from './evidence-add.ts'
import { evidenceBudget } from './evidence-budget.ts'
import { evidenceDeps } from './evidence-deps.ts'
import { evidenceDiff } from './evidence-diff.ts'
import { evidenceEnv } from './evidence-env.ts'
import { evidenceFocus } from './evidence-focus.ts'
import { evidenceList } from './evidence-list.ts'
import { evidencePlan } from './evidence-plan.ts'
import { evidenceRank } from './evidence-rank.ts'
import { evidenceRebase } from './evidence-rebase.ts'
import { evidenceRefresh } from './evidence-refresh.ts'
import { evidenceRemove } from './evidence-remove.ts'
import { evidenceStatus } from './evidence-status.ts'
import { evidenceToggle } from './evidence-toggle.ts'
import { evidenceUndo } from './evidence-undo.ts'
import { flowList } from './flow-list.ts'
import { flowNew } from './flow-new.ts'
import { flowStatus } from './flow-status.ts'
import { flowUse } from './flow-use.ts'
import { indexBuild } from './index-build.ts'
import { indexExport } from './index-export.ts'
import { indexImport } from './index-import.ts'
import { status } from './index-status.ts'
import { notesEmbed } from './notes-embed.ts'
import { notesImport } from './notes-import.ts'
import { notesList } from './notes-list.ts'
import { notesSync } from './notes-sync.ts'
import type { Operation } from './operation.ts'
import { pack } from './pack.ts'
import { packDiff } from './pack-diff.ts'
import { packVerify } from './pack-verify.ts'
import { submit } from './submit.ts'

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
  context,
  'notes import': notesImport,
  'notes sync': notesSync,
  'notes list': notesList,
  'notes embed': notesEmbed,
  'ctx build': ctxBuild,
  'ctx sync': ctxSync,
  'ctx validate': ctxValidate,
  'ctx search': ctxSearch,
  'ctx get': ctxGet,
  'ctx stats': ctxStats,
  'ctx prompt': ctxPrompt,
  'flow new': flowNew,
  'flow list': flowList,
  'flow use': flowUse,
  'flow status': flowStatus,
  'evidence add': evidenceAdd,
  'evidence list': evidenceList,
  'evidence status': evidenceStatus,
  'evidence plan': evidencePlan,
  'evidence budget': evidenceBudget,
  'evidence toggle': evidenceToggle,
  'evidence rank': evidenceRank,
  'evidence rebase': evidenceRebase,
  'evidence remove': evidenceRemove,
  'evidence undo': evidenceUndo,
  'evidence focus': evidenceFocus,
  'evidence deps': evidenceDeps,
  'evidence refresh': evidenceRefresh,
  'evidence diff': evidenceDiff,
  'evidence env': evidenceEnv,
  ask,
  assemble,
  submit,
} as const

export const OPERATIONS: readonly Operation[] = Object.values(BY_NAME)
