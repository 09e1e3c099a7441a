/** The vocabulary of calls: what is called, with which types, and what each argument is told. */
import { ROLE } from '../../model/facts.ts'
import type { Builder, Visitor } from './builder.ts'
import { type Part, part } from './rules.ts'

export interface CallFields {
  readonly callee: Part
  /** The node whose children are the arguments. */
  readonly args?: Part
  /** The node whose children are types that are passed as well. */
  readonly typeArgs?: Part
  /** Of a child of the argument list that is passed by name: the name and the value. */
  readonly byName?: (build: Builder, node: number) => NamedArgument | undefined
}

export interface NamedArgument {
  readonly name: string
  readonly value: number
  /** Where the name stands, if it is the name of a parameter and can be followed to it. */
  readonly at?: number
}

export function call(fields: CallFields): Visitor {
  return (build, node) => application(build, node, { ...fields, op: 'call' })
}

export function application(
  build: Builder,
  node: number,
  fields: CallFields & { readonly op: 'call' | 'make' },
): number {
  const callee = build.visitExpecting(part(build, node, fields.callee), 0)
  build.alsoAs(callee, fields.op === 'make' ? ROLE.call | ROLE.make : ROLE.call)
  const of = withTypes(build, callee, part(build, node, fields.typeArgs))
  const list = argumentsOf(build, part(build, node, fields.args), { of, byName: fields.byName })
  return build.express(fields.op, {
    of,
    list,
    start: build.syntax.starts[node] ?? 0,
    end: build.syntax.ends[node] ?? 0,
  })
}

/** `f<T>(x)`: the callee with its type arguments, still known by its own name. */
function withTypes(build: Builder, of: number, args: number): number {
  const list = build.children(args).map((it) => build.visitExpecting(it, 0))
  if (of === 0 || list.length === 0) return of
  return build.express('generic', { of, list, name: build.expressions[of]?.name ?? '' })
}

/** `any(it for it in list)`: the only argument may stand in the place of the list. */
function isAlone(build: Builder, args: number): boolean {
  return build.kindName(args) === 'generator_expression'
}

/** Types are told by the first few; all of them before each would be the square of their number. */
const MOST_BEFORE = 8

/** Visits arguments; a function among them is told what the callee expects of it. */
export function argumentsOf(
  build: Builder,
  args: number,
  callee: { readonly of: number; readonly byName?: CallFields['byName'] },
): readonly number[] {
  const values: number[] = []
  const before: number[] = [build.expected]
  for (const it of isAlone(build, args) ? [args] : build.children(args)) {
    if (build.kindName(it).endsWith('comment')) continue
    const named = callee.byName?.(build, it)
    const wanted = {
      of: callee.of,
      list: [values.length, ...before],
      name: named?.name ?? '',
    }
    const expected =
      callee.of === 0
        ? 0
        : named?.at === undefined
          ? build.express('parameter', wanted)
          : build.refer('parameter', named.at, wanted)
    const of = build.visitExpecting(named?.value ?? it, expected)
    const passed = named === undefined ? of : build.express('named', { name: named.name, of })
    if (before.length <= MOST_BEFORE) before.push(passed)
    values.push(passed)
  }
  return values
}
