/** Which workspace is meant where nobody names one. */
import { expect, test } from 'vitest'
import type { Config } from '../../src/config/schema.ts'
import { chooseDefaultAlias } from '../../src/packs/notes/notes-workspaces.ts'

function config(aliases: readonly string[], defaultWorkspace?: string): Config {
  const workspaces = new Map(aliases.map((it) => [it, { source: '/x', kind: 'vault' as const }]))
  return { defaultWorkspace, workspaces, lenses: new Map() }
}

test('NC8 the one of the settings, else main, else the first that was imported', () => {
  expect(chooseDefaultAlias(config([]))).toBe('main')
  expect(chooseDefaultAlias(config(['work']))).toBe('work')
  expect(chooseDefaultAlias(config(['work', 'home']))).toBe('work')
  expect(chooseDefaultAlias(config(['work', 'main']))).toBe('main')
  expect(chooseDefaultAlias(config(['work', 'main'], 'home'))).toBe('home')
})
