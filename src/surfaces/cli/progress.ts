/** Long work on a terminal is a bar; in a pipe it is a line now and then. Always on stderr. */
import type { Progress } from '../../model/progress.ts'

export interface Terminal {
  readonly isTerminal: boolean
  readonly columns: number
  write(text: string): void
  now(): number
}

/** Shorter work shows no progress. */
const SILENT_MS = 400
const REDRAW_MS = 80
const LINE_EVERY_MS = 5000
/** The first moments do not predict the pace: threads start, and code is not optimized yet. */
const STEADY_AFTER_MS = 1500

export function createTerminalProgress(terminal: Terminal): Progress {
  let label = ''
  let total = 0
  let done = 0
  let bytes = 0
  let first: ProgressPoint | undefined
  let startedAt = 0
  let shownAt = 0
  let isShown = false
  const show = (): void => {
    const now = terminal.now()
    // Work that is complete before its progress is shown stays silent.
    if (!isShown && total > 0 && done >= total) return
    const interval = terminal.isTerminal ? REDRAW_MS : LINE_EVERY_MS
    if (now - startedAt < SILENT_MS || (isShown && now - shownAt < interval)) return
    shownAt = now
    isShown = true
    const state = { label, total, done, pace: computePace(first, { at: now, done, bytes }) }
    terminal.write(
      terminal.isTerminal
        ? `\r${renderBar(state, terminal.columns)}\x1b[K`
        : `${renderPlainLine(state)}\n`,
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

interface BarState {
  readonly label: string
  /** 0 if unknown. */
  readonly total: number
  readonly done: number
  readonly pace: Pace | undefined
}

/** The work done at a point in time. */
interface ProgressPoint {
  readonly at: number
  readonly done: number
  readonly bytes: number
}

interface Pace {
  readonly perMs: number
  readonly bytesPerMs: number
}

/** Measured from the first completed item: the time before it was startup. */
function computePace(first: ProgressPoint | undefined, now: ProgressPoint): Pace | undefined {
  if (first === undefined || now.at - first.at < STEADY_AFTER_MS) return undefined
  const time = now.at - first.at
  return {
    perMs: (now.done - first.done) / time,
    bytesPerMs: (now.bytes - first.bytes) / time,
  }
}

function renderPlainLine(state: BarState): string {
  if (state.total === 0) return `${state.label}: ${state.done} so far`
  return `${state.label}: ${state.done} of ${state.total}${renderTimeLeft(state, ', ')}`
}

function renderBar(state: BarState, columns: number): string {
  if (state.total === 0) return renderPlainLine(state).slice(0, Math.max(0, columns - 1))
  const share = state.done / state.total
  const after = ` ${state.done}/${state.total}${renderTimeLeft(state, ' ')}`
  const width = Math.max(0, Math.min(32, columns - state.label.length - after.length - 4))
  const full = Math.round(share * width)
  const line = `${state.label} ${'━'.repeat(full)}${'╌'.repeat(width - full)}${after}`
  return line.slice(0, Math.max(0, columns - 1))
}

/** Pace and remaining time, once they are known. */
function renderTimeLeft({ pace, total, done }: BarState, mark: string): string {
  if (pace === undefined || pace.perMs <= 0) return ''
  const seconds = Math.ceil((total - done) / pace.perMs / 1000)
  const speed = (pace.bytesPerMs / 1000).toFixed(1)
  const read = pace.bytesPerMs === 0 ? '' : ` ${speed} MB/s,`
  return `${mark}${Math.round(pace.perMs * 1000)}/s,${read} ${seconds} s left`
}
