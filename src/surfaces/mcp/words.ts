/**
 * Sentences that were written for the command line, in a client's words: of commands, the tools that
 * do the same; of flags, the inputs. What no tool does stays a command, for the person to run.
 */
import { flagName } from '../operations/words.ts'
import type { Tool } from './tools.ts'

/** `dossier ask --limit 3`, in backquotes. */
const COMMAND = /`dossier ([a-z][^`]*)`/g
const FLAG = /--([a-z][a-z-]*)/g

/** `own`: the tool that says it. */
export function inToolWords(text: string, own: Tool, tools: readonly Tool[]): string {
  return text
    .split(/(`dossier [^`]*`)/)
    .map((part) =>
      part.startsWith('`dossier ')
        ? part.replace(COMMAND, (whole, line: string) => asCall(line, tools) ?? whole)
        : withInputs(part, own),
    )
    .join('')
}

/** Undefined where no tool does it, or not with these flags. */
function asCall(line: string, tools: readonly Tool[]): string | undefined {
  const tool = tools
    .filter(({ operation: { name } }) => `${line} `.startsWith(`${name} `))
    .reduce<Tool | undefined>(
      (best, it) =>
        best === undefined || it.operation.name.length > best.operation.name.length ? it : best,
      undefined,
    )
  if (tool === undefined) return undefined
  const rest = withInputs(line.slice(tool.operation.name.length).trim(), tool)
  if (rest.includes('--')) return undefined
  return rest === '' ? tool.name : `${tool.name} with ${rest}`
}

/** A flag that is no input of the tool is left as it is. */
function withInputs(text: string, { input }: Tool): string {
  const inputs = new Map(Object.keys(input.shape).map((key) => [flagName(key), key]))
  return text.replace(FLAG, (flag, name: string) => inputs.get(name) ?? flag)
}
