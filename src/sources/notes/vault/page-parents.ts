/** The parents of pages: folders of the vault as notes, and pages that contain others by name. */
import { ascending } from '../../../base/order.ts'
import { folderOf, lastPart } from '../../../base/paths.ts'
import type { NoteRecord } from '../../../model/note.ts'
import { fileStem, outlineName } from './page.ts'
import type { PageDraft } from './page-draft.ts'
import { normalizeName } from './page-index.ts'

export interface PageParents {
  /** One for each folder that contains pages at any depth, except the vault itself. */
  readonly folders: readonly NoteRecord[]
  findParent(page: PageDraft): string | undefined
  pagesBelow(page: PageDraft): readonly string[]
}

export function findPageParents(pages: readonly PageDraft[]): PageParents {
  const owners = namespaceOwners(pages)
  const below = new Map<PageDraft, string[]>()
  const inFolder = new Map<string, string[]>()
  const folders = new Set<string>()
  for (const page of pages) {
    const folder = folderOf(page.file.path)
    for (let it = folder; it !== '' && !folders.has(it); it = folderOf(it)) folders.add(it)
    const owner = owners.get(page)
    if (owner === undefined) appendTo(inFolder, folder, page.file.id)
    else appendTo(below, owner, page.file.id)
  }
  for (const it of folders) appendTo(inFolder, folderOf(it), folderId(it))
  return {
    folders: [...folders].toSorted().map((it) => ({
      id: folderId(it),
      name: lastPart(it),
      kind: 'folder',
      content: '',
      tags: [],
      fields: [],
      ...parentFolder(folderOf(it)),
      children: (inFolder.get(it) ?? []).toSorted(),
      references: [],
    })),
    findParent: (page) =>
      owners.get(page)?.file.id ?? parentFolder(folderOf(page.file.path)).parent,
    pagesBelow: (page) => (below.get(page) ?? []).toSorted(),
  }
}

/** In an outline program `a/b/c` is part of `a/b`, if there is such a page, or else of `a`. */
function namespaceOwners(pages: readonly PageDraft[]): ReadonlyMap<PageDraft, PageDraft> {
  const outlines = pages
    .filter((it) => it.file.isOutline && it.day === undefined)
    .map((page) => ({ page, folder: folderOf(page.file.path), name: namespaceName(page) }))
    .toSorted(ascending((it) => it.page.file.path))
  const named = new Map<string, PageDraft>()
  for (const it of outlines) {
    const key = `${it.folder}\n${it.name}`
    if (!named.has(key)) named.set(key, it.page)
  }
  const owners = new Map<PageDraft, PageDraft>()
  for (const { page, folder, name } of outlines) {
    for (let it = folderOf(name); it !== '' && !owners.has(page); it = folderOf(it)) {
      const owner = named.get(`${folder}\n${it}`)
      if (owner !== undefined) owners.set(page, owner)
    }
  }
  return owners
}

function namespaceName(page: PageDraft): string {
  return normalizeName(outlineName(fileStem(page.file.path)))
}

/** With a slash, so that the page `a` and the folder `a` have different ids. */
function folderId(path: string): string {
  return `${path.replaceAll('#', '%23')}/`
}

function parentFolder(path: string): { readonly parent?: string } {
  return path === '' ? {} : { parent: folderId(path) }
}

function appendTo<K>(map: Map<K, string[]>, key: K, value: string): void {
  const known = map.get(key)
  if (known === undefined) map.set(key, [value])
  else known.push(value)
}
