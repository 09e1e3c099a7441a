/** One section for each command: usage, arguments, options, examples. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { type Flag, formatFlagSpec, readInputs } from '../../src/surfaces/cli/flags.ts'
import type { Operation } from '../../src/surfaces/operations/operation.ts'
import { code, table } from './markdown.ts'

/** Every command with its summary, as an overview with links. */
export function listCommands(operations: readonly Operation[]): string {
  const rows = operations.map(({ name, summary }) => [
    `[${code(name)}](#dossier-${name.replaceAll(' ', '-')})`,
    summary,
  ])
  const others = OTHER_COMMANDS.map((name) => `[${code(name)}](#dossier-${name})`)
  return lines([
    ...table(['command', 'what it does'], rows),
    '',
    `Three more commands work on all of these: ${others.join(', ')}.`,
  ])
}

export function describeCommand(operation: Operation): string {
  const { positionals: places, flags } = readInputs(operation)
  const { tool } = operation
  return lines([
    `### dossier ${operation.name}`,
    '',
    operation.summary,
    ...(tool === undefined ? [] : [`Over MCP: ${code(tool)}.`]),
    '',
    ...fenced([usage(operation.name, places)]),
    '',
    ...withBlank(table(['argument', 'what it is'], places.map(describePlace))),
    ...withBlank(table(['option', 'default', 'what it does'], flags.map(describeFlag))),
    ...fenced(operation.examples.map((it) => `${it.command}  # ${it.purpose}`)),
  ])
}

function usage(name: string, places: readonly Flag[]): string {
  const words = places.map(({ long, kind, isRequired }) => {
    const word = kind === 'list' ? `${long}...` : long
    return isRequired ? `<${word}>` : `[${word}]`
  })
  return ['dossier', name, ...words, '[options]'].join(' ')
}

function describePlace(place: Flag): readonly string[] {
  return [code(place.long), sentence(place)]
}

function describeFlag(flag: Flag): readonly string[] {
  return [formatFlagSpec(flag).split(', ').map(code).join(', '), defaultOf(flag), sentence(flag)]
}

function sentence({ description, choices }: Flag): string {
  return choices === undefined
    ? description
    : `${description} One of ${choices.map(code).join(', ')}.`
}

function defaultOf({ kind, fallback, isRequired }: Flag): string {
  if (isRequired) return 'required'
  if (kind === 'switch' || fallback === undefined) return ''
  return code(Array.isArray(fallback) ? fallback.join(',') : String(fallback))
}

/** Commands that are not operations: their help is all that describes them. */
export const OTHER_COMMANDS = ['mcp', 'shell', 'completion'] as const

const MAIN = join(import.meta.dirname, '..', '..', 'src', 'main.ts')

/** Run with a pipe for its output, so that the width of a terminal changes nothing. */
export function describeOtherCommand(name: string): string {
  const done = spawnSync(process.execPath, [MAIN, name, '--help'], { encoding: 'utf8' })
  if (done.status !== 0) throw new Error(`dossier ${name} --help failed: ${done.stderr}`)
  return lines([`### dossier ${name}`, '', ...fenced([done.stdout.trimEnd()])])
}

function fenced(text: readonly string[]): readonly string[] {
  return ['```text', ...text, '```']
}

function withBlank(block: readonly string[]): readonly string[] {
  return block.length === 0 ? [] : [...block, '']
}

function lines(all: readonly string[]): string {
  return `${all.join('\n')}\n`
}
