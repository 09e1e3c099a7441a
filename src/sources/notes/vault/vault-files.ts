/**
 * Finds the files of a vault and the program that wrote them. Folders of programs (`.obsidian`,
 * `.trash`, Logseq's `logseq/` with its backups) and other dot folders are skipped.
 */
import { join } from 'node:path'
import { lastPart } from '../../../base/paths.ts'
import type { Diagnostic } from '../../../model/diagnostic.ts'
import type { Files } from '../../../platform/files.ts'
import { exists } from '../../ignore-rules.ts'
import { NEVER_ENTERED, walk } from '../../walk.ts'
import type { PageFile } from './page-draft.ts'

export interface FoundVault {
  /** By path, in code-unit order. */
  readonly pages: readonly PageFile[]
  /** Everything else that a link may lead to. */
  readonly others: readonly string[]
  readonly folders: readonly string[]
  readonly isDendron: boolean
  readonly diagnostics: readonly Diagnostic[]
}

const EXTENSION = /\.(?:md|markdown)$/i
/** A name with a line break would look like two lines in listings. */
// oxlint-disable-next-line no-control-regex
const CONTROLS = /[\x00-\x1f\x7f]/

/** Whether a folder holds a Markdown file, however deep. */
export function isVault(files: Files, path: string): boolean {
  const pending = [path]
  for (let at = 0; at < pending.length; at += 1) {
    const folder = pending[at] ?? path
    const entries = listFolder(files, folder)
    if (entries.some((it) => it.isFile() && EXTENSION.test(it.name))) return true
    for (const it of entries)
      if (it.isDirectory() && !it.name.startsWith('.') && !NEVER_ENTERED.has(it.name))
        pending.push(join(folder, it.name))
  }
  return false
}

function listFolder(files: Files, folder: string): ReturnType<Files['list']> {
  try {
    return files.list(folder)
  } catch {
    return []
  }
}

export function findVaultFiles(files: Files, folder: string): FoundVault {
  const graphs: string[] = []
  let hasObsidian = false
  const folders: string[] = []
  const walked = walk(files, folder, {
    accepts: (name) => !name.startsWith('.'),
    skipsFolder: () => false,
    leavesOut: (path, isFolder) => {
      if (!isFolder) return false
      const name = lastPart(path)
      hasObsidian ||= path === '.obsidian'
      if (name.startsWith('.')) return true
      if (name === 'logseq' && exists(files, join(folder, path, 'config.edn'))) {
        graphs.push(path.slice(0, -name.length))
        return true
      }
      folders.push(path)
      return false
    },
  })
  const notes = walked.files.filter((it) => EXTENSION.test(it.path))
  const good = notes.filter((it) => !CONTROLS.test(it.path))
  if (graphs.length === 0 && !hasObsidian && hasLogseqFolders(good.map((it) => it.path)))
    graphs.push('')
  const ids = assignPageIds(good.map((it) => it.path))
  const bad = notes.filter((it) => CONTROLS.test(it.path))
  return {
    pages: good.map((it) => ({
      ...it,
      id: ids.get(it.path) ?? it.path,
      isOutline: isOutlinePage(it.path, graphs),
    })),
    others: walked.files.filter((it) => !EXTENSION.test(it.path)).map((it) => it.path),
    folders,
    isDendron: walked.files.some((it) => it.path === 'dendron.yml'),
    diagnostics: [
      ...walked.diagnostics.filter((it) => isRelevant(it.path)),
      ...bad.map(({ path }) => ({ code: 'unreadable', path, message: BAD_NAME }) as const),
    ],
  }
}

const BAD_NAME = 'its name contains control characters; left out'

/** Unreadable pictures are not reported, because they are never read. */
function isRelevant(path: string): boolean {
  return EXTENSION.test(path) || !/\.[^./]+$/.test(path)
}

/** Logseq's two folders, even where its settings were not kept with them. */
function hasLogseqFolders(paths: readonly string[]): boolean {
  return ['pages/', 'journals/'].every((folder) => paths.some((it) => it.startsWith(folder)))
}

function isOutlinePage(path: string, graphs: readonly string[]): boolean {
  return graphs.some((it) => path.startsWith(`${it}pages/`) || path.startsWith(`${it}journals/`))
}

/** Without `#`, which starts a position inside a page. */
function assignPageIds(paths: readonly string[]): ReadonlyMap<string, string> {
  const ids = new Map<string, string>()
  const taken = new Set<string>()
  // Of `a.md` and `a.markdown` the first gets the id `a`.
  for (const usual of [true, false]) {
    for (const path of paths) {
      if (/\.md$/i.test(path) !== usual) continue
      const wish = path.replaceAll('#', '%23')
      let id = wish.replace(EXTENSION, '')
      if (taken.has(id)) id = wish
      for (let number = 2; taken.has(id); number += 1) id = `${wish}~${number}`
      taken.add(id)
      ids.set(path, id)
    }
  }
  return ids
}
