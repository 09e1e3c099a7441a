/**
 * Focus: temporarily activates only some of the evidence. The state of each part before the focus
 * is stored and follows its renames, so that it can be restored exactly.
 */
import { join } from 'node:path'
import { folderOf } from '../base/paths.ts'
import type { ContextPart, Flow, Move } from '../model/evidence.ts'
import type { Files } from '../platform/files.ts'
import { buildPartPath, parsePartName, partFileName } from './part-names.ts'

export const FOCUS_FILE = 'focus.json'

export interface Focus {
  /** Null if there is no focus. */
  readonly query: string | null
  /** The state of each part before the focus, by its path in the active state. */
  readonly before: Readonly<Record<string, 'active' | 'skipped'>>
}

export const NO_FOCUS: Focus = { query: null, before: {} }

export function readFocus(files: Files, flow: Flow): Focus {
  try {
    return JSON.parse(new TextDecoder().decode(files.read(join(flow.folder, FOCUS_FILE)))) as Focus
  } catch {
    // Missing or unreadable: there is no earlier state to restore.
    return NO_FOCUS
  }
}

export interface FocusPlan {
  readonly moves: readonly Move[]
  readonly focus: Focus
}

/**
 * Matching parts become active, the others skipped. A second focus keeps the states from before the
 * first one.
 */
export function planFocus(
  parts: readonly ContextPart[],
  matching: ReadonlySet<string>,
  { query, former }: { readonly query: string; readonly former: Focus },
): FocusPlan {
  const ours = parts.filter((it) => it.role === 'evidence' && it.state !== 'linked')
  const before =
    former.query === null
      ? Object.fromEntries(ours.map((it) => [pathWhenActive(it), normalizeState(it)]))
      : {
          ...Object.fromEntries(ours.map((it) => [pathWhenActive(it), normalizeState(it)])),
          ...former.before,
        }
  const moves = ours.flatMap((part) =>
    planStateChange(part, matching.has(part.path) ? 'active' : 'skipped'),
  )
  return { moves, focus: { query, before } }
}

/** Restores the states from before the focus. Parts that were added since keep theirs. */
export function planFocusRestore(parts: readonly ContextPart[], focus: Focus): FocusPlan {
  const moves = parts.flatMap((part) => {
    const state = focus.before[pathWhenActive(part)]
    return state === undefined || part.state === 'linked' ? [] : planStateChange(part, state)
  })
  return { moves, focus: NO_FOCUS }
}

/** Updates the stored paths after parts were renamed. */
export function renameFocusPaths(focus: Focus, moves: readonly Move[]): Focus {
  if (focus.query === null || moves.length === 0) return focus
  const places = new Map(moves.map(({ from, to }) => [activePath(from), activePath(to)] as const))
  const before = Object.fromEntries(
    Object.entries(focus.before).map(([path, state]) => [places.get(path) ?? path, state]),
  )
  return { ...focus, before }
}

function pathWhenActive(part: ContextPart): string {
  return buildPartPath(part, { state: 'active' })
}

function normalizeState({ state }: ContextPart): 'active' | 'skipped' {
  return state === 'skipped' ? 'skipped' : 'active'
}

function planStateChange(part: ContextPart, state: 'active' | 'skipped'): readonly Move[] {
  const to = buildPartPath(part, { state })
  return to === part.path ? [] : [{ from: part.path, to }]
}

/** The path of the part in the active state. Paths of removed parts are returned unchanged. */
function activePath(path: string): string {
  const folder = folderOf(path)
  const part = parsePartName(folder, partFileName({ path }))
  return part === undefined || part.state === 'linked' ? path : pathWhenActive(part)
}
