/** Pieces of files, of the code index, of a docs pack and of notes, picked as evidence and kept current. */
import { readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { undoChange } from '../../src/evidence/history.ts'
import { listParts } from '../../src/evidence/parts.ts'
import type { Flow } from '../../src/model/evidence.ts'
import { addEvidence } from '../../src/packs/evidence/evidence-add.ts'
import { removeParts } from '../../src/packs/evidence/evidence-changes.ts'
import { findDependencies } from '../../src/packs/evidence/evidence-deps.ts'
import { checkFreshness, refreshEvidence } from '../../src/packs/evidence/evidence-refresh.ts'
import { sha256 } from '../../src/platform/hash.ts'
import type { World } from '../../src/platform/world.ts'
import { renderFreshness } from '../../src/surfaces/operations/evidence/evidence-refresh.ts'
import { PLAIN } from '../../src/surfaces/operations/operation.ts'
import { contentsOf, flowWith } from '../support/flow.ts'
import { onDisk, writeFile } from '../support/project.ts'

const PROJECT = `
//- .gitignore
ignored/
//- core/flow.sh
one
two
three
//- lib/flow.sh
start() { run; }
//- odd #1::name.md
Text with \`\`\`\` fences
//- ignored/flow.sh
never
//- src/harbor.ts
import { berthFor } from './berths'

export function dock(length: number): string {
  return berthFor(length)
}
//- src/berths.ts
const NONE = 'none'

export function berthFor(length: number): string {
  return length > 80 ? NONE : 'north'
}
`

function place(): { world: World; flow: Flow; folder: string } {
  const folder = onDisk(PROJECT)
  return { ...flowWith(folder, []), folder }
}

function add(world: World, flow: Flow, ...selectors: readonly string[]) {
  return addEvidence(world, flow, { selectors, isLinked: false })
}

function names(world: World, flow: Flow): readonly string[] {
  return listParts(world.files, flow)
    .parts.filter((it) => it.role === 'evidence')
    .map((it) => it.path.slice('ctx/evidence/'.length))
}

function text(flow: Flow, name: string): string {
  return readFileSync(join(flow.folder, 'ctx/evidence', name), 'utf8')
}

function method(name: string): string {
  return `  ${name}(length: number): string {\n${"    log('a line of the method')\n".repeat(40)}  }\n`
}

describe('EV2 picking', () => {
  test('files, ranges, tags, odd names and patterns', async () => {
    const { world, flow, folder } = place()
    await add(world, flow, 'core/flow.sh::2,3#bug,parser', '"odd #1::name.md"', '**/flow.sh')
    expect(names(world, flow)).toEqual([
      '100_flow_sh.evidence.md',
      '110_odd_1_name_md.evidence.md',
      '120_core_flow_sh.evidence.md',
      '130_lib_flow_sh.evidence.md',
    ])
    const cid = sha256(readFileSync(join(folder, 'core/flow.sh')))
    expect(text(flow, '100_flow_sh.evidence.md')).toBe(
      `## Evidence: core/flow.sh\n<!-- source_uri=file://core/flow.sh; cid=sha256:${cid}; span=lines=2:3; tags=bug,parser -->\n\n\`\`\`sh\ntwo\nthree\n\`\`\`\n`,
    )
    expect(text(flow, '110_odd_1_name_md.evidence.md')).toContain('\n`````md\n')
  })

  test('all of the selectors or none', async () => {
    const { world, flow } = place()
    await expect(add(world, flow, 'core/flow.sh', 'core/flw.sh')).rejects.toThrow(
      expect.objectContaining({
        code: 'POC_E_SELECTOR_INVALID',
        hint: expect.stringContaining('core/flow.sh'),
      }),
    )
    await expect(add(world, flow, 'core')).rejects.toThrow(/is a folder/)
    await expect(add(world, flow, '*.zig')).rejects.toThrow(/no file matches/)
    expect(names(world, flow)).toEqual([])
  })

  test('what is there already is not added twice; ignored files only by their names', async () => {
    const { world, flow } = place()
    await add(world, flow, 'core/flow.sh')
    const again = await add(world, flow, 'core/flow.sh', 'ignored/flow.sh')
    expect(again.present).toEqual([
      { name: '100_flow_sh', title: 'core/flow.sh', state: 'active', hasChanged: false },
    ])
    expect(names(world, flow)).toEqual([
      '100_flow_sh.evidence.md',
      '110_ignored_flow_sh.evidence.md',
    ])
  })

  test('a rank that is given, links, and the way back', async () => {
    const { world, flow } = place()
    await addEvidence(world, flow, { selectors: ['core/flow.sh'], rank: '50', isLinked: true })
    expect(names(world, flow)).toEqual(['050_flow_sh.evidence.link'])
    const again = await add(world, flow, 'core/flow.sh')
    expect(again.present).toHaveLength(1)
    await expect(
      addEvidence(world, flow, { selectors: ['lib/flow.sh::1,1'], isLinked: true }),
    ).rejects.toThrow(/only whole files|only a part of a file/)
    await undoChange(world, flow)
    expect(names(world, flow)).toEqual([])
  })

  test('symbols and chunks of the code index', async () => {
    const { world, flow } = place()
    await add(world, flow, 'symbol:berthFor#fit')
    const [name = ''] = names(world, flow)
    expect(text(flow, name)).toMatch(
      /## Evidence: src\/berths\.ts\n<!-- source_uri=file:\/\/src\/berths\.ts#symbol=berthFor; cid=sha256:[0-9a-f]{64}; span=lines=1:5; tags=fit -->\n\n```ts\nconst NONE/,
    )
    const small = await add(world, flow, 'symbol:NONE')
    expect(small.added.map((it) => it.span)).toEqual(['lines=1:5'])
    await expect(add(world, flow, 'symbol:berthOf')).rejects.toThrow(/nothing in the index/)
  })

  test('a symbol is all of it, by its name or by a line in it', async () => {
    const { world, flow, folder } = place()
    const pier = `export class Pier {\n${['moor', 'leave', 'wait'].map(method).join('\n')}}\n`
    writeFile(folder, 'src/pier.ts', `${pier}\nexport function other(): void {}\n`)
    const lines = pier.trimEnd().split('\n').length
    await add(world, flow, 'symbol:Pier', 'symbol:Pier.leave', 'symbol:src/pier.ts:50#here')
    const [whole = '', one = '', again = ''] = names(world, flow)
    expect(text(flow, whole)).toContain(`span=lines=1:${lines} -->\n\n\`\`\`ts\n${pier}\`\`\``)
    expect(text(flow, one)).toContain(`ts\n${method('leave')}\`\`\``)
    expect(again).toBe('120_pier_ts_pier_leave.evidence.md')
    expect(text(flow, again)).toMatch(/#symbol=scip:.*; span=lines=45:86; tags=here -->/)
    await expect(add(world, flow, 'symbol:core/flow.sh:2')).rejects.toThrow(
      /no symbol is defined at/,
    )
    writeFile(folder, 'src/pier.ts', `// One more.\n\n${pier}`)
    const told = await refreshEvidence(world, flow, { targets: [] })
    // What stands right above the class may become a piece of its head.
    expect(told.slice(1).map((it) => [it.status, it.diff])).toEqual([
      ['changed', ''],
      ['changed', ''],
    ])
    expect(text(flow, whole)).toContain(`${pier}\`\`\``)
    expect(text(flow, again)).toMatch(/#symbol=scip:.*; span=lines=47:88; tags=here -->/)
  })

  test('a path that is wrong here is named as it is called from here', async () => {
    const { world, flow, folder } = place()
    const below = { ...world, workingFolder: join(folder, 'src') }
    await expect(add(below, flow, 'core/flow.sh')).rejects.toThrow(
      expect.objectContaining({ hint: expect.stringContaining('../core/flow.sh') }),
    )
  })

  test.each(['100_lost.evidence.md', '100_lost.evidence.link'])(
    'EV6 with a %s that leads nowhere nothing is added, and it can be removed',
    async (name) => {
      const { world, flow } = place()
      symlinkSync('/nowhere/at/all', join(flow.folder, 'ctx/evidence', name))
      await expect(add(world, flow, 'core/flow.sh')).rejects.toThrow(
        expect.objectContaining({
          code: 'POC_E_READ_FAILED',
          hint: expect.stringContaining('evidence remove 100_lost'),
        }),
      )
      expect(names(world, flow)).toEqual([name])
      await removeParts(world, flow, ['100_lost'])
      await add(world, flow, 'core/flow.sh')
      expect(names(world, flow)).toEqual(['100_flow_sh.evidence.md'])
    },
  )

  test('EV18 a client of a server picks nothing outside of the repository', async () => {
    const { world, flow, folder } = place()
    const served: World = { ...world, isServed: true }
    writeFile(folder, '../outside.txt', 'x')
    await expect(add(served, flow, '../outside.txt')).rejects.toThrow(/outside/)
    await expect(add(served, flow, '/etc/hostname')).rejects.toThrow(/outside/)
    writeFile(folder, '.env', 'TOKEN=1\n')
    await expect(add(served, flow, '.env')).rejects.toThrow(/credential file/)
    await add(served, flow, 'core/flow.sh')
  })
})

describe('EV13 keeping current', () => {
  test('diff shows what has changed, refresh takes it over, undo takes it back', async () => {
    const { world, flow, folder } = place()
    await add(world, flow, 'core/flow.sh', 'lib/flow.sh', 'symbol:berthFor')
    writeFile(folder, 'core/flow.sh', 'one\n2\nthree\n')
    const berths = readFileSync(join(folder, 'src/berths.ts'), 'utf8')
    writeFile(folder, 'src/berths.ts', `// A line more.\n${berths.replace("'north'", "'south'")}`)
    const all = { targets: [] }
    const before = contentsOf(flow)
    const told = await checkFreshness(world, flow, all)
    expect(told.map((it) => it.status)).toEqual(['changed', 'same', 'changed'])
    expect(told[0]?.diff).toBe('@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n')
    expect(told[2]?.diff).toContain("+  return length > 80 ? NONE : 'south'\n")
    expect(contentsOf(flow)).toEqual(before)
    await refreshEvidence(world, flow, all)
    expect(text(flow, '120_berthfor.evidence.md')).toContain('span=lines=1:6')
    expect((await checkFreshness(world, flow, all)).map((it) => it.status)).toEqual([
      'same',
      'same',
      'same',
    ])
    await undoChange(world, flow)
    expect(text(flow, '100_flow_sh.evidence.md')).toContain('\ntwo\n')
  })

  test('lines that have moved are followed, by their neighbours where they could be several', async () => {
    const { world, flow, folder } = place()
    await add(world, flow, 'core/flow.sh::2,3')
    writeFile(folder, 'core/flow.sh', 'zero\none\ntwo\nthree\nfour\n')
    const [moved] = await refreshEvidence(world, flow, { targets: [] })
    expect(moved).toMatchObject({ status: 'changed', diff: '' })
    expect(text(flow, '100_flow_sh.evidence.md')).toMatch(
      /span=lines=3:4 -->\n\n```sh\ntwo\nthree\n```/,
    )
    writeFile(folder, 'core/flow.sh', 'two\nthree\na\nzero\none\ntwo\nthree\nfour\n')
    const [again] = await checkFreshness(world, flow, { targets: [] })
    expect(again).toMatchObject({ diff: '', moved: { from: 'lines=3:4', to: 'lines=6:7' } })
  })

  test('a link that leads nowhere is gone, and what a person wrote has no source', async () => {
    const { world, flow, folder } = place()
    await addEvidence(world, flow, { selectors: ['core/flow.sh'], isLinked: true })
    writeFile(flow.folder, 'ctx/evidence/200_own.evidence.md', 'My own words.\n')
    rmSync(join(folder, 'core/flow.sh'))
    const told = await checkFreshness(world, flow, { targets: [] })
    expect(told.map((it) => it.status)).toEqual(['gone', 'written'])
    expect(renderFreshness(told, PLAIN, 'Changed')).toMatch(
      /Gone: 100_flow_sh: .*\n0 of 2 unchanged\n {2}without a source: 200_own\n$/,
    )
  })

  test('a source that is gone or too short is said, and the evidence stays', async () => {
    const { world, flow, folder } = place()
    await add(world, flow, 'core/flow.sh::2,3')
    writeFile(folder, 'core/flow.sh', 'one\n')
    const [told] = await refreshEvidence(world, flow, { targets: ['100'] })
    expect(told).toMatchObject({ status: 'gone', trouble: expect.stringContaining('has 1 line') })
    expect(text(flow, '100_flow_sh.evidence.md')).toContain('two\nthree')
  })
})

describe('EV16 dependencies', () => {
  test('by the code index, with the lines of the evidence files', async () => {
    const { world, flow } = place()
    // Picking a symbol makes the index.
    await add(world, flow, 'symbol:berthFor', 'src/harbor.ts')
    const called = await findDependencies(world, flow, 'berthfor')
    expect(called).toMatchObject({ by: 'index', refersTo: [] })
    const lines = text(flow, '110_harbor_ts.evidence.md').split('\n')
    expect(
      called.referencedBy.map((it) => [it.file, lines[it.line - 1]?.trim(), it.kind]),
    ).toContainEqual(['110_harbor_ts.evidence.md', 'return berthFor(length)', 'call'])
    const calling = await findDependencies(world, flow, 'harbor_ts')
    expect(calling.refersTo).toContainEqual(
      expect.objectContaining({ name: '100_berthfor', what: 'berthFor', kind: 'call' }),
    )
  })

  test('by names where there is no index', async () => {
    const { world, flow, folder } = place()
    writeFile(folder, 'README.md', 'See core/flow.sh.\n')
    await add(world, flow, 'README.md', 'core/flow.sh')
    expect(await findDependencies(world, flow, 'flow_sh')).toEqual({
      name: '110_flow_sh',
      by: 'names',
      referencedBy: [
        {
          name: '100_readme_md',
          file: '100_readme_md.evidence.md',
          line: 5,
          lines: [5],
          what: 'flow.sh',
          kind: 'mention',
        },
      ],
      refersTo: [],
    })
  })
})
