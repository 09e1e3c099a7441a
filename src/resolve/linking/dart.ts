/** How Dart finds libraries: relative paths, and `package:` with the name that pubspec.yaml gives. */
import { folderOf } from '../../base/paths.ts'
import type { Ask, Linking } from '../linking.ts'
import { inFolder } from './folders.ts'

export const dart: Linking = {
  languages: ['dart'],
  bareMembers: 'always',
  callMakes: true,
  exportsAll: true,
  modules,
  wrappers: {
    Future: 'same',
    FutureOr: 'same',
    Stream: 'items',
    Iterable: 'items',
    List: 'items',
    Set: 'items',
    Queue: 'items',
    Map: 'values',
  },
}

function modules(specifier: string, from: string, ask: Ask): readonly string[] {
  const named = /^package:([^/]+)\/(.+)$/.exec(specifier)
  if (named === null && /^\w+:/.test(specifier)) return []
  const paths =
    named === null
      ? [inFolder(folderOf(from), specifier)]
      : ask
          .provided(`pub:${named[1] ?? ''}`)
          .map((it) => inFolder(folderOf(it.path), `lib/${named[2] ?? ''}`))
  return paths.filter((it) => ask.exists(it)).slice(0, 1)
}
