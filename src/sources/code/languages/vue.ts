/** Vue: a template that uses the names of the script beside it. */
import type { Builder, Rules } from '../builder.ts'
import type { Language } from '../language.ts'
import { comment, nothing } from '../rules.ts'
import { attributeOf, defineId, embedded, referClasses, stretchOf } from './markup.ts'
import {
  bindLoop,
  bindPattern,
  readExpression,
  referAs,
  type Stretch,
} from './template-expression.ts'

interface Directive {
  readonly name: string
  readonly at: Stretch
  readonly value: string
}

function directiveOf(build: Builder, node: number): Directive {
  const { value, at } = attributeOf(build, node)
  const name = build.textOf(node).replace(/=[\s\S]*$/, '')
  return { name, at, value }
}

function directives(build: Builder, node: number): readonly Directive[] {
  const start = build.child(node, 'start_tag', 'self_closing_tag')
  return build
    .children(start)
    .filter((it) => build.kindName(it) === 'directive_attribute')
    .map((it) => directiveOf(build, it))
}

function isSlot(name: string): boolean {
  return name.startsWith('#') || name.startsWith('v-slot')
}

/** An element is a scope when it gives names to what it repeats or receives. */
function element(build: Builder, node: number): number {
  const naming = directives(build, node).filter((it) => it.name === 'v-for' || isSlot(it.name))
  if (naming.length === 0) {
    build.visitChildren(node)
    return 0
  }
  build.block(() => {
    for (const it of naming) {
      if (it.name === 'v-for') repeated(build, it)
      else if (it.value !== '') bindPattern(build, it.at)
    }
    build.visitChildren(node)
  })
  return 0
}

/** `(item, index) in items`. */
function repeated(build: Builder, it: Directive): void {
  const match = /^([\s\S]*?)\s(?:in|of)\s/.exec(it.value)
  if (match === null) return
  const middle = it.at.start + match[0].length
  const source = readExpression(build, { start: middle, end: it.at.end })
  bindLoop(build, { start: it.at.start, end: it.at.start + (match[1] ?? '').length }, source)
}

function directive(build: Builder, node: number): number {
  const it = directiveOf(build, node)
  if (it.name !== 'v-for' && !isSlot(it.name) && it.value !== '') readExpression(build, it.at)
  return 0
}

function attribute(build: Builder, node: number): number {
  const it = attributeOf(build, node)
  if (it.name === 'id') defineId(build, it)
  if (it.name === 'class' && build.text.includes('<style')) referClasses(build, it)
  return 0
}

/** `<MyThing>` and `<my-thing>` use the component that the script knows as `MyThing`. */
function tag(build: Builder, node: number): number {
  const own = build.textOf(node)
  const isClosing = build.kindName(build.parent(node)) === 'end_tag'
  if (isClosing || !/^[A-Z]|-/.test(own)) return 0
  const [first, ...others] = own.split('.')
  const name = (first ?? '').replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())
  const at = stretchOf(build, node)
  const end = at.start + (first ?? '').length
  referAs(build, { start: at.start, end: others.length === 0 ? at.end : end }, name)
  return 0
}

function outside(build: Builder, node: number): number {
  build.visit(build.child(node, 'start_tag'))
  return 0
}

const rules: Rules = {
  element,
  template_element: element,
  directive_attribute: directive,
  attribute,
  tag_name: tag,
  interpolation: (build, node) =>
    readExpression(build, stretchOf(build, build.child(node, 'raw_text'))),
  script_element: outside,
  style_element: outside,
  text: nothing(),
  comment: comment(),
}

export const vue: Language = {
  id: 'vue',
  grammar: 'vue',
  extensions: ['.vue'],
  rules,
  embeds: embedded,
  // A component is what the file exports, unless its script says so itself.
  finish: (build) => {
    if (!/^\s*export\s+default\b/m.test(build.text))
      build.exports.push({ name: 'default', of: build.express('define', { of: 0 }) })
  },
}
