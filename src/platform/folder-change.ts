/**
 * Renames and writes files of a folder atomically. The plan is written to a journal first; if the
 * process is killed, the next one completes it. Nothing is overwritten, and only our journal is
 * removed.
 */
import {
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { assert } from '../base/assert.ts'
import type { FolderChange, Move } from '../model/evidence.ts'
import { makeFolders, syncFolder } from './files.ts'
import { newFileMode } from './private.ts'

/** Holds files on their way, and the notes. Gone when nothing is under way. */
const PENDING_FOLDER = '.dossier-change'
/** First all files step out of their places, then all step into new ones: swaps need no order. */
const STEPPING_OUT = 'stepping-out.json'
const STEPPING_IN = 'stepping-in.json'

interface MoveSteps {
  readonly out: readonly Move[]
  readonly in: readonly Move[]
}

/** To be called by one process at a time. */
export function changeFolder(folder: string, change: FolderChange): void {
  finishChange(folder)
  assertNothingLost(folder, change)
  const way = join(folder, PENDING_FOLDER)
  makeFolders(way)
  const steps = planSteps(change)
  for (const [at, write] of change.writes.entries()) {
    const path = join(way, `w${at}`)
    if ('linkTo' in write) symlinkSync(write.linkTo, path)
    else if (write.isRemade === true) writeFileSync(path, write.text, { mode: newFileMode(path) })
    else writeDurably(path, write.text)
  }
  writeDurably(join(way, 'note'), JSON.stringify(steps))
  renameSync(join(way, 'note'), join(way, STEPPING_OUT))
  syncFolder(way)
  finishChange(folder)
}

/** Whether a change is running, or was interrupted. */
export function isChanging(folder: string): boolean {
  return existsSync(join(folder, PENDING_FOLDER))
}

/** Completes an interrupted change. Costs one file check if there is none. */
export function finishChange(folder: string): void {
  const way = join(folder, PENDING_FOLDER)
  if (!existsSync(way)) return
  const out = join(way, STEPPING_OUT)
  const into = join(way, STEPPING_IN)
  if (existsSync(out)) {
    for (const move of readSteps(out).out) moveFile(folder, move)
    renameSync(out, into)
    syncFolder(way)
  }
  if (existsSync(into)) {
    const steps = readSteps(into)
    for (const move of steps.in) moveFile(folder, move)
    for (const place of new Set(steps.in.map(({ to }) => dirname(to))))
      syncFolder(join(folder, place))
  }
  rmSync(way, { recursive: true, force: true })
}

function planSteps({ moves, writes }: FolderChange): MoveSteps {
  return {
    out: moves.map(({ from }, at) => ({ from, to: `${PENDING_FOLDER}/m${at}` })),
    in: [
      ...moves.map(({ to }, at) => ({ from: `${PENDING_FOLDER}/m${at}`, to })),
      ...writes.map(({ path }, at) => ({ from: `${PENDING_FOLDER}/w${at}`, to: path })),
    ],
  }
}

function readSteps(path: string): MoveSteps {
  return JSON.parse(readFileSync(path, 'utf8')) as MoveSteps
}

/** A missing file was already moved before the process was killed. */
function moveFile(folder: string, { from, to }: Move): void {
  if (!exists(join(folder, from))) return
  makeFolders(dirname(join(folder, to)))
  renameSync(join(folder, from), join(folder, to))
}

/** Every file that moves is there, and every place is free or made free; but writes may replace. */
function assertNothingLost(folder: string, { moves, writes }: FolderChange): void {
  const leaving = new Set(moves.map(({ from }) => from))
  const arriving = new Set(moves.map(({ to }) => to))
  assert(leaving.size === moves.length, 'no file moves twice')
  assert(arriving.size === moves.length, 'no two files move to one place')
  for (const { from } of moves) assert(exists(join(folder, from)), `${from} is there`)
  for (const { to } of moves) {
    assert(leaving.has(to) || !exists(join(folder, to)), `${to} is free`)
  }
  for (const { path } of writes) assert(!arriving.has(path), `${path} is written or moved to`)
}

/** A link that leads nowhere is there all the same. */
function exists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}

function writeDurably(path: string, text: string): void {
  const file = openSync(path, 'w', newFileMode(path))
  try {
    const bytes = Buffer.from(text)
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
