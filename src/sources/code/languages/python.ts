import { ROLE, TRAIT } from '../../../model/facts.ts'
import type { Builder, Rules } from '../builder.ts'
import { application, type NamedArgument } from '../call-rules.ts'
import type { Language } from '../language.ts'
import {
  anyOf,
  classLike,
  collection,
  comment,
  firstChild,
  functionLike,
  itemOf,
  member,
  name,
  returning,
  same,
  text,
  unquoted,
} from '../rules.ts'
import { importFrom, importStatement } from './python-imports.ts'
import { literalKey, patterns, variableScope } from './python-patterns.ts'
import { outerKey, outerNames } from './python-state.ts'
import {
  asserted,
  block,
  booleanOperator,
  conditional,
  ifStatement,
  whileStatement,
} from './python-tests.ts'

function assignment(build: Builder, node: number): number {
  const type = build.visit(build.field(node, 'type'))
  const value = build.visitExpecting(build.field(node, 'right'), 0)
  const scope = variableScope(build)
  const kind = build.scopes[scope]?.kind === 'class' ? 'field' : 'variable'
  build.bind(build.field(node, 'left'), { kind, value, type, scope, traits: 0, node })
  return value
}

function decorators(build: Builder, node: number): readonly string[] {
  const outer = build.parent(node)
  if (build.kindName(outer) !== 'decorated_definition') return []
  return build
    .children(outer)
    .filter((it) => build.kindName(it) === 'decorator')
    .map((it) => build.textOf(it).slice(1))
}

function definition(build: Builder, node: number): number {
  const isMethod = build.scopes[build.scope]?.kind === 'class'
  const marks = decorators(build, node)
  const isProperty = marks.some((it) => /(^|\.|_)property$|\.getter$/.test(it))
  const isSetter = marks.some((it) => it.endsWith('.setter') || it.endsWith('.deleter'))
  const isStatic = marks.includes('staticmethod')
  const isConstructor = isMethod && build.textOf(build.field(node, 'name')) === '__init__'
  const traits =
    (isProperty ? TRAIT.getter : 0) | (isStatic ? TRAIT.static : 0) | (isSetter ? TRAIT.again : 0)
  const scope = build.scope
  const expression = functionLike(build, node, {
    kind: isConstructor ? 'constructor' : isMethod ? 'method' : 'function',
    before: typeParameters,
    traits: () => traits,
    scope: () => (build.scopes[scope]?.kind === 'block' ? variableScope(build) : scope),
    body: () => -1,
  })
  const own = build.expressions[expression]?.of ?? 0
  const draft = build.draft(own)
  declaredAgain(build, node, own)
  const receiver = draft.parameters[0]
  if (isMethod && !isStatic && receiver !== undefined) {
    const isClass =
      marks.includes('classmethod') ||
      draft.name === '__new__' ||
      draft.name === '__init_subclass__'
    build.draft(receiver).value = isClass
      ? build.express('define', { of: draft.owner })
      : build.express('self', { scope: draft.inner })
  }
  const returns = build.returns
  build.returns = []
  build.within(draft.inner, own, () => {
    docstring(build, build.field(node, 'body'))
    build.visit(build.field(node, 'body'))
  })
  draft.value = build.either(build.returns)
  build.returns = returns
  return expression
}

/** An overload, a setter, the other branch of an `if`: one more declaration of what is known. */
function declaredAgain(build: Builder, node: number, own: number): void {
  const { scope, name: named } = build.draft(own)
  const first = build.findIn(scope, named)
  if (first >= 0 && first !== own && build.draft(first).kind !== 'import')
    build.refer('define', build.field(node, 'name'), { of: first })
}

/** `def first[T: Item](items: list[T])`. */
function typeParameters(build: Builder, node: number): void {
  for (const it of build.children(build.field(node, 'type_parameters'))) {
    const inner = firstChild(build, it)
    const isLimited = build.kindName(inner) === 'constrained_type'
    const [at = -1, limit = -1] = isLimited ? build.children(inner) : [it]
    const type = build.visit(limit)
    const named = build.textOf(at).replace(/^\*+/, '')
    build.define({ kind: 'type-parameter', name: named, at, node: it, type })
  }
}

/** A string that stands first in a body is prose. */
function docstring(build: Builder, body: number): void {
  const first = build.firstChild(body)
  const inner = build.kindName(first) === 'expression_statement' ? firstChild(build, first) : -1
  if (build.kindName(inner) === 'string')
    build.comments.push(build.syntax.starts[inner] ?? 0, build.syntax.ends[inner] ?? 0)
}

