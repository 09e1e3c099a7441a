/** The table of operations; each is loaded on demand. */
import { nearest } from '../../base/nearest.ts'
import { EngineError } from '../../model/engine-error.ts'
import type { Operation } from './operation.ts'
import { type OperationName, SUMMARIES } from './summaries.ts'

/** By name, each with its types, for the library. */
export const BY_NAME = {
  pack: async () => (await import('./context/pack.ts')).pack,
  'pack diff': async () => (await import('./context/pack-diff.ts')).packDiff,
  'pack verify': async () => (await import('./context/pack-verify.ts')).packVerify,
  'context-pack': async () => (await import('./context/context-pack.ts')).contextPack,
  'context-pack get': async () => (await import('./context/context-pack-get.ts')).contextPackGet,
  index: async () => (await import('./index/index-build.ts')).indexBuild,
  'index export': async () => (await import('./index/index-export.ts')).indexExport,
  'index import': async () => (await import('./index/index-import.ts')).indexImport,
  status: async () => (await import('./index/index-status.ts')).status,
  eval: async () => (await import('./context/eval.ts')).evaluate,
  context: async () => (await import('./notes/context.ts')).context,
  'notes import': async () => (await import('./notes/notes-import.ts')).notesImport,
  'notes sync': async () => (await import('./notes/notes-sync.ts')).notesSync,
  'notes list': async () => (await import('./notes/notes-list.ts')).notesList,
  'notes embed': async () => (await import('./notes/notes-embed.ts')).notesEmbed,
  'ctx build': async () => (await import('./docs/ctx-build.ts')).ctxBuild,
  'ctx sync': async () => (await import('./docs/ctx-sync.ts')).ctxSync,
  'ctx validate': async () => (await import('./docs/ctx-validate.ts')).ctxValidate,
  'ctx search': async () => (await import('./docs/ctx-search.ts')).ctxSearch,
  'ctx get': async () => (await import('./docs/ctx-get.ts')).ctxGet,
  'ctx stats': async () => (await import('./docs/ctx-stats.ts')).ctxStats,
  'ctx prompt': async () => (await import('./docs/ctx-prompt.ts')).ctxPrompt,
  'flow new': async () => (await import('./evidence/flow-new.ts')).flowNew,
  'flow list': async () => (await import('./evidence/flow-list.ts')).flowList,
  'flow use': async () => (await import('./evidence/flow-use.ts')).flowUse,
  'flow status': async () => (await import('./evidence/flow-status.ts')).flowStatus,
  'evidence add': async () => (await import('./evidence/evidence-add.ts')).evidenceAdd,
  'evidence list': async () => (await import('./evidence/evidence-list.ts')).evidenceList,
  'evidence status': async () => (await import('./evidence/evidence-status.ts')).evidenceStatus,
  'evidence plan': async () => (await import('./evidence/evidence-plan.ts')).evidencePlan,
  'evidence budget': async () => (await import('./evidence/evidence-budget.ts')).evidenceBudget,
  'evidence toggle': async () => (await import('./evidence/evidence-toggle.ts')).evidenceToggle,
  'evidence rank': async () => (await import('./evidence/evidence-rank.ts')).evidenceRank,
  'evidence rebase': async () => (await import('./evidence/evidence-rebase.ts')).evidenceRebase,
  'evidence remove': async () => (await import('./evidence/evidence-remove.ts')).evidenceRemove,
  'evidence undo': async () => (await import('./evidence/evidence-undo.ts')).evidenceUndo,
  'evidence focus': async () => (await import('./evidence/evidence-focus.ts')).evidenceFocus,
  'evidence deps': async () => (await import('./evidence/evidence-deps.ts')).evidenceDeps,
  'evidence refresh': async () => (await import('./evidence/evidence-refresh.ts')).evidenceRefresh,
  'evidence diff': async () => (await import('./evidence/evidence-diff.ts')).evidenceDiff,
  'evidence env': async () => (await import('./evidence/evidence-env.ts')).evidenceEnv,
  ask: async () => (await import('./evidence/ask.ts')).ask,
  assemble: async () => (await import('./evidence/assemble.ts')).assemble,
  submit: async () => (await import('./evidence/submit.ts')).submit,
} as const satisfies Readonly<Record<OperationName, () => Promise<Operation>>>

/** Callers in JavaScript may pass any name. */
export function findLoader<Name extends OperationName>(name: Name): (typeof BY_NAME)[Name] {
  if (Object.hasOwn(BY_NAME, name)) return BY_NAME[name]
  const names = Object.keys(BY_NAME)
  const near = nearest(String(name), names, 2)
  throw new EngineError('POC_E_REQUEST_INVALID', `unknown operation ${String(name)}`, {
    hint:
      near.length > 0
        ? `did you mean ${near.join(' or ')}?`
        : `available operations: ${names.join(', ')}`,
  })
}

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
