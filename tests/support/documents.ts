/** Markdown documents out of nothing, as odd as CommonMark allows, for properties. */
import * as fc from 'fast-check'

export interface GeneratedDocument {
  readonly text: string
  readonly hasFrontMatter: boolean
}

const word = fc.constantFrom(
  'alpha',
  'beta',
  'gamma',
  'delta',
  'café',
  '数据',
  '🎉',
  '👩‍👩‍👧',
  'normalizeTitlePath',
  'x',
  '`code`',
  '*em*',
  '[link](/a)',
  '\\#',
  'a#b',
  '\ta',
  '&amp;',
  'v1.2',
  '#',
)
const words = fc.array(word, { minLength: 1, maxLength: 8 }).map((list) => list.join(' '))
const title = fc.array(word, { maxLength: 4 }).map((list) => list.join(' '))
const indent = fc.constantFrom('', '', '', ' ', '  ', '   ')
const longLine = fc.oneof(
  fc.constant('lorem ipsum '.repeat(30)),
  fc.constant('unbroken'.repeat(50)),
  fc.constant('🎉'.repeat(120)),
  fc.constant('数据库'.repeat(100)),
)

const atx = fc
  .tuple(
    indent,
    fc.integer({ min: 1, max: 7 }),
    fc.constantFrom(' ', '\t', '  ', ''),
    title,
    fc.constantFrom('', '', ' #', ' ###  ', '#', ' \\#'),
  )
  .map(([before, level, space, text, after]) => before + '#'.repeat(level) + space + text + after)

const setext = fc
  .tuple(
    fc.array(words, { minLength: 1, maxLength: 2 }),
    indent,
    fc.constantFrom('=', '---', '==='),
  )
  .map(([lines, before, line]) => `${lines.join('\n')}\n${before}${line}`)

const codeLine = fc.oneof(
  words,
  fc.constantFrom('# no heading', '## nor this', '', '    deep()', '---', '===', '\t# tab'),
  fc.constantFrom('```', '~~~', '````', '```js', ' ```', '    ```', '~~~~~'),
  { arbitrary: longLine, weight: 1 },
)
const code = fc.array(codeLine, { maxLength: 8 })

const fence = fc
  .record({
    before: indent,
    marker: fc.constantFrom('```', '````', '~~~', '~~~~~'),
    info: fc.constantFrom('', 'js', ' ts twoslash', 'python title="# x"'),
    lines: code,
    closes: fc.boolean(),
  })
  .map((it) => {
    const open = it.before + it.marker + it.info
    return [open, ...it.lines, ...(it.closes ? [it.before + it.marker] : [])].join('\n')
  })

const paragraph = fc
  .array(fc.oneof(words, { arbitrary: longLine, weight: 1 }), { minLength: 1, maxLength: 4 })
  .map((lines) => lines.join('\n'))

const loose = fc.constantFrom(
  '***',
  '---',
  '___',
  '- - -',
  '    indented # code',
  '\tindented',
  '   ',
  '| a | b |\n|---|---|\n| 1 | 2 |',
  '<!-- # no\n\n# heading -->',
  '<div>\n# inside\n</div>',
  '<div>\n\n# outside\n\n</div>',
  '<script>\n# a\n\n# b\n</script>',
  '<pre>\n\n# c\n</pre>',
  '<?php\n# d\n?>',
  '<b>\n# e',
  '\\# escaped',
  '#hash',
  '',
  '\t',
  '&#35; entity',
  '<!-- open',
)

/** With blank lines around: what a definition does right before a block has tests of its own. */
const definition = fc.constant('\n[ref]: /url "t"\n')

const block = fc.oneof(atx, setext, fence, paragraph, loose, definition)

const quote = fc
  .tuple(fc.constantFrom('> ', '>', '>> '), fc.array(block, { minLength: 1, maxLength: 3 }))
  .map(([mark, inner]) => prefixed(inner.join('\n'), mark, mark))

const list = fc
  .tuple(
    fc.constantFrom('- ', '* ', '1. ', '10) ', '+   '),
    fc.array(fc.array(block, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 }),
    fc.constantFrom('\n', '\n\n'),
  )
  .map(([mark, items, between]) =>
    items
      .map((inner) => prefixed(inner.join(between), mark, ' '.repeat(mark.length)))
      .join(between),
  )

/** Marks that mean most to a block parser, thrown together. */
const soup = fc
  .array(
    fc.constantFrom(
      '#',
      '##',
      ' ',
      '  ',
      '    ',
      '\t',
      '```',
      '~~~',
      '`',
      '>',
      '- ',
      '1. ',
      '=',
      '---',
      '\n',
      '\n',
      '\n',
      '\n\n',
      'a',
      'b c',
      '<div>',
      '</div>',
      '<!--',
      '-->',
      '\\',
      '*',
    ),
    { maxLength: 30 },
  )
  .map((marks) => marks.join(''))

const front = fc.constantFrom(
  '---\ntitle: A title\n---\n',
  '---\ntitle: "Quoted"\ntags:\n  - one\n  - two\n# a comment\n---\n',
  '+++\ntitle = "Toml"\n[extra]\nx = 1\n+++\n',
  '---\n---\n',
)

/** A document of LF, CRLF or CR lines, with or without front matter. */
export const anyDocument: fc.Arbitrary<GeneratedDocument> = fc
  .record({
    front: fc.option(front, { nil: '', freq: 4 }),
    blocks: fc.array(
      fc.tuple(fc.oneof(block, block, block, quote, list, soup), fc.constantFrom('\n', '\n\n')),
      { maxLength: 10 },
    ),
    lineEnd: fc.constantFrom('\n', '\n', '\r\n', '\r'),
    hasFinalEnd: fc.boolean(),
  })
  .map((it) => {
    const body = it.blocks.map(([text, after]) => text + after).join('')
    const whole = it.front + guarded(body) + (it.hasFinalEnd ? '\n' : '')
    return { text: whole.replaceAll('\n', it.lineEnd), hasFrontMatter: it.front !== '' }
  })

/** A body must not look like front matter itself: whether it is would be anyone's guess. */
function guarded(body: string): string {
  return /^(?:---|\+\+\+)/.test(body) ? `\n${body}` : body
}

function prefixed(text: string, first: string, others: string): string {
  return text
    .split('\n')
    .map((line, at) => (at === 0 ? first : others) + line)
    .join('\n')
}

const plainLine = fc.oneof(words, fc.constantFrom('# no heading', '', '    deep()', '~~', '``'), {
  arbitrary: longLine,
  weight: 1,
})

/** Closed fences at the left, in quotes and in list items, between prose: no HTML, no tricks. */
export const fencedDocument: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      atx,
      words,
      fc
        .record({
          mark: fc.constantFrom('', '', '', '> ', '- '),
          marker: fc.constantFrom('```', '````', '~~~', '~~~~~'),
          info: fc.constantFrom('', 'js', 'ts twoslash'),
          lines: fc.array(plainLine, { maxLength: 14 }),
        })
        .map((it) => {
          const inner = [it.marker + it.info, ...it.lines, it.marker].join('\n')
          return prefixed(inner, it.mark, it.mark === '- ' ? '  ' : it.mark)
        }),
    ),
    { maxLength: 6 },
  )
  .map((parts) => parts.join('\n\n'))
