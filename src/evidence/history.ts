/**
 * The change history of a flow: one small record per change, so that the last one can be undone. A
 * change renames files and writes files; it never deletes any.
 */
import { join } from 'node:path'
import { EngineError } from '../model/engine-error.ts'
import type { Flow, Move, Write } from '../model/evidence.ts'
import { type Files, kindAt } from '../platform/files.ts'
import { changeFolder, finishChange, isChanging } from '../platform/folder-change.ts'
import { acquireLock, type Lock } from '../platform/lock.ts'
import { asWriteError } from '../platform/trouble.ts'
import type { World } from '../platform/world.ts'
import { restrictFlowsFolder } from './flows.ts'
import { FOCUS_FILE, type Focus, readFocus, renameFocusPaths } from './focus.ts'
import { CHANGES_FOLDER as CHANGES } from './part-names.ts'
import { REMOVED_FOLDER, reverseMoves } from './plans.ts'

const LOCK = '.lock'
const APPLIED_RECORD = /^(\d{6})\.json$/
const ANY_RECORD = /^(\d{6})(?:\.undone)?\.json$/
const SET_ASIDE_FOLDER = /^(\d{6})(?:-undone)?$/

export interface FlowChange {
  /** The command as the user would write it: `toggle off 300-399`. */
  readonly what: string
  readonly moves: readonly Move[]
  readonly writes?: readonly Write[]
  /** Also written, but kept by an undo: files whose names are derived from their content. */
  readonly keeps?: readonly Write[]
  /** If absent, the paths in the focus follow the moves. */
  readonly focus?: Focus
  /**
   * New names of parts, if they differ from the moves: a part may be rewritten under a new name.
   */
  readonly renames?: readonly Move[]
}

interface ChangeRecord {
  readonly what: string
  readonly at: string
  readonly moves: readonly Move[]
  readonly wrote: readonly string[]
  readonly focusBefore: Focus
}

/**
 * Runs the action under the lock of the flow, after completing a change that a killed process left
 * unfinished.
 */
export async function withFlowLock<T>(
  world: World,
  flow: Flow,
  action: () => T | Promise<T>,
): Promise<T> {
  let lock: Lock | undefined
  try {
    restrictFlowsFolder(world.files, flow)
    lock = await acquireLock(join(flow.folder, LOCK), {
      signal: world.signal,
      onWait: () => world.notice('waiting for another command on this flow'),
    })
    finishChange(flow.folder)
    return await action()
  } catch (error) {
    throw asWriteError(error, flow.folder)
  } finally {
    lock?.release()
  }
}

/**
 * Call this before only reading a flow: completes a change that a killed process left unfinished.
 */
export async function finishInterruptedChange(world: World, flow: Flow): Promise<void> {
  if (isChanging(flow.folder)) await withFlowLock(world, flow, () => undefined)
}

/** `plan` reads the folder and gets the unique number of the new change. */
export function changeFlow<T>(
  world: World,
  flow: Flow,
  plan: (number: string) => { readonly change: FlowChange | undefined; readonly result: T },
): Promise<T> {
  return withFlowLock(world, flow, () => {
    const number = nextNumber(world.files, flow)
    const { change, result } = plan(number)
    if (change !== undefined) applyChange(world, flow, { number, change })
    return result
  })
}

export interface UndoResult {
  readonly what: string
  readonly moves: readonly Move[]
  /** Files that the change had written; they are now in the folder of removed files. */
  readonly setAside: readonly string[]
}

