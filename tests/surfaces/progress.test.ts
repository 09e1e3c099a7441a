/** How far long work is, in a pipe and on a terminal. */
import { expect, test } from 'vitest'
import { createTerminalProgress } from '../../src/surfaces/cli/progress.ts'

function shown(isTerminal: boolean, total: number): string {
  let time = 0
  let text = ''
  const write = (more: string) => {
    text += more
  }
  const progress = createTerminalProgress({ isTerminal, columns: 60, write, now: () => time })
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
  expect(shown(false, 200)).toBe(
    'importing: 50 of 200\nimporting: 100 of 200, 8/s, 12 s left\nimporting: 150 of 200, 8/s, 6 s left\n',
  )
  expect(shown(true, 200)).toMatch(/\rimporting ━+╌+ 100\/200 /)
})

test.each([true, false])(
  'NC16 no estimate before the work goes steadily (terminal: %s)',
  (isTerminal) => {
    let time = 0
    const lines: string[] = []
    const progress = createTerminalProgress({
      isTerminal,
      columns: 80,
      write: (text) => lines.push(text),
      now: () => time,
    })
    progress.begin('reading', 20_000)
    // Getting ready takes three seconds, and then it is 2,000 in a second.
    time = 3000
    for (let done = 0; done < 20_000; done += 20) {
      progress.advance(20)
      time += 10
    }
    const estimates = lines.flatMap((it) => /(\d+) s left/.exec(it)?.[1] ?? []).map(Number)
    expect(lines[0]).toMatch(/reading.* 20( of |\/)20000/)
    expect(lines[0]).not.toContain('left')
    expect(estimates.length).toBeGreaterThan(0)
    for (const it of estimates) expect(it).toBeLessThanOrEqual(10)
  },
)
