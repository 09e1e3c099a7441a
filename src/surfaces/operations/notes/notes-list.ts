import { listNotes, type WorkspaceReport } from '../../../packs/notes/notes-list.ts'
import { z } from '../../../platform/schema.ts'
import { formatAge } from '../format-values.ts'
import { operation, type Paint } from '../operation.ts'
import { formatNumber } from './render-import.ts'

export const notesList = operation({
  name: 'notes list',
  examples: [
    { command: 'dossier notes list', purpose: 'for people' },
    { command: 'dossier notes list --json', purpose: 'for a program' },
  ],
  input: z.strictObject({}),
  run: listNotes,
  text({ workspaces }, paint) {
    if (workspaces.length === 0) {
      return 'No workspace yet. Import one: dossier notes import <file, folder or URL>\n'
    }
    return workspaces.map((it) => renderWorkspace(it, paint)).join('')
  },
  succeeded: () => true,
})

function renderWorkspace(it: WorkspaceReport, paint: Paint): string {
  const usual = it.isDefault ? ' (default)' : ''
  const lines = [
    `${paint.strong(it.alias)}${usual}  ${it.kind}`,
    `  ${paint.faint(it.source)}`,
    `  ${it.copy === undefined ? `${paint.bad('no copy')}: ${it.trouble}` : renderCopy(it.copy)}`,
  ]
  return `${lines.join('\n')}\n`
}

function renderCopy(copy: NonNullable<WorkspaceReport['copy']>): string {
  const { notes, tagged, links, ageSeconds, embedder } = copy
  const vectors = embedder === undefined ? '' : `, vectors of ${embedder}`
  return `${formatNumber(notes)} notes, ${formatNumber(tagged)} tagged, ${formatNumber(links)} links${vectors}, ${formatAge(ageSeconds)} old`
}
