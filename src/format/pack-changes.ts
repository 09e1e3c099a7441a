/** What a pack about a diff says of it as a whole. Each line stands for itself, and can be left out. */
import { counted } from '../base/text.ts'
import type { ChangedFile, CoChange, PackChanges, Referrer } from '../model/pack-changes.ts'
import { oneLine, shownPath } from './pack-explain.ts'

export function changesLines(changes: PackChanges): readonly string[] {
  const { counts, files, referrers, together, notes } = changes
  if (counts.files === 0) return ['Nothing has changed.', ...notes.map(noteLine)]
  return [
    `${counted(counts.files, 'file')} changed (+${counts.addedLines} −${counts.removedLines}), ${counted(counts.symbols, 'definition')}`,
    ...(files.length === 0 ? [] : listLines(files.map(fileLine), counts.files, 'file')),
    ...block('Not changed, but refers to what changed', referrers.map(referrerLine), {
      count: counts.referrers,
      noun: 'place',
    }),
    ...block(
      `Usually changes together, but not here (${counted(counts.commits, 'commit')})`,
      together.map(coChangeLine),
      { count: counts.together, noun: 'file' },
    ),
    ...notes.map(noteLine),
  ]
}

/** Of a list with room for none of it, how much there is. */
function block(
  title: string,
  lines: readonly string[],
  { count, noun }: { readonly count: number; readonly noun: string },
): readonly string[] {
  if (count === 0) return []
  if (lines.length === 0) return [`${title}: ${counted(count, noun)}`]
  return [`${title}:`, ...listLines(lines, count, noun)]
}

function listLines(lines: readonly string[], count: number, noun: string): readonly string[] {
  const rest = count - lines.length
  return rest > 0 ? [...lines, `- and ${counted(rest, `more ${noun}`)}`] : lines
}

function noteLine(note: string): string {
  return `Note: ${oneLine(note, LONGEST)}`
}

const LONGEST = 200
const MOST_NAMES = 12
const MOST_LINES = 5

const STATUS_WORDS: Readonly<Record<ChangedFile['status'], string>> = {
  added: 'new',
  deleted: 'deleted',
  modified: '',
  renamed: 'renamed',
  copied: 'copied',
}

export function fileLine(file: ChangedFile): string {
  const { path, oldPath, status, addedLines, removedLines, symbols, removedNames, notes } = file
  const from = oldPath === undefined ? '' : ` from ${shownPath(oldPath)}`
  const sizes = addedLines + removedLines === 0 ? '' : `+${addedLines} −${removedLines}`
  const facts = [
    `${STATUS_WORDS[status]}${from}`.trim(),
    sizes,
    ...notes,
    names(symbols),
    removedNames.length === 0 ? '' : `no longer defines ${names(removedNames)}`,
  ].filter((it) => it !== '')
  return `- ${[shownPath(path), ...facts].join(' · ')}`
}

function names(all: readonly string[]): string {
  const rest = all.length - MOST_NAMES
  const shown = all.slice(0, MOST_NAMES).map((it) => oneLine(it, LONGEST))
  return [...shown, ...(rest > 0 ? [`${rest} more`] : [])].join(', ')
}

export function referrerLine({ path, lines, name, to, isRemoved }: Referrer): string {
  const rest = lines.length - MOST_LINES
  const places = [...lines.slice(0, MOST_LINES), ...(rest > 0 ? [`${rest} more`] : [])].join(',')
  const what = isRemoved ? `names \`${to}\`, which is no longer defined` : `→ ${to}`
  return oneLine(`- ${shownPath(path)}:${places} ${name === '' ? '' : `${name} `}${what}`, LONGEST)
}

export function coChangeLine({ path, with: other, together, of }: CoChange): string {
  return `- ${shownPath(path)} · changed with \`${shownPath(other)}\` in ${together} of ${counted(of, 'commit')}`
}