function classDefinition(build: Builder, node: number): number {
  const expression = classLike(build, node, {
    bases: (it, at) =>
      it
        .children(it.field(at, 'superclasses'))
        .filter(
          (child) =>
            it.kindName(child) !== 'keyword_argument' && !it.kindName(child).endsWith('comment'),
        ),
    before: (it, at) => {
      typeParameters(it, at)
      docstring(it, it.field(at, 'body'))
    },
  })
  declaredAgain(build, node, build.expressions[expression]?.of ?? 0)
  return expression
}

function call(build: Builder, node: number): number {
  const callee = build.field(node, 'function')
  if (build.kindName(callee) === 'identifier' && build.textOf(callee) === 'super') {
    build.visit(build.field(node, 'arguments'))
    return build.refer('super', callee)
  }
  const made = application(build, node, {
    op: 'call',
    callee: 'function',
    args: 'arguments',
    byName: keyword,
  })
  if (build.kindName(callee) === 'identifier' && build.textOf(callee) === 'isinstance')
    testedFor(build, build.field(node, 'arguments'), build.expressions[made]?.list ?? [])
  return made
}

/** `isinstance(x, Node)`: whoever asks expects that `x` may be one. */
function testedFor(build: Builder, args: number, list: readonly number[]): void {
  const at = firstChild(build, args)
  const known = build.kindName(at) === 'identifier' ? build.find(build.textOf(at)) : -1
  if (known < 0) return
  const types = build.expressions[list[1] ?? 0]
  const of = types?.op === 'collection' ? build.either(types.list) : (list[1] ?? 0)
  if (of > 0) build.addValue(known, build.express('instance', { of }))
}

function keyword(build: Builder, node: number): NamedArgument | undefined {
  if (build.kindName(node) !== 'keyword_argument') return undefined
  const at = build.field(node, 'name')
  return { name: build.textOf(at), value: build.field(node, 'value'), at }
}

/** A function that yields gives back something to loop over. */
function yielding(build: Builder, node: number): number {
  const of = build.visitExpecting(firstChild(build, node), 0)
  if (of > 0)
    build.returns.push(build.has(node, 'from') ? of : build.express('collection', { list: [of] }))
  return 0
}

function comprehension(build: Builder, node: number): number {
  let body = 0
  build.within(build.open('block', build.owner), build.owner, () => {
    for (const it of build.children(node)) if (it !== build.field(node, 'body')) build.visit(it)
    body = build.visitExpecting(build.field(node, 'body'), 0)
  })
  return build.express('collection', { list: body > 0 ? [body] : [] })
}

function loop(build: Builder, node: number): number {
  const of = build.visitExpecting(build.field(node, 'right'), 0)
  const isClause = build.kindName(node) === 'for_in_clause'
  const scope = isClause ? build.scope : variableScope(build)
  const left = build.field(node, 'left')
  const kind = build.scopes[scope]?.kind === 'class' ? 'field' : 'variable'
  build.bind(left, { kind, value: itemOf(build, of), type: 0, scope, traits: 0, node: left })
  if (!isClause) {
    build.visit(build.field(node, 'body'))
    build.visit(build.field(node, 'alternative'))
  }
  return 0
}

function asPattern(build: Builder, node: number): number {
  const [value, target] = build.children(node)
  const of = build.visit(value ?? -1)
  const isException = build.kindName(build.parent(node)) === 'except_clause'
  // `with` gives the manager itself, or what the generator that manages yields.
  const own = isException
    ? build.express('instance', { of })
    : build.either([of, itemOf(build, of)])
  const scope = variableScope(build)
  if (target !== undefined)
    build.bind(target, { kind: 'variable', value: own, type: 0, scope, traits: 0, node })
  return of
}

function bindOuterNames(scopeOf: (build: Builder, name: string) => number) {
  return (build: Builder, node: number): number => {
    for (const it of build.children(node)) {
      const named = build.textOf(it)
      const scope = scopeOf(build, named)
      build.state(outerNames).set(outerKey(build.functionScope(), named), scope)
      build.refer('name', it, { scope })
    }
    return 0
  }
}

function typeNode(build: Builder, node: number): number {
  const inner = firstChild(build, node)
  return build.kindName(inner) === 'string' ? quotedType(build, inner) : build.visit(inner)
}

/** `'Client'` where a type is wanted is the name of one. */
function quotedType(build: Builder, inner: number): number {
  const named = unquoted(build.textOf(inner))
  if (!/^[\p{L}_][\p{L}\p{N}_]*$/u.test(named)) return 0
  const start = (build.syntax.starts[inner] ?? 0) + 1
  return build.express('name', {
    name: named,
    start,
    end: start + named.length,
    role: ROLE.reference | ROLE.type,
  })
}

