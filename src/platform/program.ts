/** One thread with its program, which answers tasks: both sides of it. */
import { parentPort, type ResourceLimits, Worker, workerData } from 'node:worker_threads'

/** A thread ended over what it was asked, and not because somebody wanted it to. */
export class ThreadEnded extends Error {
  override readonly name = 'ThreadEnded'
}

/** By this a module knows that it is the program of a thread, and not imported by somebody. */
const IS_PROGRAM = 'dossier.program'

type ProgramAnswer =
  | { readonly isReady: true }
  | { readonly number: number; readonly value: unknown }
  | { readonly number: number; readonly error: unknown }

interface PendingQuestion {
  resolve(value: unknown): void
  reject(error: unknown): void
}

export class Program {
  readonly #worker: Worker
  readonly #questions = new Map<number, PendingQuestion>()
  readonly #ended: Promise<void>
  #asked = 0
  #isReady = false
  #isAlive = true
  /** Why questions are not answered any more. */
  #reason: unknown

  constructor(program: URL, resourceLimits: ResourceLimits = {}) {
    this.#worker = new Worker(program, { workerData: IS_PROGRAM, resourceLimits })
    this.#worker.on('message', (answer: ProgramAnswer) => this.#answered(answer))
    this.#worker.on('error', (error) => {
      this.#isAlive = false
      this.#reason ??= this.#reasonOf(error)
    })
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#ended = promise
    this.#worker.on('exit', (code) => {
      this.#isAlive = false
      this.#reason ??= this.#reasonOf(new Error(`ended with status ${code}`))
      for (const { reject } of this.#questions.values()) reject(this.#reason)
      this.#questions.clear()
      resolve()
    })
    // Nobody waits for a thread that has nothing to do.
    this.#worker.unref()
  }

  get isAlive(): boolean {
    return this.#isAlive
  }

  /** Questions are taken in order; those that come together may be answered side by side. */
  ask(task: unknown): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    if (!this.#isAlive) {
      reject(this.#reason)
      return promise
    }
    this.#asked += 1
    this.#questions.set(this.#asked, { resolve, reject })
    this.#worker.ref()
    this.#worker.postMessage({ number: this.#asked, task }, [])
    return promise
  }

  async end(): Promise<void> {
    this.#isAlive = false
    this.#reason ??= new Error('the thread was ended before it was done')
    await this.#worker.terminate()
    await this.#ended
  }

  #answered(answer: ProgramAnswer): void {
    if ('isReady' in answer) {
      this.#isReady = true
      return
    }
    const question = this.#questions.get(answer.number)
    this.#questions.delete(answer.number)
    if (this.#questions.size === 0) this.#worker.unref()
    if ('error' in answer) question?.reject(answer.error)
    else question?.resolve(answer.value)
  }

  /** A program that cannot even begin is no matter of its tasks. */
  #reasonOf(error: unknown): unknown {
    const said = error instanceof Error ? error.message : String(error)
    if (isFull(error)) return new ThreadEnded('its thread ran out of memory', { cause: error })
    return this.#isReady ? new ThreadEnded(`its thread failed: ${said}`, { cause: error }) : error
  }
}

function isFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
}

/** A thread's own side: the module that calls this is a program. */
export function answerTasks(answer: (task: never) => unknown): void {
  const port = parentPort
  if (port === null || workerData !== IS_PROGRAM) return
  port.on(
    'message',
    async ({ number, task }: { readonly number: number; readonly task: never }) => {
      try {
        const value = await answer(task)
        if (value instanceof TransferredValue)
          port.postMessage({ number, value: value.value }, value.moved)
        else port.postMessage({ number, value }, [])
      } catch (error) {
        port.postMessage({ number, error }, [])
      }
    },
  )
  port.postMessage({ isReady: true }, [])
}

class TransferredValue {
  readonly value: object
  readonly moved: ArrayBuffer[]

  constructor(value: object, moved: ArrayBuffer[]) {
    this.value = value
    this.moved = moved
  }
}

/**
 * For the answer of a program: the listed buffers are transferred, everything else is copied.
 * Without a thread nothing needs to be transferred.
 */
export function transfer(value: object, moved: ArrayBuffer[]): unknown {
  return workerData === IS_PROGRAM ? new TransferredValue(value, moved) : value
}
