/** Settings of the engine that compiled code in wasm depends on. */
import { setFlagsFromString } from 'node:v8'

let isDone = false

/**
 * Compiled code is kept until the process ends. The engine would free what it has compiled better
 * since, and with several threads it sometimes loses count of its pages and ends the process
 * ("Check failed: jit_page.has_value()", V8 of Node 24).
 */
export function keepCompiledCode(): void {
  if (!isDone) setFlagsFromString('--no-wasm-code-gc')
  isDone = true
}
