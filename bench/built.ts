/**
 * The program as its users get it, built into a folder of its own: what lies in `dist` may be of
 * another day, and somebody may be using it.
 */
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'tsdown'
import { buildVocabulary } from '../src/platform/tokenizer.ts'
import configs from '../tsdown.config.ts'

const PROJECT = join(import.meta.dirname, '..')

let built: Promise<string> | undefined

/** The file that the package's `bin` would be: built once, and gone with the process. */
export function builtProgram(): Promise<string> {
  built ??= buildProgram()
  return built
}

async function buildProgram(): Promise<string> {
  const top = mkdtempSync(join(tmpdir(), 'dossier-built-'))
  process.once('exit', () => rmSync(top, { recursive: true, force: true }))
  // Where the build looks for the packages that are no part of it.
  symlinkSync(join(PROJECT, 'node_modules'), join(top, 'node_modules'), 'junction')
  // What says that the modules are modules: without it Node has to find that out at every start.
  copyFileSync(join(PROJECT, 'package.json'), join(top, 'package.json'))
  const [config] = [configs].flat()
  const outDir = join(top, 'dist', 'bin')
  mkdirSync(outDir, { recursive: true })
  await build({
    ...config,
    config: false,
    cwd: PROJECT,
    outDir,
    logLevel: 'error',
    onSuccess: () => undefined,
  })
  buildVocabulary(join(top, 'dist', 'o200k.bin'))
  return join(outDir, 'main.js')
}
