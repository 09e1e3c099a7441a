/**
 * Changes of a flow, each in a small file of its own, so that the last one can be undone. Every
 * change is files that got other names and files that were written: nothing is ever deleted.
 */
import { join } from 'node:path'
import { EngineError } from '../model/engine-error.ts'
import type { Flow, Move, Write } from '../model/evidence.ts'
import { type Files, kindAt } from '../platform/files.ts'
import { changeFolder, finishChange, isChanging } from '../platform/folder-change.ts'
import { acquireLock, type Lock } from '../platform/lock.ts'
import { asWriteError } from '../platform/trouble.ts'
import type { World } from '../platform/world.ts'
import { closeFlows } from './flows.ts'
import { FOCUS_FILE, type Focus, followed, readFocus } from './focus.ts'
import { CHANGES_FOLDER as CHANGES } from './part-names.ts'
import { REMOVED_FOLDER, undone } from './plans.ts'

const LOCK = '.lock'
const DONE = /^(\d{6})\.json$/
const ANY = /^(\d{6})(?:\.undone)?\.json$/
const SET_ASIDE = /^(\d{6})(?:-undone)?$/

export interface WantedChange {
  /** The command, as a person would name it: `toggle off 300-399`. */
  readonly what: string
  readonly moves: readonly Move[]
  readonly writes?: readonly Write[]
  /** Written as well, and still there after an undo: what can be told apart by its name alone. */
  readonly keeps?: readonly Write[]
  /** If absent, it goes with its parts wherever they move. */
  readonly focus?: Focus
  /** How parts are called from now on, where that is not what moves: a part may be written again. */
  readonly renames?: readonly Move[]
}

interface ChangeRecord {
  readonly what: string
  readonly at: string
  readonly moves: readonly Move[]
  readonly wrote: readonly string[]
  readonly focusBefore: Focus
}

/** While nobody else looks or changes, and after what a killed process began has been ended. */
export async function exclusively<T>(
  world: World,
  flow: Flow,
  action: () => T | Promise<T>,
): Promise<T> {
  let lock: Lock | undefined
  try {
    closeFlows(world.files, flow)
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

/** The folder as it is after what a killed process began: to be called before it is only read. */
export async function settled(world: World, flow: Flow): Promise<void> {
  if (isChanging(flow.folder)) await exclusively(world, flow, () => undefined)
}

/** `plan` looks at the folder, and is told the number of the change, which is nobody else's. */
export function changeFlow<T>(
  world: World,
  flow: Flow,
  plan: (number: string) => { readonly change: WantedChange | undefined; readonly result: T },
): Promise<T> {
  return exclusively(world, flow, () => {
    const number = nextNumber(world.files, flow)
    const { change, result } = plan(number)
    if (change !== undefined) apply(world, flow, { number, change })
    return result
  })
}

export interface Undone {
  readonly what: string
  readonly moves: readonly Move[]
  /** Files that the change had made, which are kept aside now. */
  readonly setAside: readonly string[]
}

/** The last change that has not been undone. Calling it again goes further back. */
export function undoChange(world: World, flow: Flow): Promise<Undone> {
  return exclusively(world, flow, () => {
    const number = numbersIn(world.files, join(flow.folder, CHANGES), DONE).at(-1)
    if (number === undefined) {
      throw new EngineError('POC_E_REQUEST_INVALID', 'there is nothing to undo', {
        hint: 'changes made by hand are not known here',
      })
    }
    const record = recordOf(world.files, flow, number)
    const aside = record.wrote.map((path) => ({
      from: path,
      to: `${REMOVED_FOLDER}/${number}-undone/${path}`,
    }))
    const back = undone(record.moves)
    refuseChanged(world.files, flow, { number, moves: [...aside, ...back] })
    const marked = { from: `${CHANGES}/${number}.json`, to: `${CHANGES}/${number}.undone.json` }
    changeFolder(flow.folder, {
      moves: [...aside, ...back, marked],
      writes: [focusWrite(record.focusBefore)],
    })
    return { what: record.what, moves: back, setAside: aside.map(({ from }) => from) }
  })
}

interface Numbered {
  readonly number: string
  readonly change: WantedChange
}

function apply(world: World, flow: Flow, { number, change }: Numbered): void {
  const { what, moves, writes = [], keeps = [], renames = moves } = change
  const focusBefore = readFocus(world.files, flow)
  const focus = change.focus ?? followed(focusBefore, renames)
  const at = new Date(world.clock.recorded(world.clock.now())).toISOString()
  const wrote = writes.map(({ path }) => path)
  const record: ChangeRecord = { what, at, moves, wrote, focusBefore }
  changeFolder(flow.folder, {
    moves,
    writes: [
      ...writes,
      ...new Map(keeps.map((it) => [it.path, it])).values(),
      { path: `${CHANGES}/${number}.json`, text: `${JSON.stringify(record, null, 1)}\n` },
      ...(focus === focusBefore ? [] : [focusWrite(focus)]),
    ],
  })
}

function focusWrite(focus: Focus): Write {
  return { path: FOCUS_FILE, text: `${JSON.stringify(focus, null, 1)}\n` }
}

/** A person may have renamed things since; then it is theirs to say what is right. */
function refuseChanged(
  files: Files,
  flow: Flow,
  { number, moves }: { readonly number: string; readonly moves: readonly Move[] },
): void {
  const leaving = new Set(moves.map(({ from }) => from))
  for (const { from, to } of moves) {
    const why = !isThere(files, join(flow.folder, from))
      ? `${from} is no longer there`
      : !leaving.has(to) && isThere(files, join(flow.folder, to))
        ? `there is another ${to} now`
        : undefined
    if (why === undefined) continue
    throw new EngineError('POC_E_REQUEST_INVALID', `the last change cannot be undone: ${why}`, {
      hint: `files were changed by hand since: rename them back, or move ${CHANGES}/${number}.json away to go on with the change before it`,
    })
  }
}

function isThere(files: Files, path: string): boolean {
  return files.linkTarget(path) !== undefined || kindAt(files, path) !== undefined
}

function numbersIn(files: Files, folder: string, pattern: RegExp): readonly string[] {
  if (kindAt(files, folder) === undefined) return []
  return files
    .list(folder)
    .flatMap((it) => pattern.exec(it.name)?.[1] ?? [])
    .toSorted()
}

/** A record may have been moved away; what its change has set aside still goes by its number. */
function nextNumber(files: Files, flow: Flow): string {
  const numbers = [
    ...numbersIn(files, join(flow.folder, CHANGES), ANY),
    ...numbersIn(files, join(flow.folder, REMOVED_FOLDER), SET_ASIDE),
  ]
  const last = Number(numbers.toSorted().at(-1) ?? '0')
  return String(last + 1).padStart(6, '0')
}

function recordOf(files: Files, flow: Flow, number: string): ChangeRecord {
  const path = join(flow.folder, CHANGES, `${number}.json`)
  try {
    return JSON.parse(new TextDecoder().decode(files.read(path))) as ChangeRecord
  } catch (error) {
    throw new EngineError('POC_E_READ_FAILED', `${path} cannot be read as a change`, {
      hint: 'it may have been edited; move it away to undo the one before it',
      cause: error,
    })
  }
}
