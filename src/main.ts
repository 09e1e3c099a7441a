#!/usr/bin/env node
/** The `dossier` command. Says what is missing on an old Node before anything that needs a new one. */
const [major = 0] = process.versions.node.split('.').map(Number)
if (major < 24) {
  process.stderr.write(`dossier needs Node 24 or newer; this is ${process.version}\n`)
  process.exitCode = 2
} else {
  // Half of a short command's time is compiling modules; Node keeps the result from run to run.
  process.getBuiltinModule('node:module').enableCompileCache()
  const { start } = await import('./start.ts')
  process.exitCode = await start(process.argv.slice(2))
}
