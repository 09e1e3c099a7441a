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

export function terminalProgress(terminal: Terminal): Progress {
  let label = ''
  let total = 0
  let done = 0
  let bytes = 0
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
    const state = { label, total, done, bytes, elapsedMs: now - startedAt }
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
      startedAt = terminal.now()
      isShown = false
    },
    advance(count, size = 0) {
      done += count
      bytes += size
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
  readonly bytes: number
  readonly elapsedMs: number
}

function plainLine(state: State): string {
  if (state.total === 0) return `${state.label}: ${state.done} so far`
  return `${state.label}: ${state.done} of ${state.total}, ${left(state)}`
}

function barLine(state: State, columns: number): string {
  if (state.total === 0) return plainLine(state).slice(0, Math.max(0, columns - 1))
  const share = state.done / state.total
  const after = ` ${state.done}/${state.total} ${left(state)}`
  const width = Math.max(0, Math.min(32, columns - state.label.length - after.length - 4))
  const full = Math.round(share * width)
  const line = `${state.label} ${'━'.repeat(full)}${'╌'.repeat(width - full)}${after}`
  return line.slice(0, Math.max(0, columns - 1))
}

function left(state: State): string {
  const rate = state.done / Math.max(1, state.elapsedMs)
  const seconds = Math.ceil((state.total - state.done) / Math.max(rate, 1e-9) / 1000)
  const speed = state.bytes / 1000 / Math.max(1, state.elapsedMs)
  const read = state.bytes === 0 ? '' : ` ${speed.toFixed(1)} MB/s,`
  return `${Math.round(rate * 1000)}/s,${read} ${seconds} s left`
}
