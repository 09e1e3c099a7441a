/**
 * Many files of a folder get other names, and some are written: all of it or nothing. What is to be
 * done is written down first; a killed process leaves that note behind, and whoever comes next
 * finishes what it says. Nothing is overwritten and nothing removed but our own notes.
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
import { makeFolders } from './files.ts'
import { newFileMode } from './private.ts'

/** Holds files on their way, and the notes. Gone when nothing is under way. */
const UNDER_WAY = '.dossier-change'
/** First all files step out of their places, then all step into new ones: swaps need no order. */
const STEPPING_OUT = 'stepping-out.json'
const STEPPING_IN = 'stepping-in.json'

interface Steps {
  readonly out: readonly Move[]
  readonly in: readonly Move[]
}

/** To be called by one process at a time. */
export function changeFolder(folder: string, change: FolderChange): void {
  finishChange(folder)
  refuseLosses(folder, change)
  const way = join(folder, UNDER_WAY)
  makeFolders(way)
  const steps = stepsOf(change)
  for (const [at, write] of change.writes.entries()) {
    const path = join(way, `w${at}`)
    if ('linkTo' in write) symlinkSync(write.linkTo, path)
    else if (write.isRemade === true) writeFileSync(path, write.text, { mode: newFileMode(path) })
    else writeDurably(path, write.text)
  }
  writeDurably(join(way, 'note'), JSON.stringify(steps))
  renameSync(join(way, 'note'), join(way, STEPPING_OUT))
  sync(way)
  finishChange(folder)
}

/** Whether somebody is changing the folder, or was killed while they did. */
export function isChanging(folder: string): boolean {
  return existsSync(join(folder, UNDER_WAY))
}

/** Ends what a killed process began. Without anything to end it costs one look. */
export function finishChange(folder: string): void {
  const way = join(folder, UNDER_WAY)
  if (!existsSync(way)) return
  const out = join(way, STEPPING_OUT)
  const into = join(way, STEPPING_IN)
  if (existsSync(out)) {
    for (const move of stepsIn(out).out) carry(folder, move)
    renameSync(out, into)
    sync(way)
  }
  if (existsSync(into)) {
    const steps = stepsIn(into)
    for (const move of steps.in) carry(folder, move)
    for (const place of new Set(steps.in.map(({ to }) => dirname(to)))) sync(join(folder, place))
  }
  rmSync(way, { recursive: true, force: true })
}

function stepsOf({ moves, writes }: FolderChange): Steps {
  return {
    out: moves.map(({ from }, at) => ({ from, to: `${UNDER_WAY}/m${at}` })),
    in: [
      ...moves.map(({ to }, at) => ({ from: `${UNDER_WAY}/m${at}`, to })),
      ...writes.map(({ path }, at) => ({ from: `${UNDER_WAY}/w${at}`, to: path })),
    ],
  }
}

function stepsIn(path: string): Steps {
  return JSON.parse(readFileSync(path, 'utf8')) as Steps
}

/** One that has gone already was carried before the process was killed. */
function carry(folder: string, { from, to }: Move): void {
  if (!isThere(join(folder, from))) return
  makeFolders(dirname(join(folder, to)))
  renameSync(join(folder, from), join(folder, to))
}

/** Every file that moves is there, and every place is free or made free; but writes may replace. */
function refuseLosses(folder: string, { moves, writes }: FolderChange): void {
  const leaving = new Set(moves.map(({ from }) => from))
  const arriving = new Set(moves.map(({ to }) => to))
  assert(leaving.size === moves.length, 'no file moves twice')
  assert(arriving.size === moves.length, 'no two files move to one place')
  for (const { from } of moves) assert(isThere(join(folder, from)), `${from} is there`)
  for (const { to } of moves) {
    assert(leaving.has(to) || !isThere(join(folder, to)), `${to} is free`)
  }
  for (const { path } of writes) assert(!arriving.has(path), `${path} is written or moved to`)
}

/** A link that leads nowhere is there all the same. */
function isThere(path: string): boolean {
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

/** Some systems cannot sync a folder; that is no error. */
function sync(path: string): void {
  let handle: number | undefined
  try {
    handle = openSync(path, 'r')
    fsyncSync(handle)
  } catch {
    return
  } finally {
    if (handle !== undefined) closeSync(handle)
  }
}
