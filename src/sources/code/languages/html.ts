/** HTML: ids, links to files of the same site, and scripts and styles that stand in the page. */

import type { Builder, Rules } from '../builder.ts'
import type { Language } from '../language.ts'
import { defineState } from '../language-state.ts'
import { comment, nothing } from '../rules.ts'
import {
  attributeOf,
  attributesOf,
  defineId,
  embedded,
  referClasses,
  referFile,
  tagName,
} from './markup.ts'
import { readExpression, referAs } from './template-expression.ts'

function attribute(build: Builder, node: number): number {
  const it = attributeOf(build, node)
  const tag = build.textOf(build.child(build.parent(node), 'tag_name')).toLowerCase()
  if (it.name === 'id') defineId(build, it)
  else if (it.name === 'class' && build.state(hasStyles)) referClasses(build, it)
  else if (/^on[a-z]+$/.test(it.name)) readExpression(build, it.at)
  else if (it.name === 'for') referAs(build, it.at, `#${it.value}`)
  else if (it.name === 'href' && /^#[\w:.-]+$/.test(it.value))
    referAs(build, { start: it.at.start + 1, end: it.at.end }, it.value)
  else if (it.name === 'href' || it.name === 'src')
    referFile(build, it, tag === 'link' ? isStylesheet(build, node) : tag === 'script')
  return 0
}

function isStylesheet(build: Builder, node: number): boolean {
  return attributesOf(build, build.parent(build.parent(node))).some(
    (it) => it.name === 'rel' && it.value === 'stylesheet',
  )
}

/** Whether classes of this page can be found: it has styles, or leads to some. */
const hasStyles = defineState((build) => /<style|<link\b[^>]*\bstylesheet/i.test(build.text))

/** What is inside is read by its own language. */
function outside(build: Builder, node: number): number {
  build.visit(build.child(node, 'start_tag'))
  return 0
}

const rules: Rules = {
  attribute,
  script_element: outside,
  style_element: outside,
  text: nothing(),
  comment: comment(),
  element: (build, node) => {
    const before = build.definitions.length
    build.visitChildren(node)
    // An element is found by its id as a whole, not by the attribute alone.
    const own = build.definitions[before]
    const { starts, ends } = build.syntax
    const isOwn = own?.kind === 'label' && own.start < (ends[node + 1] ?? 0)
    if (isOwn && tagName(build, node) !== '') {
      own.from = starts[node] ?? 0
      own.to = ends[node] ?? 0
    }
    return 0
  },
}

export const html: Language = {
  id: 'html',
  grammar: 'html',
  extensions: ['.html', '.htm', '.xhtml'],
  rules,
  embeds: embedded,
}
