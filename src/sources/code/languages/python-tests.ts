/** Conditions of Python: what they say of values where they hold, and where they do not. */
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
    case 'not_operator':
      return testsOf(build, build.field(node, 'argument'), !holds)
    case 'boolean_operator': {
      const left = testsOf(build, build.field(node, 'left'), holds)
      const right = testsOf(build, build.field(node, 'right'), holds)
      const isAnd = build.textOf(build.field(node, 'operator')) === 'and'
      return isAnd === holds ? [...left, ...right] : eitherOf(left, right)
    }
    case 'call':
      return ofCall(build, node, holds)
    case 'comparison_operator':
      return ofComparison(build, node, holds)
    case 'attribute': {
      const words = [build.textOf(build.field(node, 'attribute'))]
      return testOf(build, build.field(node, 'object'), { kind: 'true', holds, words })
    }
    default:
      return NO_TESTS
  }
}

function ofCall(build: Builder, node: number, holds: boolean): readonly Test[] {
  const [subject = -1, other = -1] = build.children(build.field(node, 'arguments'))
  switch (build.textOf(build.field(node, 'function'))) {
    case 'isinstance': {
      const types = build.expressions[visitedAt(build, node)]?.list[1] ?? 0
      const several = build.expressions[types]
      const operands = several?.op === 'collection' ? several.list : [types]
      const isKnown = operands.every((it) => it > 0)
      return isKnown ? testOf(build, subject, { kind: 'is', holds, operands }) : NO_TESTS
    }
    case 'hasattr':
      return build.kindName(other) === 'string'
        ? testOf(build, subject, { kind: 'has', holds, words: [unquoted(build.textOf(other))] })
        : NO_TESTS
    case 'callable':
      return testOf(build, subject, { kind: 'typeof', holds, words: ['function'] })
    default:
      return NO_TESTS
  }
}

/** `it.kind == 'shop'`, `it.kind is Kind.SHOP`. */
function ofComparison(build: Builder, node: number, holds: boolean): readonly Test[] {
  const [left = -1, right = -1, ...more] = build.children(node)
  if (more.length > 0 || build.kindName(left) !== 'attribute') return NO_TESTS
  const operator = build.textOf(build.fieldsOf(node, 'operators')[0] ?? -1)
  const isEqual = operator === '==' || operator === 'is'
  if (!isEqual && operator !== '!=' && operator !== 'is not') return NO_TESTS
  const name = build.textOf(build.field(left, 'attribute'))
  const operand = visitedAt(build, right)
  const isText = build.kindName(right) === 'string'
  if (!isText && (operand === 0 || !CONSTANT.test(build.textOf(right)))) return NO_TESTS
  return testOf(build, build.field(left, 'object'), {
    kind: 'equals',
    holds: holds === isEqual,
    words: isText ? [name, unquoted(build.textOf(right))] : [name],
    operands: isText ? [] : [operand],
  })
}

/** `Kind.SHOP`. */
const CONSTANT = /(?:^|\.)[A-Z]/

export function ifStatement(build: Builder, node: number): number {
  const before: Test[] = []
  let isLeft = true
  const branch = (at: number): void => {
    const condition = build.field(at, 'condition')
    assuming(build, before, () => {
      build.visit(condition)
      const body = build.field(at, condition < 0 ? 'body' : 'consequence')
      before.push(...testsOf(build, condition, false))
      assuming(build, testsOf(build, condition, true), () => build.visit(body))
      isLeft &&= before.length > 0 && condition >= 0 && leaves(build, body)
    })
  }
  branch(node)
  for (const it of build.fieldsOf(node, 'alternative')) branch(it)
  if (isLeft) assume(build, before)
  return 0
}

export function whileStatement(build: Builder, node: number): number {
  const condition = build.field(node, 'condition')
  build.visit(condition)
  assuming(build, testsOf(build, condition, true), () => build.visit(build.field(node, 'body')))
  build.visit(build.field(node, 'alternative'))
  return 0
}

/** `yes if condition else no`. */
export function conditional(build: Builder, node: number): number {
  const [yes = -1, condition = -1, no = -1] = build.children(node)
  build.visit(condition)
  const whenTrue = testsOf(build, condition, true)
  const whenFalse = testsOf(build, condition, false)
  const first = assuming(build, whenTrue, () => build.visit(yes))
  return build.either([first, assuming(build, whenFalse, () => build.visit(no))])
}

export function booleanOperator(build: Builder, node: number): number {
  const first = build.field(node, 'left')
  const left = build.visit(first)
  const isAnd = build.textOf(build.field(node, 'operator')) === 'and'
  const right = assuming(build, testsOf(build, first, isAnd), () =>
    build.visit(build.field(node, 'right')),
  )
  return build.either([left, right])
}

/** What follows in the same block, or in the same comprehension, is reached only where it holds. */
export function asserted(build: Builder, node: number): number {
  const condition = firstChild(build, node)
  build.visitChildren(node)
  assume(build, testsOf(build, condition, true))
  return 0
}

export function block(build: Builder, node: number): number {
  assuming(build, NO_TESTS, () => build.visitChildren(node))
  return 0
}
