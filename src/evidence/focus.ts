/**
 * Looking at some evidence only, for a while. Which parts were active is written down, and goes with
 * them whatever they are renamed to, so that it can be put back exactly.
 */
import { join } from 'node:path'
import { folderOf } from '../base/paths.ts'
import type { ContextPart, Flow, Move } from '../model/evidence.ts'
import type { Files } from '../platform/files.ts'
import { fileName, partOf, renamed } from './part-names.ts'

export const FOCUS_FILE = 'focus.json'

export interface Focus {
  /** Null when nothing is focused on. */
  readonly query: string | null
  /** The state of each part before, by its path in the active state. */
  readonly before: Readonly<Record<string, 'active' | 'skipped'>>
}

export const NO_FOCUS: Focus = { query: null, before: {} }

export function readFocus(files: Files, flow: Flow): Focus {
  try {
    return JSON.parse(new TextDecoder().decode(files.read(join(flow.folder, FOCUS_FILE)))) as Focus
  } catch {
    // Not there, or edited beyond reading: then nothing is known of before, and nothing is put back.
    return NO_FOCUS
  }
}

export interface FocusPlan {
  readonly moves: readonly Move[]
  readonly focus: Focus
}

/** Parts that match become active, the others skipped. A second focus keeps the first one's memory. */
export function focused(
  parts: readonly ContextPart[],
  matching: ReadonlySet<string>,
  { query, former }: { readonly query: string; readonly former: Focus },
): FocusPlan {
  const ours = parts.filter((it) => it.role === 'evidence' && it.state !== 'linked')
  const before =
    former.query === null
      ? Object.fromEntries(ours.map((it) => [keyOf(it), stateOf(it)]))
      : { ...Object.fromEntries(ours.map((it) => [keyOf(it), stateOf(it)])), ...former.before }
  const moves = ours.flatMap((part) => into(part, matching.has(part.path) ? 'active' : 'skipped'))
  return { moves, focus: { query, before } }
}

/** Exactly as it was; parts that have come since stay as they are. */
export function restored(parts: readonly ContextPart[], focus: Focus): FocusPlan {
  const moves = parts.flatMap((part) => {
    const state = focus.before[keyOf(part)]
    return state === undefined || part.state === 'linked' ? [] : into(part, state)
  })
  return { moves, focus: NO_FOCUS }
}

/** The same memory after parts have moved. */
export function followed(focus: Focus, moves: readonly Move[]): Focus {
  if (focus.query === null || moves.length === 0) return focus
  const places = new Map(moves.map(({ from, to }) => [activePath(from), activePath(to)] as const))
  const before = Object.fromEntries(
    Object.entries(focus.before).map(([path, state]) => [places.get(path) ?? path, state]),
  )
  return { ...focus, before }
}

function keyOf(part: ContextPart): string {
  return renamed(part, { state: 'active' })
}

function stateOf({ state }: ContextPart): 'active' | 'skipped' {
  return state === 'skipped' ? 'skipped' : 'active'
}

function into(part: ContextPart, state: 'active' | 'skipped'): readonly Move[] {
  const to = renamed(part, { state })
  return to === part.path ? [] : [{ from: part.path, to }]
}

/** A path of a part that is removed keeps its name there. */
function activePath(path: string): string {
  const folder = folderOf(path)
  const part = partOf(folder, fileName({ path }))
  return part === undefined || part.state === 'linked' ? path : keyOf(part)
}
