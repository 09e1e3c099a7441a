/**
 * Translates messages written for the command line: commands become tool names and flags become
 * inputs. A command without a tool stays, for the user to run.
 */
import { formatFlagName } from '../operations/format-values.ts'
import type { Tool } from './tools.ts'

/** `dossier ask --limit 3`, in backquotes. */
const COMMAND = /`dossier ([a-z][^`]*)`/g
const FLAG = /--([a-z][a-z-]*)/g

/** `currentTool`: the tool that returns the message. */
export function translateCommands(text: string, currentTool: Tool, tools: readonly Tool[]): string {
  return text
    .split(/(`dossier [^`]*`)/)
    .map((part) =>
      part.startsWith('`dossier ')
        ? part.replace(COMMAND, (whole, line: string) => formatToolCall(line, tools) ?? whole)
        : translateFlags(part, currentTool),
    )
    .join('')
}

/** Undefined if no tool does it, or not with these flags. */
function formatToolCall(line: string, tools: readonly Tool[]): string | undefined {
  const tool = tools
    .filter(({ operation: { name } }) => `${line} `.startsWith(`${name} `))
    .reduce<Tool | undefined>(
      (best, it) =>
        best === undefined || it.operation.name.length > best.operation.name.length ? it : best,
      undefined,
    )
  if (tool === undefined) return undefined
  const rest = translateFlags(line.slice(tool.operation.name.length).trim(), tool)
  if (rest.includes('--')) return undefined
  return rest === '' ? tool.name : `${tool.name} with ${rest}`
}

/** A flag that is not an input of the tool is kept. */
function translateFlags(text: string, { input }: Tool): string {
  const inputs = new Map(Object.keys(input.shape).map((key) => [formatFlagName(key), key]))
  return text.replace(FLAG, (flag, name: string) => inputs.get(name) ?? flag)
}
