/** Derives command line flags from the input schema of an operation. */
import { z } from '../../platform/schema.ts'
import { formatFlagName } from '../operations/format-values.ts'
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
  /** Whether the value of a list is split at commas. */
  readonly isSplit: boolean
  /** Whether it may be given without a value. */
  readonly isBare: boolean
}

export interface CommandInputs {
  /** Positional arguments, in order. */
  readonly positionals: readonly Flag[]
  /** Flags, without positional arguments. */
  readonly flags: readonly Flag[]
}

export function readInputs(operation: Operation): CommandInputs {
  const { positional = [] } = operation
  const all = listInputs(operation)
  return {
    positionals: positional.flatMap((key) => all.find((it) => it.key === key) ?? []),
    flags: all.filter((it) => !positional.includes(it.key)),
  }
}

function listInputs(operation: Operation): readonly Flag[] {
  const { toolOnly = [] } = operation
  const given = Object.entries(operation.input.shape).filter(([key]) => !toolOnly.includes(key))
  return given.map(([key, schema]) => {
    const { inner, isRequired, fallback } = unwrapSchema(schema as InputSchema)
    const { def } = inner
    const kind = KINDS[def.type] ?? 'text'
    const short = operation.short?.[key]
    return {
      key,
      long: formatLongName(key, kind === 'switch' && fallback === true),
      ...(short === undefined ? {} : { short }),
      kind,
      description: z.globalRegistry.get(inner)?.description ?? '',
      ...(def.type === 'enum' ? { choices: Object.values(def.entries).map(String) } : {}),
      ...(fallback === undefined ? {} : { fallback }),
      isRequired,
      isSplit: operation.unsplit?.includes(key) !== true,
      isBare: operation.bareFlags?.includes(key) === true,
    }
  })
}

/**
 * Schemas that are possible on a command line. Converting to JSON Schema would take ten times as
 * long.
 */
type GivenSchema =
  | z.ZodMiniString
  | z.ZodMiniNumber
  | z.ZodMiniBoolean
  | z.ZodMiniEnum
  | z.ZodMiniArray
type InputSchema = GivenSchema | z.ZodMiniOptional<GivenSchema> | z.ZodMiniDefault<GivenSchema>

interface Unwrapped {
  readonly inner: GivenSchema
  readonly isRequired: boolean
  readonly fallback?: unknown
}

function unwrapSchema(schema: InputSchema): Unwrapped {
  const { def } = schema
  if (def.type === 'optional') return { inner: def.innerType, isRequired: false }
  if (def.type === 'default')
    return { inner: def.innerType, isRequired: false, fallback: def.defaultValue }
  return { inner: schema as GivenSchema, isRequired: true }
}

const KINDS: Readonly<Partial<Record<string, Flag['kind']>>> = {
  boolean: 'switch',
  array: 'list',
  number: 'number',
}

/** A boolean that is on by default has a `--no-…` flag. */
function formatLongName(key: string, isOn: boolean): string {
  return isOn ? `no-${formatFlagName(key)}` : formatFlagName(key)
}

/**
 * `-s, --segment <text>`, as commander wants it. Choices are listed behind the description, where
 * they are wrapped: the widest of these decides how much room all descriptions have.
 */
export function formatFlagSpec(flag: Flag): string {
  const name = flag.choices === undefined ? VALUE_NAMES[flag.kind] : 'choice'
  const value = flag.kind === 'switch' ? '' : flag.isBare ? ` [${name}]` : ` <${name}>`
  return `${flag.short === undefined ? '' : `-${flag.short}, `}--${flag.long}${value}`
}

const VALUE_NAMES = { text: 'text', number: 'number', list: 'list', switch: '' } as const

/** List values may be repeated or separated by commas; document names may contain commas. */
export function splitList(value: string): readonly string[] {
  const items = value.split(/(?<=:[0-9a-f]{10})\s*,\s*/)
  return (
    items
      // A document's name may begin with a space, so an id is taken as it stands.
      .flatMap((it) =>
        /:[0-9a-f]{10}$/.test(it) ? [it] : it.split(',').map((part) => part.trim()),
      )
  )
}
