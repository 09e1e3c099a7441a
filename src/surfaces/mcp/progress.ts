/** Reports the progress of a call to its client: one increasing number, a few times a second. */
import type { Progress } from '../../model/progress.ts'

export interface ProgressReport {
  readonly progress: number
  readonly total?: number
  readonly message: string
}

/** Minimum interval, so that clients are not flooded. */
const MIN_INTERVAL_MS = 200

export function createClientProgress(
  send: (report: ProgressReport) => void,
  now: () => number,
): Progress {
  let phase = { label: '', total: 0, done: 0 }
  /** Progress of completed phases. */
  let before = 0
  let sentAt = Number.NEGATIVE_INFINITY
  return {
    begin(label, total) {
      before += phase.done
      phase = { label, total, done: 0 }
      // The first step of each phase is reported at once.
      sentAt = Number.NEGATIVE_INFINITY
    },
    advance(count) {
      phase.done += count
      const at = now()
      if (count === 0 || (at >= sentAt && at - sentAt < MIN_INTERVAL_MS)) return
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
