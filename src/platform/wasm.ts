/** Settings of the engine that compiled code in wasm depends on. */
import { setFlagsFromString } from 'node:v8'
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads'

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

/** While they are off, a module is compiled as a whole, at once, and never again. */
const RECOMPILE_FLAGS = ['wasm-lazy-compilation', 'wasm-dynamic-tiering', 'wasm-tier-up']
/** The engine knows a module by its bytes, and has one code for them as long as it is held. */
const held: object[] = []

/** What is used of it; the types of Node leave it out. */
declare const WebAssembly: { readonly Module: new (bytes: Uint8Array) => object }

/**
 * Compiles a module quickly and for good. The lexer of a grammar is one function of up to a million
 * bytes: to compile it better takes the engine a second and hundreds of megabytes, and nothing is
 * parsed faster for it. All other modules are left to the engine.
 */
export function compileOnce(bytes: Uint8Array<ArrayBuffer>): void {
  runExclusively(() => {
    for (const flag of RECOMPILE_FLAGS) setFlagsFromString(`--no-${flag}`)
    try {
      held.push(new WebAssembly.Module(bytes))
    } finally {
      for (const flag of RECOMPILE_FLAGS) setFlagsFromString(`--${flag}`)
    }
  })
}

const TURN = 'dossier.wasm.turn'
const FREE = 0
const TAKEN = 1

/** Before threads are started: flags are of the process, so who sets them must be the only one. */
export function shareTurn(): void {
  getSharedTurn()
}

function getSharedTurn(): Int32Array<SharedArrayBuffer> {
  const known = getEnvironmentData(TURN)
  if (known instanceof SharedArrayBuffer) return new Int32Array(known)
  const made = new SharedArrayBuffer(4)
  setEnvironmentData(TURN, made)
  return new Int32Array(made)
}

/** One thread after the other, of all that were started after the first turn. */
function runExclusively(action: () => void): void {
  const shared = getSharedTurn()
  while (Atomics.compareExchange(shared, 0, FREE, TAKEN) !== FREE) Atomics.wait(shared, 0, TAKEN)
  try {
    action()
  } finally {
    Atomics.store(shared, 0, FREE)
    Atomics.notify(shared, 0, 1)
  }
}
