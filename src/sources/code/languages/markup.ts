/** What HTML and the component formats made from it have in common: tags, attributes, embedding. */
import { ROLE } from '../../../model/facts.ts'
import type { Builder } from '../builder.ts'
import type { Embedded } from '../language.ts'
import { referAs, type Stretch } from './template-expression.ts'

export interface Attribute {
  readonly name: string
  readonly value: string
  /** Where the value stands, without quotes. */
  readonly at: Stretch
  readonly node: number
}

export function stretchOf(build: Builder, node: number): Stretch {
  return { start: build.syntax.starts[node] ?? 0, end: build.syntax.ends[node] ?? 0 }
}

export function attributeOf(build: Builder, node: number): Attribute {
  const quoted = build.child(node, 'quoted_attribute_value')
  const inner = build.child(quoted < 0 ? node : quoted, 'attribute_value')
  return {
    name: build.textOf(build.child(node, 'attribute_name')),
    value: build.textOf(inner),
    at: stretchOf(build, inner < 0 ? node : inner),
    node,
  }
}

export function attributesOf(build: Builder, element: number): readonly Attribute[] {
  const tag = build.child(element, 'start_tag', 'self_closing_tag')
  return build
    .children(tag)
    .filter((it) => build.kindName(it) === 'attribute')
    .map((it) => attributeOf(build, it))
}

export function tagName(build: Builder, element: number): string {
  return build.textOf(
    build.child(build.child(element, 'start_tag', 'self_closing_tag'), 'tag_name'),
  )
}

/** Defines an id; the sign keeps it apart from names of a script. */
export function defineId(build: Builder, it: Attribute): void {
  if (!/^[\w:.-]+$/.test(it.value)) return
  const node = it.node
  const definition = build.define({
    kind: 'label',
    name: `#${it.value}`,
    at: -1,
    node,
    scope: 0,
    owner: 0,
  })
  Object.assign(build.draft(definition), { ...it.at, traits: 0 })
}

/** `class="card wide"` refers to `.card` and `.wide`. */
export function referClasses(build: Builder, it: Attribute): void {
  if (/[{}<>$]/.test(it.value)) return
  for (const match of it.value.matchAll(/[\w-]+/g)) {
    const start = it.at.start + match.index
    referAs(build, { start, end: start + match[0].length }, `.${match[0]}`)
  }
}

/** A link to a file of the same site. */
export function isLocal(target: string): boolean {
  return target !== '' && !/^(?:[a-z][a-z\d+.-]*:|\/\/|#|[{<$])|\{\{|\{%|<%/i.test(target)
}

/** Refers to another file; when asked to, makes all that it defines known here. */
export function referFile(build: Builder, it: Attribute, isShared: boolean): void {
  if (!isLocal(it.value)) return
  const name = it.value.replace(/[?#].*$/, '')
  const role = ROLE.reference | ROLE.import
  const module = build.express('module', { ...it.at, name, role })
  if (!isShared) return
  const value = build.express('import', { of: module, name: '*' })
  build.define({ kind: 'import', name: '*', at: -1, node: it.node, value, scope: 0, owner: 0 })
}

/** The contents of `<script>` and `<style>`, with what they are written in. */
export function embedded(build: Builder): readonly Embedded[] {
  const { kinds, count, grammar } = build.syntax
  const script = grammar.kind('script_element')
  const style = grammar.kind('style_element')
  const found: Embedded[] = []
  for (let node = 0; node < count; node += 1) {
    if (kinds[node] !== script && kinds[node] !== style) continue
    const raw = build.child(node, 'raw_text')
    const language = languageIn(attributesOf(build, node), kinds[node] === script)
    const at = stretchOf(build, raw)
    if (raw >= 0 && language !== undefined && at.end > at.start) found.push({ language, ...at })
  }
  return found
}

function languageIn(attributes: readonly Attribute[], isScript: boolean): string | undefined {
  const valueOf = (name: string): string =>
    attributes.find((it) => it.name === name)?.value.toLowerCase() ?? ''
  const lang = valueOf('lang')
  if (!isScript) return ['', 'css', 'postcss'].includes(lang) ? 'css' : undefined
  if (lang !== '') return SCRIPTS[lang]
  return SCRIPTS[valueOf('type')]
}

const SCRIPTS: Readonly<Record<string, string>> = {
  '': 'javascript',
  'application/javascript': 'javascript',
  'application/json': 'json',
  'application/ld+json': 'json',
  babel: 'jsx',
  importmap: 'json',
  javascript: 'javascript',
  js: 'javascript',
  jsx: 'jsx',
  module: 'javascript',
  'text/babel': 'jsx',
  'text/ecmascript': 'javascript',
  'text/javascript': 'javascript',
  'text/typescript': 'typescript',
  ts: 'typescript',
  tsx: 'tsx',
  typescript: 'typescript',
}
