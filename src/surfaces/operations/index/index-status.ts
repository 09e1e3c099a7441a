import { counted, joinFirst } from '../../../base/text.ts'
import { indexOptions } from '../../../packs/index/index-options.ts'
import { type IndexStatusReport, indexStatus } from '../../../packs/index/index-status.ts'
import { z } from '../../../platform/schema.ts'
import { formatAge, formatBytes, formatDiagnostics } from '../format-values.ts'
import { operation, type Paint } from '../operation.ts'
import { indexDirInput, repositoryInput } from './repository-input.ts'

export const status = operation({
  name: 'status',
  examples: [
    { command: 'dossier status', purpose: 'the current folder' },
    { command: 'dossier status . --json', purpose: 'for a program' },
  ],
  input: z.strictObject({ ...repositoryInput, ...indexDirInput }),
  positional: ['path'],
  tool: 'index_status',
  toolWhen: 'all',
  run: (world, input) => indexStatus(world, input),
  text: renderStatus,
  succeeded: () => true,
})

function renderStatus(it: IndexStatusReport, paint: Paint): string {
  const edges = Object.entries(it.edges).map(([kind, value]) => `${kind} ${formatCount(value)}`)
  const languages = it.languages.map(({ language, files }) => `${language} ${formatCount(files)}`)
  const shown = paint.isVerbose ? languages : languages.slice(0, 12)
  const lines = [
    `${paint.strong(it.root)}`,
    `  index       ${it.index}, ${formatBytes(it.indexBytes)}, ${formatAge(it.ageSeconds)} old`,
    ...renderChanged(it.changed, paint),
    ...renderOptions(it.options),
    `  signature   ${it.signature}`,
    `  files       ${formatCount(it.files)}, ${formatBytes(it.bytes)}, ${formatCount(it.lines)} lines`,
    `  languages   ${shown.join(', ')}${shown.length < languages.length ? ', …' : ''}`,
    `  chunks      ${formatCount(it.chunks)}`,
    `  symbols     ${formatCount(it.symbols)}`,
    `  edges       ${edges.join(', ')}`,
    `  unresolved  ${formatCount(it.unresolved)}`,
    ...formatDiagnostics(it.skipped, paint),
  ]
  return `${lines.join('\n')}\n`
}

/** An index that is older than the files says so. */
function renderChanged(changed: readonly string[], paint: Paint): readonly string[] {
  if (changed.length === 0) return []
  const names = joinFirst(changed, paint.isVerbose ? changed.length : undefined)
  return [`  changed     ${counted(changed.length, 'file')} since: ${names}`]
}

/** What an index was made with holds for later runs too, and narrows what can be found. */
function renderOptions(options: string): readonly string[] {
  const { include = [], exclude = [], maxFileBytes, scip = [], embed } = indexOptions(options)
  const lines = [
    ['include', include.join(', ')],
    ['exclude', exclude.join(', ')],
    ['max file', maxFileBytes === undefined ? '' : formatBytes(maxFileBytes)],
    ['scip', scip.map((it) => it.path).join(', ')],
    ['embed', embed === undefined || embed.name === 'self' ? (embed?.name ?? '') : embed.model],
  ] as const
  return lines.flatMap(([name, value]) => (value === '' ? [] : [`  ${name.padEnd(12)}${value}`]))
}

function formatCount(value: number): string {
  return String(value).replaceAll(/\B(?=(\d{3})+$)/g, ',')
}
