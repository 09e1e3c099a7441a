/** SQL has one space of names for a whole database, whatever files define it. */
import type { Linking } from '../linking.ts'
import { nearest } from './folders.ts'

export const sql: Linking = {
  languages: ['sql'],
  bareMembers: 'never',
  callMakes: false,
  exportsAll: true,
  modules: () => [],
  // Several databases may live in one repository, each in folders of its own.
  beyond: (name, from, ask) => nearest(ask.provided(`sql:${name.toLowerCase()}`), from),
}