/** Undoes the last change that has not been undone. Calling it again undoes the one before. */
export function undoChange(world: World, flow: Flow): Promise<UndoResult> {
  return withFlowLock(world, flow, () => {
    const number = listNumbers(world.files, join(flow.folder, CHANGES), APPLIED_RECORD).at(-1)
    if (number === undefined) {
      throw new EngineError('POC_E_REQUEST_INVALID', 'nothing to undo', {
        hint: 'only changes made by dossier commands are recorded',
      })
    }
    const record = readRecord(world.files, flow, number)
    const aside = record.wrote.map((path) => ({
      from: path,
      to: `${REMOVED_FOLDER}/${number}-undone/${path}`,
    }))
    const back = reverseMoves(record.moves)
    refuseIfChangedByHand(world.files, flow, { number, moves: [...aside, ...back] })
    const marked = { from: `${CHANGES}/${number}.json`, to: `${CHANGES}/${number}.undone.json` }
    changeFolder(flow.folder, {
      moves: [...aside, ...back, marked],
      writes: [createFocusWrite(record.focusBefore)],
    })
    return { what: record.what, moves: back, setAside: aside.map(({ from }) => from) }
  })
}

interface NumberedChange {
  readonly number: string
  readonly change: FlowChange
}

function applyChange(world: World, flow: Flow, { number, change }: NumberedChange): void {
  const { what, moves, writes = [], keeps = [], renames = moves } = change
  const focusBefore = readFocus(world.files, flow)
  const focus = change.focus ?? renameFocusPaths(focusBefore, renames)
  const at = new Date(world.clock.recorded(world.clock.now())).toISOString()
  const wrote = writes.map(({ path }) => path)
  const record: ChangeRecord = { what, at, moves, wrote, focusBefore }
  changeFolder(flow.folder, {
    moves,
    writes: [
      ...writes,
      ...new Map(keeps.map((it) => [it.path, it])).values(),
      { path: `${CHANGES}/${number}.json`, text: `${JSON.stringify(record, null, 1)}\n` },
      ...(focus === focusBefore ? [] : [createFocusWrite(focus)]),
    ],
  })
}

function createFocusWrite(focus: Focus): Write {
  return { path: FOCUS_FILE, text: `${JSON.stringify(focus, null, 1)}\n` }
}

/** Files may have been renamed by hand since; then only the user can decide what is right. */
function refuseIfChangedByHand(
  files: Files,
  flow: Flow,
  { number, moves }: { readonly number: string; readonly moves: readonly Move[] },
): void {
  const leaving = new Set(moves.map(({ from }) => from))
  for (const { from, to } of moves) {
    const why = !fileExists(files, join(flow.folder, from))
      ? `${from} no longer exists`
      : !leaving.has(to) && fileExists(files, join(flow.folder, to))
        ? `another ${to} exists now`
        : undefined
    if (why === undefined) continue
    throw new EngineError('POC_E_REQUEST_INVALID', `the last change cannot be undone: ${why}`, {
      hint: `files were changed by hand since then: rename them back, or move ${CHANGES}/${number}.json away to undo the change before it`,
    })
  }
}

function fileExists(files: Files, path: string): boolean {
  return files.linkTarget(path) !== undefined || kindAt(files, path) !== undefined
}

function listNumbers(files: Files, folder: string, pattern: RegExp): readonly string[] {
  if (kindAt(files, folder) === undefined) return []
  return files
    .list(folder)
    .flatMap((it) => pattern.exec(it.name)?.[1] ?? [])
    .toSorted()
}

/**
 * A record may have been moved away, but the files that its change removed still use its number.
 */
function nextNumber(files: Files, flow: Flow): string {
  const numbers = [
    ...listNumbers(files, join(flow.folder, CHANGES), ANY_RECORD),
    ...listNumbers(files, join(flow.folder, REMOVED_FOLDER), SET_ASIDE_FOLDER),
  ]
  const last = Number(numbers.toSorted().at(-1) ?? '0')
  return String(last + 1).padStart(6, '0')
}

function readRecord(files: Files, flow: Flow, number: string): ChangeRecord {
  const path = join(flow.folder, CHANGES, `${number}.json`)
  try {
    return JSON.parse(new TextDecoder().decode(files.read(path))) as ChangeRecord
  } catch (error) {
    throw new EngineError('POC_E_READ_FAILED', `${path} is not a readable change record`, {
      hint: 'it may have been edited; move it away to undo the change before it',
      cause: error,
    })
  }
}
