/** How pages and stylesheets find files: paths from their own folder, or from a root of the site. */
import { folderOf } from '../../base/paths.ts'
import type { Ask, Linking } from '../linking.ts'
import { inFolder } from './folders.ts'
import { foldersAround } from './roots.ts'

const STYLE_ENDS = ['', '.css']
const PAGE_ENDS = ['', '.html', '/index.html']
/** Folders whose contents a server puts at the root of a site. */
const SITES = ['', 'public/', 'static/', 'src/', 'dist/']

export const css: Linking = {
  languages: ['css'],
  bareMembers: 'never',
  callMakes: false,
  exportsAll: true,
  modules: (specifier, from, ask) => linked({ specifier, from, ends: STYLE_ENDS }, ask),
  // A custom property of the root element is set for every stylesheet of a page.
  beyond: (name, _, ask) => (name.startsWith('--') ? ask.provided(`css:${name}`) : []),
}

export const html: Linking = {
  languages: ['html'],
  bareMembers: 'never',
  callMakes: false,
  exportsAll: true,
  modules: (specifier, from, ask) => linked({ specifier, from, ends: PAGE_ENDS }, ask),
}

interface Link {
  readonly specifier: string
  readonly from: string
  readonly ends: readonly string[]
}

function linked(link: Link, ask: Ask): readonly string[] {
  const { specifier, from, ends } = link
  if (/^[a-z][a-z\d+.-]*:|^\/\//i.test(specifier)) return []
  const bases = specifier.startsWith('/')
    ? foldersAround(from).flatMap((folder) => SITES.map((site) => inFolder(folder, site)))
    : [folderOf(from)]
  for (const base of bases) {
    for (const end of ends) {
      const path = inFolder(base, specifier) + end
      if (path !== '' && ask.exists(path)) return [path]
    }
  }
  return []
}
