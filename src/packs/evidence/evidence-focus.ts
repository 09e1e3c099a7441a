/** Keeps only the evidence about a topic active until the focus is cleared. */
import { NO_FOCUS, planFocus, planFocusRestore, readFocus } from '../../evidence/focus.ts'
import { changeFlow } from '../../evidence/history.ts'
import { listParts } from '../../evidence/parts.ts'
import { EngineError } from '../../model/engine-error.ts'
import type { Flow } from '../../model/evidence.ts'
import type { World } from '../../platform/world.ts'
import { rankPartsByTopic } from './ask-evidence.ts'
import type { PartChanges } from './evidence-changes.ts'
import { loadPart } from './prompt.ts'

export interface FocusResult extends PartChanges {
  readonly query: string | null
  /** Matching parts, best first. */
  readonly matching: readonly string[]
}

export function focusOnTopic(world: World, flow: Flow, query: string): Promise<FocusResult> {
  return changeFlow(world, flow, () => {
    const { parts } = listParts(world.files, flow)
    const evidence = parts.filter((it) => it.role === 'evidence')
    const loaded = evidence.map((part) => loadPart(world, flow, part))
    const matching = rankPartsByTopic(loaded, query).map((it) => it.part)
    if (matching.length === 0) {
      throw new EngineError(
        'POC_E_TARGET_UNKNOWN',
        `no evidence matches ${JSON.stringify(query)}`,
        {
          hint: 'nothing was changed; try other words, or use `dossier ask`',
        },
      )
    }
    const paths = new Set(matching.map((it) => it.path))
    const former = readFocus(world.files, flow)
    const { moves, focus } = planFocus(parts, paths, { query, former })
    const what = `focus ${JSON.stringify(query)}`
    return {
      change: { what, moves, focus },
      result: { what, moves, unchanged: [], query, matching: matching.map((it) => it.name) },
    }
  })
}

export function clearFocus(world: World, flow: Flow): Promise<FocusResult> {
  return changeFlow(world, flow, () => {
    const former = readFocus(world.files, flow)
    const { moves } = planFocusRestore(listParts(world.files, flow).parts, former)
    const change = { what: 'focus off', moves, focus: NO_FOCUS }
    return {
      change: former.query === null ? undefined : change,
      result: { what: 'focus off', moves, unchanged: [], query: null, matching: [] },
    }
  })
}
