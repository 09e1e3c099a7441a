/** Tables in Markdown. */

export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
): readonly string[] {
  if (rows.length === 0) return []
  return [head, head.map(() => '---'), ...rows].map(tableRow)
}

function tableRow(cells: readonly string[]): string {
  return cells[0] === '---'
    ? `|${cells.join('|')}|`
    : `| ${cells.map((it) => it.replaceAll('|', '\\|')).join(' | ')} |`
}

export function code(text: string): string {
  return `\`${text}\``
}
