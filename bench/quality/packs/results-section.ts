/** The part of RESULTS.md that the runner writes; what people wrote around it stays. */

const BEGIN = '<!-- packs: begin -->'
const END = '<!-- packs: end -->'

export function withSection(text: string, content: string): string {
  const section = [BEGIN, content, END].join('\n\n')
  const from = text.indexOf(BEGIN)
  const to = text.indexOf(END)
  return from >= 0 && to > from
    ? text.slice(0, from) + section + text.slice(to + END.length)
    : `${text.trimEnd()}\n\n## Context packs\n\n${section}\n`
}
