/** The pack makers that are compared: how each gets ready, how it is asked, and how it is read. */
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { CheckoutText } from './checkout-text.ts'
import { installContextPacks } from './install.ts'
import {
  type Place,
  placesInContext,
  placesInExplore,
  placesInOurs,
  placesInSignatures,
  type Reading,
  signaturesIn,
} from './pieces.ts'

export interface PackTool {
  /** The name of its copy of the repository: tools that can share what is kept there have the same. */
  readonly copy: string
  readonly name: string
  /** A program with its arguments, to be run in the repository once. */
  readonly prepare: readonly string[]
  ask(query: string): readonly string[]
  /** What an agent would get to read, if it is not what was printed. */
  output?(folder: string): string
  /** Forgets what a question leaves behind for the next. */
  forget?(folder: string): void
  /** Where there is more than one way to use an answer, each counts for itself. */
  readonly readings: readonly PackReading[]
}

export interface PackReading {
  readonly name: string
  /** Of the text as far as the budget goes. */
  readonly read: Reading
  /** What the text tells to read next, in its order; read until the budget is used up. */
  readonly next?: Reading
}

/** None needs a network; the one that would report its use is told not to. */
export const QUIET = {
  CODEGRAPH_TELEMETRY: '0',
  CODEGRAPH_NO_DAEMON: '1',
  DO_NOT_TRACK: '1',
  NO_COLOR: '1',
}

export function ours(program: string, tokens: number): PackTool {
  const pack = [process.execPath, program, 'pack', '--quiet', '--fill', '--tokens', String(tokens)]
  return {
    copy: 'ours',
    name: 'ours',
    prepare: [process.execPath, program, 'index', '--quiet', '.'],
    ask: (query) => [...pack, '--', query],
    readings: [{ name: 'ours', read: placesInOurs }],
  }
}

export function peers(): readonly PackTool[] {
  const modules = installContextPacks()
  return [...codegraphs(modules), sigmap(modules)]
}

function codegraphs(modules: string): readonly PackTool[] {
  const program = join(modules, '@colbymchenry', 'codegraph', 'npm-shim.js')
  const commands = [
    { command: 'explore', read: placesInExplore },
    { command: 'context', read: placesInContext },
  ]
  return commands.map(({ command, read }) => {
    const name = `codegraph ${command}`
    return {
      copy: 'codegraph',
      name,
      prepare: [process.execPath, program, 'init', '--yes', '.'],
      ask: (query) => [process.execPath, program, command, '--', query],
      readings: [{ name, read }],
    }
  })
}

function sigmap(modules: string): PackTool {
  const program = join(modules, 'sigmap', 'gen-context.js')
  const flags = ['--top', String(FILES), '--no-squeeze', '--no-track']
  return {
    copy: 'sigmap',
    name: 'sigmap ask',
    prepare: [process.execPath, program],
    ask: (query) => [process.execPath, program, 'ask', query, ...flags],
    output: (folder) => readFileSync(join(folder, '.context', 'query-context.md'), 'utf8'),
    forget: (folder) => {
      for (const file of ['session.json', 'query-context.md'])
        rmSync(join(folder, '.context', file), { force: true })
    },
    readings: [
      { name: 'sigmap ask', read: placesInSignatures },
      { name: 'sigmap, then reading', read: placesInSignatures, next: pointedAt },
    ],
  }
}

/** More files than ten, its default, so that the budget is not left unused. */
const FILES = 30

/** The lines behind each signature; of a file whose signatures have none, the file. */
function pointedAt(text: string, checkout: CheckoutText): readonly Place[] {
  const files = Map.groupBy(signaturesIn(text), (it) => it.path)
  return [...files].flatMap(([path, own]) => {
    const ranges = own.flatMap(({ range }) => range ?? [])
    const all = [{ start: 1, end: checkout.lines(path).length }]
    return (ranges.length === 0 ? all : ranges).map((it) => ({ path, ...it }))
  })
}
