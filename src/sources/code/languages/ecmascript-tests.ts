/** Conditions of JavaScript: what they say of values where they hold, and where they do not. */
import type { Builder } from '../builder.ts'
import {
  assume,
  assuming,
  eitherOf,
  leaves,
  NO_TESTS,
  type Test,
  testOf,
  visitedAt,
} from '../narrowing.ts'
import { firstChild, unquoted } from '../rules.ts'

export function testsOf(build: Builder, node: number, holds: boolean): readonly Test[] {
  switch (build.kindName(node)) {
    case 'parenthesized_expression':
      return testsOf(build, firstChild(build, node), holds)
    case 'unary_expression':
      return build.textOf(build.field(node, 'operator')) === '!'
        ? testsOf(build, build.field(node, 'argument'), !holds)
        : NO_TESTS
    case 'binary_expression':
      return ofBinary(build, node, holds)
    case 'call_expression':
      return ofCall(build, node, holds)
    case 'member_expression': {
      const words = [build.textOf(build.field(node, 'property'))]
      return testOf(build, build.field(node, 'object'), { kind: 'true', holds, words })
    }
    default:
      return NO_TESTS
  }
}

function ofBinary(build: Builder, node: number, holds: boolean): readonly Test[] {
  const left = build.field(node, 'left')
  const right = build.field(node, 'right')
  const sides = (): readonly [readonly Test[], readonly Test[]] => [
    testsOf(build, left, holds),
    testsOf(build, right, holds),
  ]
  switch (build.textOf(build.field(node, 'operator'))) {
    case '&&':
      return holds ? sides().flat() : eitherOf(...sides())
    case '||':
      return holds ? eitherOf(...sides()) : sides().flat()
    case 'instanceof': {
      const of = visitedAt(build, right)
      return of > 0 ? testOf(build, left, { kind: 'is', holds, operands: [of] }) : NO_TESTS
    }
    case 'in':
      return build.kindName(left) === 'string'
        ? testOf(build, right, { kind: 'has', holds, words: [unquoted(build.textOf(left))] })
        : NO_TESTS
    case '===':
    case '==':
      return ofEquality(build, [left, right], holds)
    case '!==':
    case '!=':
      return ofEquality(build, [left, right], !holds)
    default:
      return NO_TESTS
  }
}

/** `it.kind === 'shop'`, `typeof it === 'function'`, in either order. */
function ofEquality(
  build: Builder,
  [left, right]: readonly [number, number],
  holds: boolean,
): readonly Test[] {
  const [subject, other] = isSubject(build, left) ? [left, right] : [right, left]
  if (!isSubject(build, subject)) return NO_TESTS
  if (build.kindName(subject) === 'member_expression') {
    const answers: Answers = { literals: [], operands: [] }
    return addAnswer(build, other, answers)
      ? equals(build, subject, { ...answers, holds })
      : NO_TESTS
  }
  const words = [unquoted(build.textOf(other))]
  return testOf(build, build.field(subject, 'argument'), { kind: 'typeof', holds, words })
}

function isSubject(build: Builder, node: number): boolean {
  const kind = build.kindName(node)
  if (kind === 'unary_expression') return build.textOf(build.field(node, 'operator')) === 'typeof'
  return kind === 'member_expression' && !CONSTANT.test(build.textOf(node))
}

/** `SHOP`, `Kind.shop`, `kinds.SHOP`. */
const CONSTANT = /(?:^|\.)[A-Z]/

interface Answers {
  readonly literals: string[]
  readonly operands: number[]
}

/** False when it is neither a literal nor a constant. */
function addAnswer(build: Builder, node: number, { literals, operands }: Answers): boolean {
  if (LITERALS.has(build.kindName(node))) {
    literals.push(unquoted(build.textOf(node)))
    return true
  }
  const visited = CONSTANT.test(build.textOf(node)) ? visitedAt(build, node) : 0
  if (visited > 0) operands.push(visited)
  return visited > 0
}

