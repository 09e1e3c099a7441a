/**
 * Which page a link means. As Obsidian has it: the exact path, else the file of that name, and of
 * several the one that lies nearest to the page with the link; else another name of a page. Neither
 * case nor the way in which a letter's accents are composed counts.
 */
import { ascending, inOrder } from '../../../base/order.ts'
import { folderOf, lastPart } from '../../../base/paths.ts'
import { dayOf } from './days.ts'
import type { PageDraft } from './draft.ts'

export interface PageIndex {
  /** By what stands in `[[…]]`, before any `#`. */
  byName(name: string, from: PageDraft): PageDraft | undefined
  /** By the address of a Markdown link, before any `#`. */
  byAddress(address: string, from: PageDraft): PageDraft | undefined
}

export function pageIndex(pages: readonly PageDraft[]): PageIndex {
  const maps: Maps = {
    paths: new Map(),
    stems: new Map(),
    names: new Map(),
    days: new Map(),
    endings: new Map(),
    nearest: new Map(),
  }
  for (const page of pages) {
    const path = pathKey(page)
    add(maps.paths, path, page)
    add(maps.stems, lastPart(path), page)
    for (const it of page.aliases) add(maps.names, keyOf(it), page)
    for (const it of page.calledAs) add(maps.names, keyOf(it), page)
    if (page.day !== undefined) add(maps.days, page.day, page)
  }
  return {
    byName: (name, from) => byName(maps, name, from),
    byAddress: (address, from) => {
      const path = joined(folderOf(pathKey(from)), withoutExtension(keyOf(address)))
      return nearest(maps, maps.paths.get(path), from) ?? byName(maps, address, from)
    },
  }
}

interface Maps {
  readonly paths: Map<string, PageDraft[]>
  readonly stems: Map<string, PageDraft[]>
  readonly names: Map<string, PageDraft[]>
  readonly days: Map<string, PageDraft[]>
  /** Of `sub/page`: pages whose path ends in it. Found when they are first asked for. */
  readonly endings: Map<string, readonly PageDraft[]>
  /** By folder: a name that thousands bear is weighed once for all pages of a folder. */
  readonly nearest: Map<readonly PageDraft[], Map<string, PageDraft | undefined>>
}

function add(map: Map<string, PageDraft[]>, key: string, page: PageDraft): void {
  const known = map.get(key)
  if (known === undefined) map.set(key, [page])
  else if (known.at(-1) !== page) known.push(page)
}

function byName(maps: Maps, name: string, from: PageDraft): PageDraft | undefined {
  const whole = keyOf(name)
  const key = withoutExtension(whole)
  if (key.startsWith('.') && /^\.{1,2}\//.test(key))
    return nearest(maps, maps.paths.get(joined(folderOf(pathKey(from)), key)), from)
  if (key.startsWith('/')) return nearest(maps, maps.paths.get(joined('', key)), from)
  // In an outline the names are the pages' own, and files are only where they are kept.
  const named = from.file.isOutline ? nearest(maps, maps.names.get(whole), from) : undefined
  if (named !== undefined) return named
  return (
    nearest(maps, maps.paths.get(key), from) ??
    nearest(maps, endingIn(maps, key), from) ??
    nearest(maps, maps.names.get(whole), from) ??
    nearest(maps, maps.days.get(dayOf(name.trim()) ?? ''), from)
  )
}

function endingIn(maps: Maps, key: string): readonly PageDraft[] | undefined {
  const same = maps.stems.get(lastPart(key))
  if (same === undefined || !key.includes('/')) return same
  const known = maps.endings.get(key)
  if (known !== undefined) return known
  const ending = same.filter((it) => `/${pathKey(it)}`.endsWith(`/${key}`))
  maps.endings.set(key, ending)
  return ending
}

/** By the steps between the two folders, then the shorter path. */
function nearest(
  maps: Maps,
  pages: readonly PageDraft[] | undefined,
  from: PageDraft,
): PageDraft | undefined {
  if (pages === undefined || pages.length < 2) return pages?.[0]
  const home = folderOf(pathKey(from))
  const known = maps.nearest.get(pages) ?? new Map<string, PageDraft | undefined>()
  maps.nearest.set(pages, known)
  if (!known.has(home)) {
    const way = home === '' ? [] : home.split('/')
    const [first] = pages.toSorted(
      inOrder(
        ascending((it) => steps(way, foldersOf(it))),
        ascending((it) => it.file.path.length),
        ascending((it) => it.file.path),
      ),
    )
    known.set(home, first)
  }
  return known.get(home)
}

function steps(from: readonly string[], to: readonly string[]): number {
  let shared = 0
  while (shared < from.length && shared < to.length && from[shared] === to[shared]) shared += 1
  return from.length + to.length - 2 * shared
}

export function keyOf(name: string): string {
  return name.normalize('NFC').toLowerCase().trim()
}

function pathKey(page: PageDraft): string {
  return withoutExtension(keyOf(page.file.path))
}

function foldersOf(page: PageDraft): readonly string[] {
  return pathKey(page).split('/').slice(0, -1)
}

function withoutExtension(path: string): string {
  return path.replace(/\.(?:md|markdown)$/, '')
}

/** A path from a folder, with its dots walked; what leads out of the vault is nowhere in it. */
export function joined(folder: string, path: string): string {
  const parts = path.startsWith('/') || folder === '' ? [] : folder.split('/')
  for (const part of path.split('/')) {
    if (part === '..') {
      if (parts.pop() === undefined) return '..'
    } else if (part !== '.' && part !== '') parts.push(part)
  }
  return parts.join('/')
}
