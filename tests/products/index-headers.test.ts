/**
 * Headers in many variants, each of which includes many: as a library is installed that is
 * configured for every platform at once. The work on one file must not grow with their number: T0.
 */
import { describe, expect, test } from 'vitest'
import type { ResolvedFile } from '../../src/model/index-record.ts'
import { openWriter } from '../../src/packs/index/code-index.ts'
import { resolveSources } from '../../src/packs/index/resolve-sources.ts'
import { expectAsFromScratch } from '../support/chain.ts'
import { EditedFolder } from '../support/edited-folder.ts'
import type { Edit, GeneratedFiles } from '../support/generated-repository.ts'
import { dumpOf, indexIn, threadlessWorld } from '../support/indexed-folder.ts'
import { onDisk, temporaryFolder } from '../support/project.ts'

const HEADERS = 6

/** Each header exists once for each variant, and what includes one includes all of its variants. */
function variants(count: number): string {
  // What there is once is configured by what there is in variants: so everything leads to all.
  const wrappers = Array.from({ length: HEADERS }, (_, at) => `# include <lib/h${at}.h>`)
  const files = [`//- lib/base.h\n${wrappers.join('\n')}\ntypedef int base_t;\n`]
  for (let header = 0; header < HEADERS; header += 1) {
    const all = Array.from(
      { length: count },
      (_, at) => `# include "./archs/v${at}/lib/h${header}.h"`,
    )
    files.push(`//- lib/h${header}.h\n${all.join('\n')}\n`)
    for (let at = 0; at < count; at += 1) files.push(variant(header, at))
  }
  return files.join('')
}

function variant(header: number, at: number): string {
  const others = Array.from({ length: HEADERS }, (_, other) => other).filter((it) => it !== header)
  return [
    `//- lib/archs/v${at}/lib/h${header}.h`,
    '# include <lib/base.h>',
    `base_t h${header}_base(void);`,
    `typedef struct h${header}_st { int size; } H${header};`,
    `int h${header}_open(H${header} *it, int mode);`,
    `static inline int h${header}_size(H${header} *it) { return it->size; }`,
    ...others.map((it) => `int h${header}_from_h${it}(H${it} *it, H${header} *out);`),
    '',
  ].join('\n')
}

/** All files of an index, resolved again. */
async function resolvedIn(folder: string): Promise<readonly ResolvedFile[]> {
  const world = threadlessWorld(folder)
  const writer = openWriter(world, folder)
  const resolved: ResolvedFile[] = []
  try {
    await writer.begin()
    const paths = writer.lookup.files().map((it) => it.path)
    for await (const files of resolveSources(world, { writer, pool: world.extractors(), paths }))
      resolved.push(...files)
    await writer.rollback()
    return resolved
  } finally {
    await writer.close()
  }
}

/** The most that any file of a variant asked, and the most edges of one. */
async function workOf(count: number): Promise<{ readonly asked: number; readonly edges: number }> {
  const folder = onDisk(variants(count))
  await indexIn(folder)
  const resolved = await resolvedIn(folder)
  expect(resolved).toHaveLength(HEADERS * (count + 1) + 1)
  const inVariants = resolved.filter((it) => it.path.includes('/archs/'))
  return {
    asked: Math.max(...inVariants.map((it) => it.asked.length)),
    edges: Math.max(...inVariants.map((it) => it.edges.length)),
  }
}

describe('T0 many variants of the same headers', () => {
  test('T0 a file asks no more and has no more edges, however many variants there are', async () => {
    const few = await workOf(30)
    expect(few.edges).toBeGreaterThan(HEADERS)
    expect(await workOf(60)).toEqual(few)
  })

  test('T0 of one name in very many files, the one that lies nearest is meant', async () => {
    const folder = onDisk(variants(30))
    await indexIn(folder)
    const dump = await dumpOf(folder)
    const edges = dump.split('\n').filter((it) => it.startsWith('edge ["lib/archs/v7/lib/h1.h"'))
    const used = edges.flatMap((it) => /(\S+\/`h2\.h`)\/H2#/.exec(it)?.[1] ?? [])
    expect([...new Set(used)]).toEqual(['lib/archs/v7/lib/`h2.h`'])
  })
})

const TEXTS: GeneratedFiles = [
  ['app/main.c', ['#include "top.h"', 'int main(void) { return far_size(); }']],
  ['app/top.h', ['#include "middle.h"']],
  ['app/middle.h', ['#include "link.h"', 'int middle(void);']],
  ['app/link.h', ['int link(void);']],
  ['lib/far.h', ['static inline int far_size(void) { return 2; }']],
]

/** What a file calls, as the index has it. */
async function callsOf(folder: string, path: string): Promise<readonly string[]> {
  const lines = (await dumpOf(folder)).split('\n')
  const calls = lines.filter((it) => it.startsWith(`edge ["${path}"`) && it.includes('"call"'))
  return calls.flatMap((it) => [...it.matchAll(/(\w+)\(\)\./g)].at(-1)?.[1] ?? []).toSorted()
}

function write(file: string, ...statements: readonly string[]): Edit {
  return { kind: 'write', file, statements }
}

describe('T0 what a header includes is asked for by those who include it alone', () => {
  test('T0 P1 a change far down the includes reaches those far up', async () => {
    const edited = new EditedFolder(temporaryFolder(), TEXTS)
    const { folder } = edited
    const update = async (...edits: readonly Edit[]): Promise<readonly string[]> => {
      for (const it of edits) edited.apply(it)
      await indexIn(folder)
      await expectAsFromScratch(edited)
      return callsOf(folder, 'app/main.c')
    }
    expect(await update()).toEqual([])
    // Another include, in the last of them.
    const link = ['#include "../lib/far.h"', 'int link(void);']
    expect(await update(write('app/link.h', ...link))).toEqual(['far_size'])
    expect(await update(write('app/link.h', 'int link(void);'))).toEqual([])
    // While a file between them changes as well, whose own questions are forgotten by that.
    const middle = ['#include "link.h"', 'int middle(void);', 'int other(void);']
    const both = [write('app/middle.h', ...middle), write('app/link.h', ...link)]
    expect(await update(...both)).toEqual(['far_size'])
    // The same where the last of them goes, and comes again.
    const again = write('app/middle.h', ...middle, 'int another(void);')
    expect(await update(again, { kind: 'delete', at: 0 })).toEqual([])
    const comes = write('app/link.h', ...link)
    expect(await update(write('app/middle.h', ...middle), comes)).toEqual(['far_size'])
    // Alone, it is missed and found by the questions of the files that did not change.
    expect(await update({ kind: 'delete', at: 0 })).toEqual([])
    expect(await update(comes)).toEqual(['far_size'])
  })
})
