/** Settings of a request under a name, to try them beside others: `sparse=seedProvider:sparse`. */
import { nearest } from '../../base/nearest.ts'
import { EngineError } from '../../model/engine-error.ts'
import {
  DIRECTIONS,
  EDGE_TYPES,
  INTENTS,
  ORDERINGS,
  RENDERINGS,
  SEED_MODES,
  SEED_PROVIDERS,
  STRICTNESSES,
} from '../../model/pack-request.ts'

export interface NamedSettings {
  readonly name: string
  /** As they were given: `seedProvider:sparse,maxHops:1`. */
  readonly given: string
  /** Fields of a request, those within others nested as there. */
  readonly fields: Fields
}

export type Fields = Readonly<Record<string, unknown>>

/**
 * A text with `=` begins a name; one without goes on with the settings of the name before, as a
 * command line may take lists apart at their commas.
 */
export function readSettings(texts: readonly string[]): readonly NamedSettings[] {
  const named: { readonly name: string; readonly parts: string[] }[] = []
  for (const text of texts.flatMap((it) => it.split(',')).map((it) => it.trim())) {
    const equals = text.indexOf('=')
    if (equals >= 0) named.push({ name: text.slice(0, equals), parts: [text.slice(equals + 1)] })
    else named.at(-1)?.parts.push(text)
    if (named.length === 0 || named.at(-1)?.name === '') throw unnamed(text)
  }
  const names = named.map((it) => it.name)
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined)
    throw invalid(`two settings are called ${twice}`, 'give each its own name')
  return named.map(({ name, parts }) => {
    const own = parts.filter((it) => it !== '')
    return { name, given: own.join(','), fields: fieldsOf(own) }
  })
}

type Read = (value: string) => unknown

interface Setting {
  /** The field that it lies in; undefined for the request itself. */
  readonly within?: string
  /** Its name there, where that is another one. */
  readonly field?: string
  readonly choices: readonly string[]
  readonly read: Read
}

const SETTINGS: Readonly<Record<string, Setting>> = {
  seedMode: oneOf(SEED_MODES),
  seedProvider: oneOf(SEED_PROVIDERS),
  intent: oneOf(INTENTS),
  strictness: oneOf(STRICTNESSES),
  rendering: oneOf(RENDERINGS),
  fill: yesOrNo(undefined),
  ordering: { ...oneOf(ORDERINGS), within: 'ordering', field: 'primary' },
  maxHops: number('expansion'),
  direction: { ...oneOf(DIRECTIONS), within: 'expansion' },
  edgeTypes: someOf(EDGE_TYPES),
  includeSameFileNeighbors: yesOrNo('expansion'),
  includeImports: yesOrNo('expansion'),
  includeExports: yesOrNo('expansion'),
  includeDataflow: yesOrNo('expansion'),
  requireEvidence: yesOrNo('expansion'),
  maxItems: number('budgets'),
  maxItemsPerSection: number('budgets'),
  maxBytesPerItem: number('budgets'),
  maxTotalChars: number('budgets'),
}

function oneOf(choices: readonly string[]): Setting {
  return { choices, read: (value) => (choices.includes(value) ? value : undefined) }
}

function someOf(choices: readonly string[]): Setting {
  return {
    within: 'expansion',
    choices: [choices.join('+')],
    read: (value) => {
      const parts = value.split('+')
      return parts.every((it) => choices.includes(it)) ? parts : undefined
    },
  }
}

function number(within: string): Setting {
  return {
    within,
    choices: ['a whole number'],
    read: (value) => (/^\d+$/.test(value) ? Number(value) : undefined),
  }
}

function yesOrNo(within: string | undefined): Setting {
  const place = within === undefined ? {} : { within }
  return { ...oneOf(['true', 'false']), ...place, read: (value) => YES_OR_NO.get(value) }
}

const YES_OR_NO = new Map([
  ['true', true],
  ['false', false],
])

function fieldsOf(parts: readonly string[]): Fields {
  const fields: Record<string, unknown> = {}
  for (const part of parts) {
    const [key = '', ...rest] = part.split(':')
    const setting = Object.hasOwn(SETTINGS, key) ? SETTINGS[key] : undefined
    if (setting === undefined) throw unknownSetting(key)
    const value = setting.read(rest.join(':'))
    if (value === undefined) {
      throw invalid(
        `${key} cannot be ${rest.join(':') || 'nothing'}`,
        `${key} is one of: ${setting.choices.join(', ')}`,
      )
    }
    const { within, field = key } = setting
    if (within === undefined) fields[field] = value
    else fields[within] = { ...(fields[within] as Fields | undefined), [field]: value }
  }
  return fields
}

function unknownSetting(key: string): EngineError {
  const names = Object.keys(SETTINGS)
  const near = nearest(key, names, 3)
  return invalid(
    `there is no setting ${key}`,
    `${near.length > 0 ? 'perhaps' : 'there are'} ${(near.length > 0 ? near : names).join(', ')}`,
  )
}

function unnamed(text: string): EngineError {
  return invalid(`these settings have no name: ${text}`, 'write NAME=key:value,key:value')
}

function invalid(message: string, hint: string): EngineError {
  return new EngineError('POC_E_REQUEST_INVALID', message, { hint })
}
