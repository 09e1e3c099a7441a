/** A patch from outside, laid on the files as they are: applied already, or still to be applied. */
import { applyPatch, reversePatch, structuredPatch } from 'diff'
import { EngineError } from '../../model/engine-error.ts'
import type { FileChange, LineEdit } from '../../model/repository-diff.ts'
import { type FilePatch, readEdits } from '../../sources/git/parse-patch.ts'

export interface FittedPatch {
  readonly files: readonly FileChange[]
  readonly notes: readonly string[]
}

export function fitPatch(
  files: readonly FilePatch[],
  textAt: (path: string) => string | undefined,
): FittedPatch {
  const fitted = files.map((file) => fitFile(file, textAt))
  const pending = fitted.filter((it) => it.isPending === true).length
  const which = pending === files.length ? 'the files' : `${pending} of the files`
  const note = `the patch is not applied to ${which} yet: their lines are shown as they are now`
  return { files: fitted, notes: pending === 0 ? [] : [note] }
}

function fitFile(
  { change, patch }: FilePatch,
  textAt: (path: string) => string | undefined,
): FileChange {
  const { path, oldPath = path, status, edits } = change
  if (edits.length === 0) return change
  const after = status === 'deleted' ? undefined : textAt(path)
  const before = status === 'added' ? undefined : textAt(oldPath)
  if (status === 'deleted' && before === undefined) return change
  if (status === 'added' && after === undefined) return { ...change, edits: [], isPending: true }
  const old = after === undefined ? false : applyPatch(after, reversePatch(patch), LOOSELY)
  const made = before === undefined ? false : applyPatch(before, patch, LOOSELY)
  // Lines that are only removed can be put back anywhere, so that proves nothing.
  const addsLines = edits.some((it) => it.added.length > 0)
  if (after !== undefined && old !== false && (addsLines || made === false))
    return { ...change, edits: editsBetween(old, after) ?? edits }
  if (before !== undefined && made !== false) {
    const own = editsBetween(before, made) ?? edits
    return { ...change, path: oldPath, edits: own.map(turnAround), isPending: true }
  }
  throw new EngineError(
    'POC_E_REQUEST_INVALID',
    `the patch does not fit ${path}: the file has neither the lines before it nor those after it`,
    { hint: 'make it from the files as they are: git diff | dossier pack --diff -' },
  )
}

/** Line ends may have been converted on the way. */
const LOOSELY = {
  compareLine: (...[, line, , wanted]: [number, string, string, string]) =>
    line.replace(/\r$/, '') === wanted.replace(/\r$/, ''),
}

/** Undefined where there are too many to compare. */
function editsBetween(before: string, after: string): readonly LineEdit[] | undefined {
  const patch = structuredPatch('', '', plain(before), plain(after), undefined, undefined, {
    context: 0,
    maxEditLength: MOST_EDITS,
  })
  return patch?.hunks.flatMap(readEdits)
}

const MOST_EDITS = 5000

function plain(text: string): string {
  return text.replaceAll('\r\n', '\n')
}

function turnAround({ oldStart, newStart, removed, added }: LineEdit): LineEdit {
  return { oldStart: newStart, newStart: oldStart, removed: added, added: removed }
}
