/** Everything that can be asked for; each is loaded when it is, and with it what it needs. */
import type { Operation } from './operation.ts'
import { type OperationName, SUMMARIES } from './summaries.ts'

/** By name, each with its own types: what the library hands out. */
export const BY_NAME = {
  pack: async () => (await import('./pack.ts')).pack,
  'pack diff': async () => (await import('./pack-diff.ts')).packDiff,
  'pack verify': async () => (await import('./pack-verify.ts')).packVerify,
  'context-pack': async () => (await import('./context-pack.ts')).contextPack,
  'context-pack get': async () => (await import('./context-pack-get.ts')).contextPackGet,
  index: async () => (await import('./index-build.ts')).indexBuild,
  'index export': async () => (await import('./index-export.ts')).indexExport,
  'index import': async () => (await import('./index-import.ts')).indexImport,
  status: async () => (await import('./index-status.ts')).status,
  eval: async () => (await import('./eval.ts')).evaluate,
  context: async () => (await import('./context.ts')).context,
  'notes import': async () => (await import('./notes-import.ts')).notesImport,
  'notes sync': async () => (await import('./notes-sync.ts')).notesSync,
  'notes list': async () => (await import('./notes-list.ts')).notesList,
  'notes embed': async () => (await import('./notes-embed.ts')).notesEmbed,
  'ctx build': async () => (await import('./ctx-build.ts')).ctxBuild,
  'ctx sync': async () => (await import('./ctx-sync.ts')).ctxSync,
  'ctx validate': async () => (await import('./ctx-validate.ts')).ctxValidate,
  'ctx search': async () => (await import('./ctx-search.ts')).ctxSearch,
  'ctx get': async () => (await import('./ctx-get.ts')).ctxGet,
  'ctx stats': async () => (await import('./ctx-stats.ts')).ctxStats,
  'ctx prompt': async () => (await import('./ctx-prompt.ts')).ctxPrompt,
  'flow new': async () => (await import('./flow-new.ts')).flowNew,
  'flow list': async () => (await import('./flow-list.ts')).flowList,
  'flow use': async () => (await import('./flow-use.ts')).flowUse,
  'flow status': async () => (await import('./flow-status.ts')).flowStatus,
  'evidence add': async () => (await import('./evidence-add.ts')).evidenceAdd,
  'evidence list': async () => (await import('./evidence-list.ts')).evidenceList,
  'evidence status': async () => (await import('./evidence-status.ts')).evidenceStatus,
  'evidence plan': async () => (await import('./evidence-plan.ts')).evidencePlan,
  'evidence budget': async () => (await import('./evidence-budget.ts')).evidenceBudget,
  'evidence toggle': async () => (await import('./evidence-toggle.ts')).evidenceToggle,
  'evidence rank': async () => (await import('./evidence-rank.ts')).evidenceRank,
  'evidence rebase': async () => (await import('./evidence-rebase.ts')).evidenceRebase,
  'evidence remove': async () => (await import('./evidence-remove.ts')).evidenceRemove,
  'evidence undo': async () => (await import('./evidence-undo.ts')).evidenceUndo,
  'evidence focus': async () => (await import('./evidence-focus.ts')).evidenceFocus,
  'evidence deps': async () => (await import('./evidence-deps.ts')).evidenceDeps,
  'evidence refresh': async () => (await import('./evidence-refresh.ts')).evidenceRefresh,
  'evidence diff': async () => (await import('./evidence-diff.ts')).evidenceDiff,
  'evidence env': async () => (await import('./evidence-env.ts')).evidenceEnv,
  ask: async () => (await import('./ask.ts')).ask,
  assemble: async () => (await import('./assemble.ts')).assemble,
  submit: async () => (await import('./submit.ts')).submit,
} as const satisfies Readonly<Record<OperationName, () => Promise<Operation>>>

/** An operation that may not be loaded yet. */
export interface Entry {
  readonly name: OperationName
  readonly summary: string
  load(): Promise<Operation>
}

/** In the order that help lists them. */
export const TABLE: readonly Entry[] = (Object.keys(SUMMARIES) as OperationName[]).map((name) => ({
  name,
  summary: SUMMARIES[name],
  load: BY_NAME[name],
}))

export function loadAll(): Promise<readonly Operation[]> {
  return Promise.all(TABLE.map((it) => it.load()))
}
