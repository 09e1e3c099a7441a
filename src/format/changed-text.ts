/** Lines of a file with the marks of a diff. */
import type { LineRange } from '../model/context-pack.ts'
import type { ItemChanges } from '../model/pack-changes.ts'

/**
 * `+` before what the diff added, `-` before what it removed, a space before all else. A text that has
 * not as many lines as it should stays as it is: its lines cannot be told.
 */
export function markChanges(text: string, range: LineRange, changes: ItemChanges): string {
  const lines = text.split('\n')
  if (lines.length !== range.end - range.start + 1) return text
  const [here, elsewhere] = changes.isPending ? ['-', '+'] : ['+', '-']
  const isChanged = (line: number): boolean =>
    changes.lines.some(({ start, end }) => start <= line && line <= end)
  const marked = lines.flatMap((line, at) => {
    const number = range.start + at
    const sign = isChanged(number) ? here : ' '
    return [...othersBefore(number), `${sign}${line}`]
  })
  return [...marked, ...othersBefore(range.end + 1)].join('\n')

  function othersBefore(number: number): readonly string[] {
    const found = changes.others.filter(({ before }) => before === number)
    return found.flatMap((it) => it.lines.map((line) => `${elsewhere}${line}`))
  }
}
