/**
 * Finds the page that a link means, like Obsidian: the exact path, else the file of that name,
 * preferring the one nearest to the page with the link; else an alias of a page. Case and Unicode
 * composition are ignored.
 */
import { ascending, inOrder } from '../../../base/order.ts'
import { folderOf, lastPart } from '../../../base/paths.ts'
import { parseDay } from './dates.ts'
import type { PageDraft } from './page-draft.ts'

export interface PageIndex {
  /** By the text in `[[…]]`, before any `#`. */
  byName(name: string, from: PageDraft): PageDraft | undefined
  /** By the address of a Markdown link, before any `#`. */
  byAddress(address: string, from: PageDraft): PageDraft | undefined
}

export function createPageIndex(pages: readonly PageDraft[]): PageIndex {
  const maps: PageMaps = {
    paths: new Map(),
    stems: new Map(),
    names: new Map(),
    days: new Map(),
    endings: new Map(),
    nearest: new Map(),
  }
  for (const page of pages) {
    const path = pathKey(page)
    addPage(maps.paths, path, page)
    addPage(maps.stems, lastPart(path), page)
    for (const it of page.aliases) addPage(maps.names, normalizeName(it), page)
    for (const it of page.otherNames) addPage(maps.names, normalizeName(it), page)
    if (page.day !== undefined) addPage(maps.days, page.day, page)
  }
  return {
    byName: (name, from) => findByName(maps, name, from),
    byAddress: (address, from) => {
      const path = resolveRelative(folderOf(pathKey(from)), removeExtension(normalizeName(address)))
      return chooseNearest(maps, maps.paths.get(path), from) ?? findByName(maps, address, from)
    },
  }
}

interface PageMaps {
  readonly paths: Map<string, PageDraft[]>
  readonly stems: Map<string, PageDraft[]>
  readonly names: Map<string, PageDraft[]>
  readonly days: Map<string, PageDraft[]>
  /** Of `sub/page`: pages whose path ends in it. Found when they are first asked for. */
  readonly endings: Map<string, readonly PageDraft[]>
  /** By folder: a common name is resolved once for all pages of a folder. */
  readonly nearest: Map<readonly PageDraft[], Map<string, PageDraft | undefined>>
}

function addPage(map: Map<string, PageDraft[]>, key: string, page: PageDraft): void {
  const known = map.get(key)
  if (known === undefined) map.set(key, [page])
  else if (known.at(-1) !== page) known.push(page)
}

function findByName(maps: PageMaps, name: string, from: PageDraft): PageDraft | undefined {
  const whole = normalizeName(name)
  const key = removeExtension(whole)
  if (key.startsWith('.') && /^\.{1,2}\//.test(key))
    return chooseNearest(maps, maps.paths.get(resolveRelative(folderOf(pathKey(from)), key)), from)
  if (key.startsWith('/'))
    return chooseNearest(maps, maps.paths.get(resolveRelative('', key)), from)
  // In outline programs pages have names that are independent of their files.
  const named = from.file.isOutline ? chooseNearest(maps, maps.names.get(whole), from) : undefined
  if (named !== undefined) return named
  return (
    chooseNearest(maps, maps.paths.get(key), from) ??
    chooseNearest(maps, findByPathEnding(maps, key), from) ??
    chooseNearest(maps, maps.names.get(whole), from) ??
    chooseNearest(maps, maps.days.get(parseDay(name.trim()) ?? ''), from)
  )
}

function findByPathEnding(maps: PageMaps, key: string): readonly PageDraft[] | undefined {
  const same = maps.stems.get(lastPart(key))
  if (same === undefined || !key.includes('/')) return same
  const known = maps.endings.get(key)
  if (known !== undefined) return known
  const ending = same.filter((it) => `/${pathKey(it)}`.endsWith(`/${key}`))
  maps.endings.set(key, ending)
  return ending
}

/** By the steps between the two folders, then the shorter path. */
function chooseNearest(
  maps: PageMaps,
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
        ascending((it) => folderDistance(way, folderParts(it))),
        ascending((it) => it.file.path.length),
        ascending((it) => it.file.path),
      ),
    )
    known.set(home, first)
  }
  return known.get(home)
}

function folderDistance(from: readonly string[], to: readonly string[]): number {
  let shared = 0
  while (shared < from.length && shared < to.length && from[shared] === to[shared]) shared += 1
  return from.length + to.length - 2 * shared
}

export function normalizeName(name: string): string {
  return name.normalize('NFC').toLowerCase().trim()
}

function pathKey(page: PageDraft): string {
  return removeExtension(normalizeName(page.file.path))
}

function folderParts(page: PageDraft): readonly string[] {
  return pathKey(page).split('/').slice(0, -1)
}

function removeExtension(path: string): string {
  return path.replace(/\.(?:md|markdown)$/, '')
}

/** Resolves a relative path from a folder. A path that leaves the vault matches nothing. */
export function resolveRelative(folder: string, path: string): string {
  const parts = path.startsWith('/') || folder === '' ? [] : folder.split('/')
  for (const part of path.split('/')) {
    if (part === '..') {
      if (parts.pop() === undefined) return '..'
    } else if (part !== '.' && part !== '') parts.push(part)
  }
  return parts.join('/')
}
