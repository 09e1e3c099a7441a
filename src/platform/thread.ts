/** Another thread, for work that would keep this one waiting. What it runs is the program's business. */
import { Program } from './program.ts'

export interface Thread {
  /** Hands over one message; resolves to the program's answer. Messages are taken in order. */
  ask(message: unknown): Promise<unknown>
  close(): Promise<void>
}

export function startThread(program: URL): Thread {
  const thread = new Program(program)
  return { ask: (message) => thread.ask(message), close: () => thread.end() }
}
