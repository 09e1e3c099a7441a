/** Frames of stack traces: Q15. */
import { describe, expect, test } from 'vitest'
import { findTraceFrames } from '../../src/retrieve/trace-frames.ts'

describe('Q15 frames', () => {
  test.each([
    ['  File "/app/port/crane.py", line 3, in lift', '/app/port/crane.py', 3, 'lift'],
    ['    at Crane.lift (/app/lib/crane.js:7:2)', '/app/lib/crane.js', 7, 'lift'],
    ['    at async Crane.lift [as up] (lib/crane.js:7:2)', 'lib/crane.js', 7, 'lift'],
    ['    at new Crane (lib/crane.js:7:2)', 'lib/crane.js', 7, 'Crane'],
    ['\tat org.port.Crane.lift(Crane.java:41)', 'Crane.java', 41, 'lift'],
    ["from lib/crane.rb:12:in `lift'", 'lib/crane.rb', 12, 'lift'],
    ["lib/crane.rb:12:in 'block in Crane#lift'", 'lib/crane.rb', 12, 'lift'],
    ['#0 src/Crane.php(9): Port\\Crane->lift()', 'src/Crane.php', 9, 'lift'],
  ])('Q15 %j', (text, ...[path, line, name]) => {
    expect(findTraceFrames(text)).toEqual([{ path, line, name }])
  })

  test.each([
    'File "/app/port/crane.py", line 3, in <module>',
    'at lib/crane.js:7:2',
    'look at src/crane.ts:3 (now)',
  ])('Q15 no function: %j', (text) => {
    expect(findTraceFrames(text)).toEqual([])
  })
})
