/** How PHP finds things: by full name, as autoloading does; and files by path where required. */
import { folderOf } from '../../base/paths.ts'
import type { Ask, Linking, Place } from '../linking.ts'
import { inFolder } from './folders.ts'

export const php: Linking = {
  languages: ['php'],
  bareMembers: 'never',
  callMakes: false,
  exportsAll: true,
  calls: '__invoke',
  maker: '__construct',
  modules(specifier, from, ask) {
    if (!specifier.startsWith('./')) return []
    const near = inFolder(folderOf(from), specifier)
    const found = [near, inFolder('', specifier)].find((it) => ask.exists(it))
    return found === undefined ? [] : [found]
  },
  imported({ specifier, name }, _, ask) {
    return ask.provided(`php:${specifier === '' ? '' : `${specifier}\\`}${name}`)
  },
  beyond,
}

/** In the file's own namespace; functions and constants fall back to the one without a name. */
function beyond(name: string, from: string, ask: Ask): readonly Place[] {
  if (name.startsWith('$')) return []
  const spaces = (ask.facts(from)?.provides ?? [])
    .filter((it) => it.name.startsWith('php-namespace:'))
    .map((it) => it.name.slice('php-namespace:'.length))
  for (const space of spaces) {
    const found = ask.provided(`php:${space === '' ? '' : `${space}\\`}${name}`)
    if (found.length > 0) return found
  }
  return ask.provided(`php:${name}`).filter((it) => {
    const kind = ask.facts(it.path)?.definitions[it.definition]?.kind
    return spaces.length === 0 || kind === 'function' || kind === 'variable'
  })
}
