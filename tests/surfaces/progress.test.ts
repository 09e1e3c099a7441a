/** How far long work is, in a pipe and on a terminal. */
import { expect, test } from 'vitest'
import { terminalProgress } from '../../src/surfaces/cli/progress.ts'

function shown(isTerminal: boolean, total: number): string {
  let time = 0
  let text = ''
  const write = (more: string) => {
    text += more
  }
  const progress = terminalProgress({ isTerminal, columns: 60, write, now: () => time })
  progress.begin('importing', total)
  for (let at = 0; at < 3; at += 1) {
    time += 6000
    progress.advance(50)
  }
  progress.end()
  return text
}

test('NC15 work of unknown length says how much is done', () => {
  expect(shown(false, 0)).toBe(
    'importing: 50 so far\nimporting: 100 so far\nimporting: 150 so far\n',
  )
  expect(shown(true, 0)).toContain('\rimporting: 100 so far\x1b[K')
})

test('NC15 work of known length says how much is left', () => {
  expect(shown(false, 200)).toContain('importing: 50 of 200, 8/s, 18 s left\n')
  expect(shown(true, 200)).toMatch(/\rimporting ━+╌+ 100\/200 /)
})
