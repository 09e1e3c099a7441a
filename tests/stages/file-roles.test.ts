/** What files are for where their paths leave doubt: Q5. */
import { describe, expect, test } from 'vitest'
import type { PathRole } from '../../src/base/path-roles.ts'
import { catalogueOf } from '../../src/retrieve/catalogue.ts'
import { indexedProject, packIn, shownIn, withIndex } from '../support/packed.ts'

/** Of the files of a project, by path. */
async function rolesIn(project: string): Promise<Readonly<Record<string, PathRole>>> {
  return withIndex(await indexedProject(project), async (index) => {
    const { layout, roleOf, roles } = await catalogueOf(index)
    expect(layout.paths.map((_, file) => roleOf(file))).toEqual(layout.paths.map(roles))
    return Object.fromEntries(layout.paths.toSorted().map((path) => [path, roles(path)]))
  })
}

describe('Q5 a folder called as if for documentation', () => {
  const PAGES = '//- docs/a.md\n# A\n//- docs/b.md\n# B\n'

  test('Q5 code is source if source imports it, and so is what that imports', async () => {
    const roles = await rolesIn(
      `${PAGES}//- dock/main.ts
import { page } from '../docs/page.ts'
page()
//- docs/page.ts
import { line } from './line.ts'
export function page() { return line() }
//- docs/line.ts
export function line() { return 1 }
//- docs/theme.ts
import { line } from './line.ts'
export const theme = line()
`,
    )
    expect(roles).toMatchObject({
      'docs/page.ts': 'source',
      'docs/line.ts': 'source',
      'docs/theme.ts': 'docs',
      'docs/a.md': 'docs',
    })
  })

  test('Q5 a module of Rust is source, whatever it is called', async () => {
    const roles = await rolesIn(
      `//- crates/dock/pilot/mod.rs
mod doc;
pub fn run() { doc::help() }
//- crates/dock/pilot/doc/mod.rs
pub fn help() {}
//- crates/dock/pilot/doc/a.md
# A
//- crates/dock/pilot/doc/b.md
# B
`,
    )
    expect(roles['crates/dock/pilot/doc/mod.rs']).toBe('source')
  })

  test('Q5 what tests and scripts import stays what it is', async () => {
    const roles = await rolesIn(
      `${PAGES}//- test/page.test.ts
import { page } from '../docs/page.ts'
page()
//- scripts/build.ts
import { page } from '../docs/page.ts'
page()
//- docs/page.ts
export function page() { return 1 }
`,
    )
    expect(roles['docs/page.ts']).toBe('docs')
  })

  test('Q5 without documents in it, code in a language of the source is source', async () => {
    const roles = await rolesIn(
      `//- main.go
package main
//- man/render.go
package man
//- man/page.go
package man
//- man/build.js
run()
//- guide/step.go
package guide
//- guide/one.md
# One
//- website/page.go
package website
`,
    )
    expect(roles).toMatchObject({
      'man/render.go': 'source',
      'man/page.go': 'source',
      'man/build.js': 'docs',
      'guide/step.go': 'docs',
      'website/page.go': 'docs',
    })
  })
})

describe("Q5 a folder called as if for others' code", () => {
  test('Q5 is a part of the program if much of it imports source around it', async () => {
    const roles = await rolesIn(
      `//- dock/size.ts
export const size = 1
//- deps/graph/graph.ts
import { size } from '../../dock/size.ts'
export const graph = size
//- deps/graph/node.ts
export const node = 1
//- deps/left/pad.ts
export const pad = 1
//- deps/left/trim.ts
import { pad } from './pad.ts'
export const trim = pad
//- shop/vendor/invoice.ts
import { size } from '../../dock/size.ts'
export const invoice = size
//- shop/main.ts
import { trim } from '../deps/left/trim.ts'
trim
`,
    )
    expect(roles).toMatchObject({
      'deps/graph/graph.ts': 'source',
      'deps/graph/node.ts': 'source',
      'deps/left/pad.ts': 'vendored',
      'deps/left/trim.ts': 'vendored',
      'shop/vendor/invoice.ts': 'source',
    })
  })

  test('Q5 one file of many that happens to find a header of ours changes nothing', async () => {
    const many = Array.from({ length: 9 }, (_, at) => `//- deps/net/part${at}.c\nint part${at};\n`)
    const roles = await rolesIn(
      `//- dock/config.h
#define DOCK 1
//- deps/net/net.c
#include "../../dock/config.h"
int net;
${many.join('')}`,
    )
    expect(roles['deps/net/net.c']).toBe('vendored')
  })
})

describe('Q5 a name of a test', () => {
  test('Q5 is source if source imports the file, unless tools go by the name', async () => {
    const roles = await rolesIn(
      `//- dock/main.py
from dock.test_bench import measure
from dock.test.client import Client
measure(Client())
//- dock/test_bench.py
def measure(it): return it
//- dock/test_depth.py
from dock.test_bench import measure
def test_depth(): assert measure(1) == 1
//- dock/test/client.py
class Client: pass
//- dock/test/helper.py
def helper(): return 1
//- web/main.ts
import { only } from './only.test.ts'
only()
//- web/only.test.ts
export function only() { return 1 }
`,
    )
    expect(roles).toMatchObject({
      'dock/test_bench.py': 'source',
      'dock/test_depth.py': 'test',
      'dock/test/client.py': 'source',
      'dock/test/helper.py': 'test',
      'web/only.test.ts': 'test',
    })
  })

  test('Q5 what has a test beside it is no test', async () => {
    const roles = await rolesIn(
      `//- src/berth/testing/index.ts
export function client() { return 1 }
//- src/berth/testing/index.test.ts
import { client } from './index.ts'
client()
//- src/berth/testing/other.ts
export const other = 1
`,
    )
    expect(roles).toMatchObject({
      'src/berth/testing/index.ts': 'source',
      'src/berth/testing/index.test.ts': 'test',
      'src/berth/testing/other.ts': 'test',
    })
  })
})

test('Q5 a pack asks the same way: what is source by the index has a place among callers', async () => {
  const folder = await indexedProject(`//- dock/main.ts
import { drawPage } from '../docs/page.ts'
import { openDock } from './open.ts'
export function main() { return drawPage() + openDock() }
//- dock/open.ts
export function openDock() { return 1 }
//- docs/page.ts
import { openDock } from '../dock/open.ts'
export function drawPage() { return openDock() }
//- docs/a.md
# A
`)
  const pack = await packIn(folder, {
    query: '',
    intent: 'impact',
    focus: { fileRelPath: 'dock/open.ts' },
  })
  expect(shownIn(pack, 'callers').join('\n')).toContain('docs/page.ts')
  expect(shownIn(pack, 'docs').join('\n')).not.toContain('docs/page.ts')
})
