/** Files of Go that only some builds have: which of several definitions a call can mean. L2 */
import { expect, test } from 'vitest'
import { LINKINGS } from '../../src/resolve/linkings.ts'
import { resolveReferences } from '../../src/resolve/references.ts'
import { repositoryOf } from '../support/repository.ts'

/** The files that `poll()` leads to from one file, best first, given their conditions by name. */
async function targets(from: string, conditions: Readonly<Record<string, string>>) {
  const texts = new Map<string, string>()
  for (const [path, condition] of Object.entries(conditions)) {
    const head = condition === '' ? '' : `${condition}\n\n`
    const body = path === from ? 'func start() { poll() }' : 'func poll() {}'
    texts.set(path, `${head}package net\n\n${body}\n`)
  }
  const repository = await repositoryOf(texts)
  const ask = { ...repository, settings: () => undefined }
  const { references = [] } = resolveReferences(from, ask, LINKINGS) ?? {}
  return references.flatMap((it) => it.targets.map(({ path }) => path))
}

test('L2 a file of every build can mean all of them, first the one of an ordinary build', async () => {
  const files = {
    'start.go': '',
    'poll_darwin.go': '',
    'poll_linux.go': '//go:build !slow',
    'poll_slow.go': '//go:build slow',
  }
  expect(await targets('start.go', files)).toEqual([
    'poll_linux.go',
    'poll_darwin.go',
    'poll_slow.go',
  ])
})

test('L2 the name of a file says for which system and machine it is', async () => {
  const files = {
    'start_windows_test.go': '',
    'poll_linux.go': '',
    'poll_windows_arm64.go': '',
    'poll_amd64.go': '',
    'windows.go': '//go:build linux',
  }
  expect(await targets('start_windows_test.go', files)).toEqual([
    'poll_amd64.go',
    'poll_windows_arm64.go',
  ])
})

test('L2 conditions are followed, with their parentheses and kinds of systems', async () => {
  const files = {
    'start.go': '//go:build freebsd && !cgo',
    'a.go': '//go:build unix && (cgo || windows)',
    'b.go': '//go:build !(linux || windows) && go1.21',
    'c.go': '//go:build ios || wasm',
    'd.go': '//go:build wasm',
  }
  expect(await targets('start.go', files)).toEqual(['b.go'])
  expect(await targets('start.go', { ...files, 'start.go': '//go:build ios && cgo' })).toEqual([
    'a.go',
    'b.go',
    'c.go',
  ])
})

test('L2 the older form says the same', async () => {
  const files = {
    'start.go': '// +build windows',
    'a.go': '// +build linux darwin',
    'b.go': '// +build windows,!race js\n// +build !plan9',
  }
  expect(await targets('start.go', files)).toEqual(['b.go'])
})

test('L2 where nothing fits, everything is kept', async () => {
  const files = { 'start.go': '//go:build plan9', 'a_linux.go': '', 'b_windows.go': '' }
  expect(await targets('start.go', files)).toEqual(['a_linux.go', 'b_windows.go'])
})
