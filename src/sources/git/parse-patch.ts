/** The text of a unified diff, of git or of another program, to the changes of each file. */
import { parsePatch, type StructuredPatch, type StructuredPatchHunk } from 'diff'
import { ascending, inOrder } from '../../base/order.ts'
import type { ChangeStatus, FileChange, LineEdit } from '../../model/repository-diff.ts'

/** Of one file: what it says, and the hunks that say it. */
export interface FilePatch {
  readonly change: FileChange
  readonly patch: StructuredPatch
}

/** Without files it is not a diff, and `why` says where it stops being one. */
export type ParsedPatch =
  | { readonly files: readonly FilePatch[]; readonly why?: never }
  | { readonly files?: never; readonly why: string }

/** By path. What changes neither lines, nor names, nor modes is left out. */
export function parseDiff(text: string): ParsedPatch {
  let patches: readonly StructuredPatch[]
  try {
    patches = parsePatch(withoutMail(text))
  } catch (error) {
    return { why: error instanceof Error ? error.message : String(error) }
  }
  if (/^@@@+ -/m.test(text)) return { why: 'it is the combined diff of a merge' }
  const named = patches.filter(isNamed)
  if (named.length < patches.filter((it) => it.hunks.length > 0).length)
    return { why: 'lines that no file is named for' }
  if (named.length === 0 && text.trim() !== '') return { why: 'no line of it names a file' }
  const files = named.map((patch) => ({ change: readFileChange(patch), patch }))
  return { files: files.filter((it) => isChange(it.change)).toSorted(BY_PATH) }
}

const BY_PATH = inOrder<FilePatch>(
  ascending((it) => it.change.path),
  ascending((it) => it.change.oldPath ?? ''),
)

/** Mails of `git format-patch` end in a signature; a patch of bytes has no lines to compare. */
function withoutMail(text: string): string {
  return text
    .replaceAll(/^-- \r?\n\d+\.\d+[^\n]*$/gm, '')
    .replaceAll(/^GIT binary patch\r?$/gm, 'Binary files differ')
}

type NamedPatch = StructuredPatch & { readonly oldFileName: string; readonly newFileName: string }

function isNamed(patch: StructuredPatch): patch is NamedPatch {
  return patch.oldFileName !== undefined && patch.newFileName !== undefined
}

function readFileChange(patch: NamedPatch): FileChange {
  const before = readPath(patch.oldFileName, patch.isGit === true)
  const after = readPath(patch.newFileName, patch.isGit === true)
  const status = readStatus(patch, before, after)
  const path = status === 'deleted' ? before : after
  const { oldMode, newMode } = patch
  return {
    path,
    ...(status === 'renamed' || status === 'copied' ? { oldPath: before } : {}),
    status,
    isBinary: patch.isBinary === true,
    ...(oldMode !== undefined && newMode !== undefined && oldMode !== newMode
      ? { modes: { before: oldMode, after: newMode } }
      : {}),
    edits: patch.hunks.flatMap(readEdits),
  }
}

/** Without the `a/` and `b/` that git writes; a name of another program may have a time behind it. */
function readPath(name: string, isGit: boolean): string {
  if (name === NOTHING) return name
  const plain = isGit || /^[ab]\//.test(name) ? name.replace(/^[abciow]\//, '') : name
  return plain.replace(/^(?:\.\/)+/, '').replace(/\r$/, '')
}

const NOTHING = '/dev/null'

function readStatus(patch: NamedPatch, before: string, after: string): ChangeStatus {
  if (patch.isCreate === true || before === NOTHING) return 'added'
  if (patch.isDelete === true || after === NOTHING) return 'deleted'
  if (patch.isCopy === true) return 'copied'
  return patch.isRename === true ? 'renamed' : 'modified'
}

function isChange({ status, isBinary, modes, edits }: FileChange): boolean {
  return status !== 'modified' || isBinary || modes !== undefined || edits.length > 0
}

/** Stretches of removed and added lines between lines that stay. */
export function readEdits(hunk: StructuredPatchHunk): readonly LineEdit[] {
  const edits: LineEdit[] = []
  let [oldLine, newLine] = [hunk.oldStart, hunk.newStart]
  let edit: { oldStart: number; newStart: number; removed: string[]; added: string[] } | undefined
  for (const line of hunk.lines) {
    const sign = line.charAt(0)
    if (sign === '\\') continue
    if (sign === '+' || sign === '-') {
      edit ??= { oldStart: oldLine, newStart: newLine, removed: [], added: [] }
      edit[sign === '+' ? 'added' : 'removed'].push(line.slice(1))
    } else if (edit !== undefined) {
      edits.push(edit)
      edit = undefined
    }
    if (sign !== '+') oldLine += 1
    if (sign !== '-') newLine += 1
  }
  return edit === undefined ? edits : [...edits, edit]
}