/** `Node = Union['Leaf', 'Branch']` names types, though it stands where a value does. */
const TAKES_TYPES = /(^|\.)(Union|Optional|List|Dict|Set|Tuple|Type|Sequence|Iterable|Callable)$/

function subscript(build: Builder, node: number): number {
  const object = build.field(node, 'value')
  const of = build.visitExpecting(object, 0)
  const keys = build.fieldsOf(node, 'subscript')
  const takesTypes = keys.some((it) => build.kindName(it) === 'string')
    ? TAKES_TYPES.test(build.textOf(object))
    : false
  const list = keys.map((it) =>
    takesTypes && build.kindName(it) === 'string'
      ? quotedType(build, it)
      : build.visitExpecting(it, 0),
  )
  return build.express('item', { of, list, name: literalKey(build, keys[0] ?? -1) })
}

function dictionary(build: Builder, node: number): number {
  const list: number[] = []
  for (const it of build.children(node)) {
    if (build.kindName(it) === 'pair') {
      const key = build.field(it, 'key')
      build.visit(key)
      const of = build.visitExpecting(build.field(it, 'value'), 0)
      const own = literalKey(build, key)
      if (of > 0) list.push(own === '' ? of : build.express('named', { name: own, of }))
    } else build.visit(it)
  }
  return build.express('collection', { list })
}

const rules: Rules = {
  identifier: name(),
  attribute: member({ object: 'object', name: 'attribute' }),
  call,
  subscript,
  string: text(),
  list: collection(),
  tuple: collection(),
  set: collection(),
  expression_list: collection(),
  dictionary,
  list_comprehension: comprehension,
  set_comprehension: comprehension,
  generator_expression: comprehension,
  dictionary_comprehension: comprehension,
  for_in_clause: loop,
  for_statement: loop,
  parenthesized_expression: same(),
  await: same(),
  list_splat: same(),
  conditional_expression: conditional,
  boolean_operator: booleanOperator,
  if_statement: ifStatement,
  while_statement: whileStatement,
  assert_statement: asserted,
  if_clause: asserted,
  block,
  named_expression: (build, node) => {
    const value = build.visit(build.field(node, 'value'))
    const scope = variableScope(build)
    const binding = { kind: 'variable' as const, value, type: 0, scope, traits: 0, node }
    build.bind(build.field(node, 'name'), binding)
    return value
  },
  assignment,
  function_definition: definition,
  class_definition: classDefinition,
  lambda: (build, node) => functionLike(build, node, { name: () => -1, traits: () => TRAIT.arrow }),
  decorated_definition: (build, node) => {
    const marks = build.children(node).filter((it) => build.kindName(it) === 'decorator')
    const callees = marks.map((it) => build.visit(firstChild(build, it)))
    const own = build.visit(build.field(node, 'definition'))
    let made = own
    for (const of of callees.toReversed()) {
      build.alsoAs(of, ROLE.call)
      // A decorator is called with what it decorates, the nearest one first.
      if (made > 0 && of > 0) made = build.express('call', { of, list: [made] })
    }
    const decorated = build.draft(build.expressions[own]?.of ?? 0)
    if (made !== own && decorated.kind === 'function') decorated.bases.push(made)
    return own
  },
  return_statement: returning(firstChild, false),
  yield: yielding,
  import_statement: importStatement,
  import_from_statement: importFrom,
  future_import_statement: () => 0,
  global_statement: bindOuterNames(() => 0),
  nonlocal_statement: bindOuterNames((build, named) => {
    const parent = build.scopes[build.functionScope()]?.parent ?? 0
    const known = build.find(named, parent)
    return known < 0 ? 0 : build.draft(known).scope
  }),
  as_pattern: asPattern,
  type: typeNode,
  generic_type: (build, node) => {
    const [of, args] = build.children(node)
    const base = build.visit(of ?? -1)
    return build.express('generic', {
      of: base,
      list: build.children(args ?? -1).map((it) => build.visit(it)),
    })
  },
  union_type: anyOf(),
  binary_operator: (build, node) => {
    const left = build.visit(build.field(node, 'left'))
    const right = build.visit(build.field(node, 'right'))
    return build.textOf(build.field(node, 'operator')) === '|' ? build.either([left, right]) : 0
  },
  keyword_argument: (build, node) => build.visit(build.field(node, 'value')),
  comment: comment(),
}

export const python: Language = {
  id: 'python',
  grammar: 'python',
  extensions: ['.py', '.pyi', '.pyw'],
  interpreters: ['python', 'python2', 'python3'],
  rules,
  patterns,
  finish: (build) => docstring(build, 0),
}
