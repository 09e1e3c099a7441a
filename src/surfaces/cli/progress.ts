/** Long work on a terminal is a bar; in a pipe it is a line now and then. Always on stderr. */
import type { Progress } from '../../model/progress.ts'

export interface Terminal {
  readonly isTerminal: boolean
  readonly columns: number
  write(text: string): void
  now(): number
}

/** Work that ends sooner than this is not worth a word. */
const PATIENCE_MS = 400
const REDRAW_MS = 80
const LINE_EVERY_MS = 5000
/** What is done in the first moments says little of the rest: threads start, and code is cold. */
const STEADY_AFTER_MS = 1500

export function terminalProgress(terminal: Terminal): Progress {
  let label = ''
  let total = 0
  let done = 0
  let bytes = 0
  let first: Point | undefined
  let startedAt = 0
  let shownAt = 0
  let isShown = false
  const show = (): void => {
    const now = terminal.now()
    // What is at its end when the first word could be said needs none.
    if (!isShown && total > 0 && done >= total) return
    const interval = terminal.isTerminal ? REDRAW_MS : LINE_EVERY_MS
    if (now - startedAt < PATIENCE_MS || (isShown && now - shownAt < interval)) return
    shownAt = now
    isShown = true
    const state = { label, total, done, pace: paceSince(first, { at: now, done, bytes }) }
    terminal.write(
      terminal.isTerminal ? `\r${barLine(state, terminal.columns)}\x1b[K` : `${plainLine(state)}\n`,
    )
  }
  return {
    begin(newLabel, newTotal) {
      label = newLabel
      total = newTotal
      done = 0
      bytes = 0
      first = undefined
      startedAt = terminal.now()
      isShown = false
    },
    advance(count, size = 0) {
      done += count
      bytes += size
      first ??= { at: terminal.now(), done, bytes }
      show()
    },
    end() {
      if (isShown && terminal.isTerminal) terminal.write('\r\x1b[K')
    },
  }
}

interface State {
  readonly label: string
  /** 0 where nobody knows. */
  readonly total: number
  readonly done: number
  readonly pace: Pace | undefined
}

/** How much was done when. */
interface Point {
  readonly at: number
  readonly done: number
  readonly bytes: number
}

interface Pace {
  readonly perMs: number
  readonly bytesPerMs: number
}

/** From the first that was done on: what came before it was getting ready. */
function paceSince(first: Point | undefined, now: Point): Pace | undefined {
  if (first === undefined || now.at - first.at < STEADY_AFTER_MS) return undefined
  const time = now.at - first.at
  return {
    perMs: (now.done - first.done) / time,
    bytesPerMs: (now.bytes - first.bytes) / time,
  }
}

function plainLine(state: State): string {
  if (state.total === 0) return `${state.label}: ${state.done} so far`
  return `${state.label}: ${state.done} of ${state.total}${withLeft(state, ', ')}`
}

function barLine(state: State, columns: number): string {
  if (state.total === 0) return plainLine(state).slice(0, Math.max(0, columns - 1))
  const share = state.done / state.total
  const after = ` ${state.done}/${state.total}${withLeft(state, ' ')}`
  const width = Math.max(0, Math.min(32, columns - state.label.length - after.length - 4))
  const full = Math.round(share * width)
  const line = `${state.label} ${'━'.repeat(full)}${'╌'.repeat(width - full)}${after}`
  return line.slice(0, Math.max(0, columns - 1))
}

/** How fast it goes and how long it takes, once that can be told. */
function withLeft({ pace, total, done }: State, mark: string): string {
  if (pace === undefined || pace.perMs <= 0) return ''
  const seconds = Math.ceil((total - done) / pace.perMs / 1000)
  const speed = (pace.bytesPerMs / 1000).toFixed(1)
  const read = pace.bytesPerMs === 0 ? '' : ` ${speed} MB/s,`
  return `${mark}${Math.round(pace.perMs * 1000)}/s,${read} ${seconds} s left`
}
