/** As much of OpenAPI and JSON Schema as it takes to see that an exchange keeps to a description. */
import { isTree, nested, type Tree } from './tana-server.ts'

export interface Schema {
  readonly type?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly minLength?: number
  readonly maxLength?: number
}

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly schema: Schema
}

interface Operation {
  readonly parameters?: readonly Parameter[]
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }>
  >
}

export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

/** What is wrong with the request, each in a sentence. */
export function requestFaults(api: OpenApi, url: string): readonly string[] {
  const { pathname, searchParams } = new URL(url, 'http://127.0.0.1')
  const operation = operationOf(api, pathname)
  if (operation === undefined) return [`${pathname}: no such path`]
  const known = (operation.parameters ?? []).filter((it) => it.in === 'query')
  const given = nested(searchParams)
  const names = Object.keys(given).filter((name) => !known.some((it) => it.name === name))
  return [
    ...names.map((it) => `${pathname}: no parameter ${it}`),
    ...known.flatMap(({ name, required, schema }) => {
      const value = given[name]
      if (value === undefined) return required === true ? [`${name}: required`] : []
      return faults(typed(value, schema), schema, name)
    }),
  ]
}

export function answerFaults(api: OpenApi, url: string, answer: unknown): readonly string[] {
  const { pathname } = new URL(url, 'http://127.0.0.1')
  const content = operationOf(api, pathname)?.responses['200']?.content
  const schema = content?.['application/json']?.schema
  return schema === undefined ? [`${pathname}: no such path`] : faults(answer, schema, pathname)
}

/** A path without a place to fill in goes before one with. */
function operationOf(api: OpenApi, pathname: string): Operation | undefined {
  const exact = api.paths[pathname]?.['get']
  if (exact !== undefined) return exact
  const template = Object.keys(api.paths).find((it) =>
    new RegExp(`^${it.replace(/\{[^}]+\}/g, '[^/]+')}$`).test(pathname),
  )
  return template === undefined ? undefined : api.paths[template]?.['get']
}

/** A query string has texts alone: numbers are read as such, lists have their places as keys. */
function typed(value: string | Tree, schema: Schema): unknown {
  if (isTree(value)) {
    if (schema.type === 'array') {
      return Object.values(value).map((it) => typed(it, schema.items ?? {}))
    }
    const entries = Object.entries(value).map(([name, it]) => [
      name,
      typed(it, schema.properties?.[name] ?? {}),
    ])
    return Object.fromEntries(entries)
  }
  return schema.type === 'number' && value !== '' ? Number(value) : value
}

function faults(value: unknown, schema: Schema, at: string): readonly string[] {
  if (schema.anyOf !== undefined) {
    const fits = schema.anyOf.some((it) => faults(value, it, at).length === 0)
    return fits ? [] : [`${at}: fits none of the forms`]
  }
  if (schema.enum !== undefined && !schema.enum.includes(value)) return [`${at}: not in the list`]
  if (schema.const !== undefined && schema.const !== value) return [`${at}: another value`]
  if (schema.type !== undefined && typeOf(value) !== schema.type) {
    return [`${at}: ${typeOf(value)} instead of ${schema.type}`]
  }
  if (Array.isArray(value)) return listFaults(value, schema, at)
  if (typeof value === 'object' && value !== null) return objectFaults(value, schema, at)
  const size = typeof value === 'string' ? value.length : 0
  const isOut =
    (typeof value === 'number' &&
      (value < (schema.minimum ?? -Infinity) || value > (schema.maximum ?? Infinity))) ||
    size < (schema.minLength ?? 0) ||
    size > (schema.maxLength ?? Infinity)
  return isOut ? [`${at}: ${String(value)} is out of range`] : []
}

function listFaults(value: readonly unknown[], schema: Schema, at: string): readonly string[] {
  const isOut =
    value.length < (schema.minItems ?? 0) || value.length > (schema.maxItems ?? Infinity)
  const inside = value.flatMap((it, n) => faults(it, schema.items ?? {}, `${at}[${n}]`))
  return isOut ? [`${at}: ${value.length} items`, ...inside] : inside
}

function objectFaults(value: object, schema: Schema, at: string): readonly string[] {
  const { properties = {}, required = [] } = schema
  const missing = required.filter((name) => !Object.hasOwn(value, name))
  return [
    ...missing.map((name) => `${at}: no ${name}`),
    ...Object.entries(value).flatMap(([name, it]) => {
      const rule = properties[name]
      if (rule !== undefined) return faults(it, rule, `${at}.${name}`)
      return schema.properties === undefined ? [] : [`${at}: unknown ${name}`]
    }),
  ]
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}
