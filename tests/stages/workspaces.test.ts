/** Which workspace is meant where nobody names one. */
import { expect, test } from 'vitest'
import type { Config } from '../../src/config/schema.ts'
import { defaultAlias } from '../../src/packs/notes/notes-workspaces.ts'

function config(aliases: readonly string[], defaultWorkspace?: string): Config {
  const workspaces = new Map(aliases.map((it) => [it, { source: '/x', kind: 'vault' as const }]))
  return { defaultWorkspace, workspaces, lenses: new Map() }
}

test('NC8 the one of the settings, else main, else the first that was imported', () => {
  expect(defaultAlias(config([]))).toBe('main')
  expect(defaultAlias(config(['work']))).toBe('work')
  expect(defaultAlias(config(['work', 'home']))).toBe('work')
  expect(defaultAlias(config(['work', 'main']))).toBe('main')
  expect(defaultAlias(config(['work', 'main'], 'home'))).toBe('home')
})
