/** Prose and data: nothing is imported, and what is mentioned is found by other means. */
import type { Linking } from '../linking.ts'

export const text: Linking = {
  languages: ['markdown', 'plain', 'json', 'yaml', 'toml', 'scss'],
  bareMembers: 'never',
  callMakes: false,
  exportsAll: false,
  modules: () => [],
}
