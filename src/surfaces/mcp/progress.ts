/** Progress of a call as its client is told it: one number that only rises, a few times a second. */
import type { Progress } from '../../model/progress.ts'

export interface ProgressReport {
  readonly progress: number
  readonly total?: number
  readonly message: string
}

/** More often, and a client would be busy with showing it. */
const EVERY_MS = 200

export function clientProgress(
  send: (report: ProgressReport) => void,
  now: () => number,
): Progress {
  let phase = { label: '', total: 0, done: 0 }
  /** Of the phases that have ended. */
  let before = 0
  let sentAt = Number.NEGATIVE_INFINITY
  return {
    begin(label, total) {
      before += phase.done
      phase = { label, total, done: 0 }
      // The first step of each phase is told at once.
      sentAt = Number.NEGATIVE_INFINITY
    },
    advance(count) {
      phase.done += count
      const at = now()
      if (count === 0 || (at >= sentAt && at - sentAt < EVERY_MS)) return
      sentAt = at
      const { label, total, done } = phase
      const isCounted = total > 0
      send({
        progress: before + done,
        ...(isCounted ? { total: before + Math.max(total, done) } : {}),
        message: `${label}: ${done}${isCounted ? ` of ${total}` : ''}`,
      })
    },
    end: () => undefined,
  }
}
