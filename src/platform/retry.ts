/** Repeats a request that may succeed the next time, with pauses that double. */
import { setTimeout as sleep } from 'node:timers/promises'

export interface RetryPolicy {
  /** How many attempts there are altogether. */
  readonly tries: number
  /** The first pause; each further one is twice as long. */
  readonly pauseMs: number
  readonly longestPauseMs: number
  pause?(milliseconds: number, signal: AbortSignal): Promise<void>
}

export interface Attempt<T> {
  readonly result: T
  readonly mayRetry: boolean
  /** How long the server asks us to wait. */
  readonly waitMs?: number | undefined
}

/** The result of the first attempt that is final, or of the last one. Rejects when aborted in a pause. */
export async function retry<T>(
  policy: RetryPolicy,
  signal: AbortSignal,
  attempt: () => Promise<Attempt<T>>,
): Promise<T> {
  const pause = policy.pause ?? ((ms: number) => sleep(ms, undefined, { signal }))
  for (let tries = 1; ; tries += 1) {
    const { result, mayRetry, waitMs } = await attempt()
    if (!mayRetry || tries >= policy.tries) return result
    const usualMs = policy.pauseMs * 2 ** (tries - 1)
    await pause(Math.min(waitMs ?? usualMs, policy.longestPauseMs), signal)
  }
}

/** Too many requests, a timeout, or a server that fails at the moment. */
export function isTransientStatus(status: number): boolean {
  return status === 408 || status === 429 || status >= 500
}

/** The `Retry-After` header in milliseconds. Dates are ignored. */
export function readRetryAfter(headers: Headers): number | undefined {
  const seconds = headers.get('retry-after')?.trim() ?? ''
  return /^\d+(?:\.\d+)?$/.test(seconds) ? Number(seconds) * 1000 : undefined
}
