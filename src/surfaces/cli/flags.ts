/** Command-line flags, read off the input schema of an operation. */
import { z } from 'zod'
import type { Operation } from '../operations/operation.ts'

export interface Flag {
  /** The input's own name: `maxTokens`. */
  readonly key: string
  /** `max-tokens` */
  readonly long: string
  readonly short?: string
  readonly kind: 'switch' | 'text' | 'number' | 'list'
  readonly description: string
  readonly choices?: readonly string[]
  readonly fallback?: unknown
  readonly isRequired: boolean
  /** Whether commas part what is given to a list. */
  readonly isSplit: boolean
}

interface Property {
  readonly type?: string
  readonly description?: string
  readonly enum?: readonly string[]
  readonly default?: unknown
}

export interface Inputs {
  /** What is given by place, in order. */
  readonly places: readonly Flag[]
  /** What is given by name; what is given by place is not among them. */
  readonly flags: readonly Flag[]
}

export function inputsOf(operation: Operation): Inputs {
  const { positional = [] } = operation
  const all = allInputs(operation)
  return {
    places: positional.flatMap((key) => all.find((it) => it.key === key) ?? []),
    flags: all.filter((it) => !positional.includes(it.key)),
  }
}

function allInputs(operation: Operation): readonly Flag[] {
  const schema = z.toJSONSchema(operation.input, { io: 'input' })
  const required = new Set(schema.required ?? [])
  return Object.entries(schema.properties ?? {}).map(([key, value]) => {
    const property = value as Property
    const short = operation.short?.[key]
    return {
      key,
      long: longName(key, property),
      ...(short === undefined ? {} : { short }),
      kind: kindOf(property),
      description: property.description ?? '',
      ...(property.enum === undefined ? {} : { choices: property.enum }),
      ...(property.default === undefined ? {} : { fallback: property.default }),
      isRequired: required.has(key),
      isSplit: operation.unsplit?.includes(key) !== true,
    }
  })
}

/** What is on unless told is told by `--no-…`. */
function longName(key: string, property: Property): string {
  const words = key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  return property.type === 'boolean' && property.default === true ? `no-${words}` : words
}

function kindOf(property: Property): Flag['kind'] {
  if (property.type === 'boolean') return 'switch'
  if (property.type === 'array') return 'list'
  return property.type === 'integer' || property.type === 'number' ? 'number' : 'text'
}

/** `-s, --segment <text>`, as commander wants it. */
export function flagSpec(flag: Flag): string {
  const value =
    flag.kind === 'switch' ? '' : ` <${flag.choices?.join('|') ?? VALUE_NAMES[flag.kind]}>`
  return `${flag.short === undefined ? '' : `-${flag.short}, `}--${flag.long}${value}`
}

const VALUE_NAMES = { text: 'text', number: 'number', list: 'list', switch: '' } as const

/** A list may be repeated or joined by commas; a document's name may itself hold a comma. */
export function listItems(value: string): readonly string[] {
  const items = value.split(/(?<=:[0-9a-f]{10})\s*,\s*/)
  return (
    items
      // A document's name may begin with a space, so an id is taken as it stands.
      .flatMap((it) =>
        /:[0-9a-f]{10}$/.test(it) ? [it] : it.split(',').map((part) => part.trim()),
      )
  )
}