/** That a member is one of these values. */
function equals(
  build: Builder,
  member: number,
  { literals, operands, holds }: Answers & { readonly holds: boolean },
): readonly Test[] {
  const words = [build.textOf(build.field(member, 'property')), ...literals]
  return testOf(build, build.field(member, 'object'), { kind: 'equals', holds, words, operands })
}

/** Types are told apart by these; numbers and `undefined` are compared all the time. */
const LITERALS: ReadonlySet<string> = new Set(['string', 'true', 'false'])

function ofCall(build: Builder, node: number, holds: boolean): readonly Test[] {
  const subject = firstChild(build, build.field(node, 'arguments'))
  const name = build.textOf(build.field(node, 'function'))
  if (subject < 0) return NO_TESTS
  if (name === 'Array.isArray') return testOf(build, subject, { kind: 'list', holds })
  if (!TELLING.test(name)) return NO_TESTS
  const callee = build.expressions[visitedAt(build, node)]?.of ?? 0
  return callee > 0
    ? testOf(build, subject, { kind: 'tells', holds, operands: [callee] })
    : NO_TESTS
}

/** Functions that may tell a type are named so. */
const TELLING = /(?:^|[.$_])(?:is|has)[A-Z_$]\w*$/

export function ifStatement(build: Builder, node: number): number {
  const condition = build.field(node, 'condition')
  const yes = build.field(node, 'consequence')
  const no = build.field(node, 'alternative')
  build.visit(condition)
  const whenTrue = testsOf(build, condition, true)
  const isLeft = leaves(build, yes)
  const whenFalse = isLeft || no >= 0 ? testsOf(build, condition, false) : NO_TESTS
  assuming(build, whenTrue, () => build.visit(yes))
  assuming(build, whenFalse, () => build.visit(no))
  if (isLeft) assume(build, whenFalse)
  else if (whenTrue.length > 0 && leaves(build, firstChild(build, no))) assume(build, whenTrue)
  return 0
}

export function whileStatement(build: Builder, node: number): number {
  const condition = build.field(node, 'condition')
  build.visit(condition)
  assuming(build, testsOf(build, condition, true), () => build.visit(build.field(node, 'body')))
  return 0
}

/** The value is what one of the branches gives. */
export function ternary(build: Builder, node: number): number {
  const condition = build.field(node, 'condition')
  build.visitExpecting(condition, 0)
  const whenTrue = testsOf(build, condition, true)
  const whenFalse = testsOf(build, condition, false)
  const branch = (field: string): number =>
    build.visitExpecting(build.field(node, field), build.expected)
  const yes = assuming(build, whenTrue, () => branch('consequence'))
  return build.either([yes, assuming(build, whenFalse, () => branch('alternative'))])
}

/** `switch (it.kind)`: each case knows the kind, the default knows which it is not. */
export function switchStatement(build: Builder, node: number): number {
  const value = build.field(node, 'value')
  build.visit(value)
  const subject = firstChild(build, value)
  build.block(() => {
    const all: Answers = { literals: [], operands: [] }
    let open: Answers = { literals: [], operands: [] }
    let isKnown = build.kindName(subject) === 'member_expression'
    for (const it of build.children(build.field(node, 'body'))) {
      const test = build.field(it, 'value')
      const body = build.children(it).filter((each) => each !== test)
      if (test >= 0) {
        build.visitExpecting(test, 0)
        isKnown &&= addAnswer(build, test, all) && addAnswer(build, test, open)
      }
      const answers = test < 0 ? all : open
      const tests = isKnown ? equals(build, subject, { ...answers, holds: test >= 0 }) : NO_TESTS
      assuming(build, tests, () => {
        for (const each of body) build.visitExpecting(each, 0)
      })
      if (body.length > 0) open = { literals: [], operands: [] }
    }
  })
  return 0
}
