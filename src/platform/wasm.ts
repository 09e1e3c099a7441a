/** Settings of the engine that compiled code in wasm depends on. */
import { setFlagsFromString } from 'node:v8'

let isDone = false

/**
 * - Compiled code is kept until the process ends. The engine would free what it has compiled better
 *   since, and with several threads it sometimes loses count of its pages and ends the process
 *   ("Check failed: jit_page.has_value()", V8 of Node 24).
 * - Code is compiled better only when it is very hot. The lexers of grammars are single functions of
 *   a size that takes the optimising compiler hundreds of megabytes and a second each: a small
 *   repository in many languages took 2.7 GB and 4.3 s to read, and takes 1.2 GB and 2.9 s so.
 */
export function settleForGrammars(): void {
  if (isDone) return
  isDone = true
  setFlagsFromString('--no-wasm-code-gc')
  setFlagsFromString('--wasm-tiering-budget=400000000')
}
