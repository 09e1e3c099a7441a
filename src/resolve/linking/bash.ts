/** How shell scripts find each other: `source` takes a path, often below a folder in a variable. */
import type { Linking } from '../linking.ts'
import { fromAnyRoot } from './roots.ts'

export const bash: Linking = {
  languages: ['bash'],
  bareMembers: 'never',
  callMakes: false,
  exportsAll: true,
  modules(specifier, from, ask) {
    const path = fixedPart(specifier)
    return path === '' ? [] : fromAnyRoot([path], from, ask)
  },
}

/** What is left of `"$(dirname "$0")/lib/x.sh"` when the folder that it begins with is unknown. */
function fixedPart(specifier: string): string {
  const plain = specifier.replaceAll(/["']/g, '')
  const rest = plain.replace(/^(?:\$\(.*\)|`[^`]*`|\$\{[^}]*\}|\$\w+|~)\//s, '')
  return /[$`*?]/.test(rest) || rest.startsWith('/') ? '' : rest
}
