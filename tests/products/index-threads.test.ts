/** What the end of a thread costs: one file, and never the index. T0. */
import { describe, expect, test } from 'vitest'
import { EngineError } from '../../src/model/engine-error.ts'
import { buildCodeIndex } from '../../src/packs/index/code-index.ts'
import { type Pool, startPool } from '../../src/platform/pool.ts'
import { asDiskError } from '../../src/platform/trouble.ts'
import { dumpOf } from '../support/indexed-folder.ts'
import { onDisk } from '../support/project.ts'
import { quietWorld } from '../support/world.ts'

const GREEDY = new URL('../support/greedy-extractor.ts', import.meta.url)
const HOSTILE = new URL('../support/hostile-extractor.ts', import.meta.url)
const LITTLE = { maxOldGenerationSizeMb: 96 }

function startGreedy(): Pool {
  return startPool(GREEDY, 2, LITTLE)
}

/** More than are resolved without threads. */
const MANY = Array.from(
  { length: 270 },
  (_, at) =>
    `//- part${at % 9}/file${at}.c\n#include "../all.h"\nint f${at}(void) { return g(); }\n`,
)
const FILES = [
  ...MANY,
  '//- all.h\nint g(void);\n#include "greedy-to-resolve.h"\n',
  '//- greedy-to-resolve.h\nint h(int a);\nstatic inline int i(int a) { return h(a); }\n',
  '//- part3/greedy-to-read.c\nint g(void) { return 1; }\nint j(void) { return g(); }\n',
  '//- part4/leaving.c\n#include "../all.h"\nint k(void) { return i(2); }\n',
].join('')

describe('T0 a thread that ends', () => {
  test('T0 H10 costs each file that it ends over its edges, and no other file anything', async () => {
    const folder = onDisk(FILES)
    await buildCodeIndex(quietWorld(folder), { path: '.' })
    const whole = (await dumpOf(folder)).split('\n')
    expect(whole.filter((it) => it.startsWith('diagnostic '))).toEqual([])

    const elsewhere = onDisk(FILES)
    await buildCodeIndex(quietWorld(elsewhere, { extractors: startGreedy }), { path: '.' })
    const dump = (await dumpOf(elsewhere)).split('\n')
    const said = dump.filter((it) => it.startsWith('diagnostic '))
    expect(said).toEqual([
      expect.stringMatching(
        /greedy-to-resolve\.h","unresolvable","has no edges, because resolving it failed: its thread ran out of memory"/,
      ),
      expect.stringMatching(/part3\/greedy-to-read\.c","unparsable"/),
      expect.stringMatching(
        /part4\/leaving\.c","unresolvable",".*: its thread failed: ended with status 3"/,
      ),
    ])
    const lost = /^edge \["(?:greedy-to-resolve\.h|part3\/greedy-to-read\.c|part4\/leaving\.c)"/
    const edges = whole.filter((it) => it.startsWith('edge [') && !lost.test(it))
    const others = edges.filter((it) => !it.includes('greedy-to-read'))
    expect(others.length).toBeGreaterThan(270)
    expect(dump.filter((it) => it.startsWith('edge ['))).toEqual(expect.arrayContaining(others))
    expect(dump.filter((it) => lost.test(it) && !it.includes('greedy-to-read'))).toEqual([])
  })

  test('T0 where nothing is left of the work, the error says that memory is short', async () => {
    const pool = startPool(HOSTILE, 1, LITTLE)
    try {
      const task = { top: '/', files: [{ path: 'bottomless.ts', mtimeMs: 0 }] }
      const thrown: unknown = await pool.run(task, 60_000).catch((error: unknown) => error)
      const error = asDiskError(thrown)
      expect(error).toBeInstanceOf(EngineError)
      expect(error).toMatchObject({ code: 'POC_E_OUT_OF_MEMORY' })
    } finally {
      await pool.close()
    }
  })
})
