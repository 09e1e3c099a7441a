/** What `--focus` takes: T20. */
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ContextPack } from '../../src/model/context-pack.ts'
import { EXIT_STATUS } from '../../src/surfaces/cli/exit-status.ts'
import { newFolder, removeFolder, write } from './support/folder.ts'
import { HARBOR, reindex } from './support/harbor.ts'
import { codeOf, served, textOf } from './support/mcp.ts'
import { dossier, type Finished, json } from './support/program.ts'

const QUAY: Readonly<Record<string, string>> = {
  ...HARBOR,
  'quay/moor.h': `#ifndef MOOR_H
#define MOOR_H
/* Makes a ship fast. */
int moor(int rope);
int unmoor(int rope);
#endif
`,
  'quay/moor.c': `#include "moor.h"

int moor(int rope) {
  return rope + 1;
}
`,
  'quay/main.c': `#include "moor.h"

extern int moor(int rope);

int main(void) {
  return moor(2);
}
`,
  'quay/winch.hpp': `class Winch {
 public:
  int pull(int rope);
};
`,
  'quay/winch.cpp': `#include "winch.hpp"

int Winch::pull(int rope) {
  return rope - 1;
}
`,
  'quay/two.ts': `export class Left {
  heave(): number {
    return 1
  }
}

export class Right {
  heave(): number {
    return 2
  }
}
`,
}

let folder = ''

beforeAll(async () => {
  folder = newFolder()
  write(folder, QUAY)
  await reindex(folder)
})

afterAll(() => removeFolder(folder))

function ask(focus: string, cwd = folder): Promise<Finished> {
  return dossier(['pack', '--no-index', '--json', '--focus', focus], { cwd })
}

async function focusOf(focus: string, cwd = folder): Promise<ContextPack['request']['focus']> {
  const done = await ask(focus, cwd)
  expect(done.status, done.stdout).toBe(0)
  return json<ContextPack>(done).request.focus
}

describe('T20 places', () => {
  test('T20 an absolute path inside the repository is that file, with a line or a symbol too', async () => {
    const path = join(folder, 'src/berths.ts')
    expect(await focusOf(path)).toEqual({ fileRelPath: 'src/berths.ts' })
    expect(await focusOf(`${path}:4`)).toEqual({ fileRelPath: 'src/berths.ts', line: 4 })
    expect((await focusOf(`${path}:berthFor`)).symbolId).toContain('berthFor')
    expect(await focusOf(path, join(folder, 'quay'))).toEqual({ fileRelPath: 'src/berths.ts' })
  })

  test('T20 an absolute path by way of a link to the repository is found', async () => {
    const elsewhere = newFolder()
    mkdirSync(elsewhere, { recursive: true })
    symlinkSync(folder, join(elsewhere, 'link'))
    const path = join(elsewhere, 'link', 'src/berths.ts')
    expect(await focusOf(`${path}:4`)).toEqual({ fileRelPath: 'src/berths.ts', line: 4 })
    removeFolder(elsewhere)
  })

  test('T20 one outside of it is refused alike, whether or not anything is there', async () => {
    for (const path of ['/etc/passwd', '/etc/no-such-file', `${folder}-other/a.ts`]) {
      const done = await ask(path)
      expect(done.status).toBe(EXIT_STATUS.POC_E_REQUEST_INVALID)
      expect(done.stdout).toContain(`${path} is not inside the repository`)
    }
    const { client } = await served(folder, ['--repo', '.'])
    const args = { query: 'x', focus: '/etc/passwd' }
    const refused = await client.callTool({ name: 'context_pack_create', arguments: args })
    expect(codeOf(refused)).toBe('POC_E_REQUEST_INVALID')
    expect(textOf(refused)).not.toContain(folder)
  })
})

describe('T20 a symbol of a file', () => {
  test.each([
    ['src/office.ts:HarborOffice', 'HarborOffice#'],
    ['src/office.ts:HarborOffice.receive', 'receive().'],
    ['src/office.ts:receive', 'receive().'],
    ['src/office.ts::HarborOffice::receive', 'receive().'],
    ['quay/moor.h:moor', '`moor.h`/moor'],
    ['quay/moor.c:moor', '`moor.c`/moor'],
    ['quay/two.ts:Right.heave', 'Right#heave'],
  ])('T20 %s', async (focus, id) => {
    expect((await focusOf(focus)).symbolId).toContain(id)
  })

  test('T20 a file is looked for from the current folder first', async () => {
    expect((await focusOf('moor.c:moor', join(folder, 'quay'))).symbolId).toContain('`moor.c`/moor')
  })

  test('T20 a name that the file does not have is refused with the nearest', async () => {
    const done = await ask('src/office.ts:recieve')
    expect(done.status).toBe(EXIT_STATUS.POC_E_REQUEST_INVALID)
    expect(done.stdout).toContain('nothing in src/office.ts is called recieve')
    expect(done.stdout).toContain('did you mean receive')
  })

  test('T20 a name that two of its symbols have is refused with both', async () => {
    const done = await ask('quay/two.ts:heave')
    expect(done.status).toBe(EXIT_STATUS.POC_E_REQUEST_INVALID)
    expect(done.stdout).toContain('quay/two.ts:2 Left.heave, quay/two.ts:8 Right.heave')
  })
})

describe('T20 definitions before declarations', () => {
  test('T20 a function of C that a header declares is the one that has a body', async () => {
    expect((await focusOf('moor')).symbolId).toContain('`moor.c`/moor')
    const pack = json<ContextPack>(await ask('moor'))
    expect(pack.sections[0]?.items[0]?.excerpt.text).toContain('return rope + 1;')
  })

  test('T20 so is a member of a class of C++', async () => {
    for (const name of ['Winch.pull', 'Winch::pull', 'pull'])
      expect((await focusOf(name)).symbolId).toContain('`winch.cpp`/')
  })

  test('T20 what is only declared is found by its declaration', async () => {
    expect((await focusOf('unmoor')).symbolId).toContain('`moor.h`/unmoor')
  })
})
