/** Elements of JSX: what they are made of, and the properties that they are given. */

import { ROLE } from '../../../model/facts.ts'
import type { Builder } from '../builder.ts'
import { defineState } from '../language-state.ts'

/**
 * `<Card title="a">` names the component `Card`, and `title` a member of what `Card` expects as its
 * first argument. `<div>` names no variable but a member of `JSX.IntrinsicElements`.
 */
export function element(build: Builder, node: number): number {
  const name = build.field(node, 'name')
  const made = tagName(build, name)
  const props =
    made === 0 || isIntrinsic(build, name)
      ? made
      : build.express('parameter', { of: made, list: [0] })
  for (const it of build.children(node)) {
    if (build.kindName(it) === 'jsx_attribute') attribute(build, it, props)
    else if (it !== name) build.visitExpecting(it, 0)
  }
  return 0
}

export function closing(build: Builder, node: number): number {
  tagName(build, build.field(node, 'name'))
  return 0
}

function isIntrinsic(build: Builder, name: number): boolean {
  return build.kindName(name) === 'identifier' && /^[a-z]/.test(build.textOf(name))
}

function tagName(build: Builder, name: number): number {
  if (name < 0) return 0
  return isIntrinsic(build, name)
    ? build.refer('member', name, { of: build.state(intrinsicElements) })
    : build.visitExpecting(name, 0)
}

/** One expression for all elements of a file. */
const intrinsicElements = defineState((build) => {
  const of = build.express('name', { name: INTRINSIC_ELEMENTS, scope: 0, role: ROLE.type })
  return build.express('typed', { of })
})

/** As the interface is provided by whoever declares it, and looked for by whoever uses it. */
export const INTRINSIC_ELEMENTS = 'JSX.IntrinsicElements'

/**
 * The grammar takes a reserved word for a keyword even where it names an attribute: `<label for="a">`.
 * With another first letter it is a name like any other. Only tried on files that do not parse as
 * they are.
 */
export function mend(text: string): string {
  return text.replaceAll(RESERVED_ATTRIBUTE, (word) => `_${word.slice(1)}`)
}

const RESERVED_ATTRIBUTE =
  /(?<=\s)(?:break|case|catch|class|continue|debugger|default|delete|do|else|enum|export|extends|finally|for|function|if|import|in|instanceof|new|return|super|switch|this|throw|try|typeof|var|void|while|with)(?=\s*=\s*["'{])/g

function attribute(build: Builder, node: number, props: number): void {
  const [name, ...values] = build.children(node)
  const isNamed = name !== undefined && build.kindName(name) === 'property_identifier'
  if (props > 0 && isNamed) build.refer('member', name, { of: props })
  const expected =
    props > 0 && isNamed ? build.express('member', { of: props, name: build.textOf(name) }) : 0
  for (const it of values) build.visitExpecting(it, expected)
}
