/** Elixir has one space of modules, whatever files define them. */
import type { Linking } from '../linking.ts'
import { nearest } from './folders.ts'

export const elixir: Linking = {
  languages: ['elixir'],
  bareMembers: 'never',
  callMakes: false,
  exportsAll: true,
  modules: () => [],
  // Applications of an umbrella may each bring a module of the same name for tests.
  beyond: (name, from, ask) =>
    /^[A-Z]/.test(name) ? nearest(ask.provided(`elixir:${name}`), from) : [],
}
