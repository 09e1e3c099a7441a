/** The MCP tools and their inputs, as a client lists them. */
import { LENSES } from '../../src/packs/notes/lenses.ts'
import { z } from '../../src/platform/schema.ts'
import { createTools, type Tool } from '../../src/surfaces/mcp/tools.ts'
import type { Operation } from '../../src/surfaces/operations/operation.ts'
import { code, table } from './markdown.ts'

const HEAD = `## MCP tools

What [\`dossier mcp\`](#dossier-mcp) serves decides which tools there are: a repository, a docs pack, or notes.
With more than one repository or docs pack, each of its tools also has an input \`repo\` or \`segment\` that names one.
A tool that is not listed can still be called.
`

const WHEN = {
  flow: 'Listed once the repository has a flow, or with `--tools all`.',
  all: 'Listed with `--tools all`.',
} as const

/** One of each kind that a server can serve. */
const SERVED = {
  segments: [{ name: 'docs', segment: 'docs', repoRoot: undefined }],
  repositories: [{ name: 'repository', path: '.' }],
  notes: { aliases: ['work'], lenses: LENSES.map((it) => it.name) },
} as const

export function describeTools(operations: readonly Operation[]): string {
  const tools = createTools({ operations, ...SERVED }, false)
  return [HEAD, ...tools.map(describeTool)].join('\n')
}

function describeTool({ name, aliases, operation, input }: Tool): string {
  const schema = z.toJSONSchema(input, { io: 'input' })
  const required = new Set(schema.required)
  const rows = Object.entries(schema.properties ?? {}).map(([key, property]) =>
    describeInput(key, property, required.has(key)),
  )
  const { toolWhen, toolAliases = {} } = operation
  const more = [
    ...(aliases.length === 0 ? [] : [`Also answers to ${aliases.map(code).join(', ')}.`]),
    ...Object.keys(toolAliases).map((it) => `Also accepts the input ${code(it)}.`),
    ...(toolWhen === undefined ? [] : [WHEN[toolWhen]]),
  ]
  const about = [operation.toolSummary ?? operation.summary, ...more]
  const inputs =
    rows.length === 0 ? ['No inputs.'] : table(['input', 'type', 'default', 'what it is'], rows)
  return `${[`### ${name}`, '', ...about, '', ...inputs].join('\n')}\n`
}

type Property = z.core.JSONSchema._JSONSchema

function describeInput(key: string, property: Property, isRequired: boolean): readonly string[] {
  if (typeof property === 'boolean') return [code(key), '', '', '']
  const fallback = property.default === undefined ? '' : code(JSON.stringify(property.default))
  return [
    code(key),
    typeName(property),
    isRequired ? 'required' : fallback,
    property.description ?? '',
  ]
}

function typeName(property: Property): string {
  if (typeof property === 'boolean') return 'any'
  const { enum: choices, anyOf, items, type } = property
  if (choices !== undefined) return choices.map((it) => code(String(it))).join(', ')
  if (anyOf !== undefined) return anyOf.map(typeName).join(' or ')
  if (type === 'array' && !Array.isArray(items) && items !== undefined)
    return `list of ${typeName(items)}`
  return [type ?? 'any'].flat().join(' or ')
}
