/** What a set reports, and how it is printed: aligned for a terminal, or as Markdown. */

export interface SetReport {
  readonly name: string
  readonly tables: readonly Table[]
  readonly misses: readonly Miss[]
  /** Sentences on what was left out, and why. */
  readonly notes: readonly string[]
}

export interface Table {
  readonly title: string
  readonly columns: readonly string[]
  readonly rows: readonly Row[]
  /** The columns that the baseline is shown for. */
  readonly headlines: readonly string[]
}

export interface Row {
  readonly name: string
  readonly cells: readonly string[]
}

/** One thing that was answered wrong, with all that is needed to look into it. */
export interface Miss {
  /** `path:line:column`, with the case or repository before it. */
  readonly place: string
  readonly source: string
  readonly expected: string
  readonly ours: string
  /** Words to pick by: repository, kind, verdict. */
  readonly tags: string
}

export function share(part: number, whole: number): string {
  return whole === 0 ? '–' : (part / whole).toFixed(3)
}

/** Each table with what the baseline reached in the same row. */
export function beside(reports: readonly SetReport[], baseline: readonly SetReport[]): SetReport[] {
  const known = new Map(
    baseline.flatMap((report) => report.tables.map((table) => [table.title, table])),
  )
  return reports.map((report) => ({
    ...report,
    tables: report.tables.map((table) => withBaseline(table, known.get(table.title))),
  }))
}

function withBaseline(table: Table, baseline: Table | undefined): Table {
  if (baseline === undefined) return table
  const rows = new Map(baseline.rows.map((row) => [row.name, row.cells]))
  const at = table.headlines.map((column) => baseline.columns.indexOf(column))
  return {
    ...table,
    columns: [...table.columns, ...table.headlines.map((column) => `${column} by name`)],
    rows: table.rows.map(({ name, cells }) => ({
      name,
      cells: [...cells, ...at.map((column) => rows.get(name)?.[column] ?? '–')],
    })),
  }
}

export function asText(reports: readonly SetReport[]): string {
  return reports
    .map(({ tables, notes }) => [...tables.map(textTable), ...notes].join('\n\n'))
    .join('\n\n')
}

function textTable({ title, columns, rows }: Table): string {
  const lines = [[title, ...columns], ...rows.map(({ name, cells }) => [name, ...cells])]
  const widths = [title, ...columns].map((_, at) =>
    Math.max(...lines.map((line) => line[at]?.length ?? 0)),
  )
  return lines
    .map((line) =>
      line
        .map((cell, at) =>
          at === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[at] ?? 0),
        )
        .join('  '),
    )
    .join('\n')
}

export function asMarkdown(reports: readonly SetReport[]): string {
  return reports
    .map(({ name, tables, notes }) =>
      [`## ${name}`, ...tables.map(markdownTable), ...notes].join('\n\n'),
    )
    .join('\n\n')
}

function markdownTable({ title, columns, rows }: Table): string {
  return [
    markdownLine([title, ...columns]),
    markdownLine(['---', ...columns.map(() => '---:')]),
    ...rows.map(({ name, cells }) => markdownLine([name.replaceAll('|', '\\|'), ...cells])),
  ].join('\n')
}

function markdownLine(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}

/** Taken evenly from the list, so that the examples are not all of the first file. */
export function asExamples(misses: readonly Miss[], count: number): string {
  const step = Math.max(1, misses.length / Math.max(1, count))
  const taken = misses.length <= count ? misses : pick(misses, { step, count })
  const shown = taken.map(
    ({ place, source, expected, ours, tags }) =>
      `${place}  [${tags}]\n    ${source.trim().slice(0, 160)}\n    expected  ${expected}\n    ours      ${ours}`,
  )
  return [`${taken.length} of ${misses.length} misses`, ...shown].join('\n\n')
}

function pick<T>(items: readonly T[], by: { step: number; count: number }): readonly T[] {
  return Array.from({ length: by.count }, (_, at) => items[Math.floor(at * by.step)]).filter(
    (item) => item !== undefined,
  )
}
