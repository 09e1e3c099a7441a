/** Packs of repositories in temporary folders, made as the program makes them. */
import { packText } from '../../src/format/pack-text.ts'
import type { CodeIndexReader, StoredChunk } from '../../src/model/code-index.ts'
import type {
  ContextItem,
  ContextPack,
  ContextSection,
  SectionType,
} from '../../src/model/context-pack.ts'
import { createContextPack } from '../../src/packs/context/context-pack.ts'
import { type PackWish, packRequest } from '../../src/packs/context/pack-request.ts'
import { indexPath } from '../../src/packs/index/code-index.ts'
import { realFiles } from '../../src/platform/files.ts'
import type { World } from '../../src/platform/world.ts'
import { openCodeIndex } from '../../src/store/code/reader.ts'
import { indexIn } from './indexed-folder.ts'
import { onDisk, type Project } from './project.ts'
import { quietWorld, realTokens } from './world.ts'

/** What the packs of a folder are asked through; the index is opened for each call. */
export async function withIndex<T>(
  folder: string,
  action: (index: CodeIndexReader) => Promise<T>,
): Promise<T> {
  const index = openCodeIndex(realFiles, indexPath(folder))
  try {
    return await action(index)
  } finally {
    await index.close()
  }
}

export async function packFrom(
  index: CodeIndexReader,
  wish: PackWish,
  changes: Partial<World> = {},
): Promise<ContextPack> {
  const request = packRequest(wish, {
    repoId: 'harbor',
    indexRoot: '/somewhere/harbor',
    indexSignature: await index.signature(),
  })
  return createContextPack(quietWorld('/', changes), index, request)
}

/** Of a folder that has an index. */
export function packIn(
  folder: string,
  wish: PackWish,
  changes: Partial<World> = {},
): Promise<ContextPack> {
  return withIndex(folder, (index) => packFrom(index, wish, changes))
}

/** A project on disk with its index. */
export async function indexedProject(text: string): Promise<string> {
  const folder = onDisk(text)
  await indexIn(folder)
  return folder
}

export function itemsOf(pack: ContextPack): readonly ContextItem[] {
  return pack.sections.flatMap((it) => it.items)
}

export function sectionOf(pack: ContextPack, type: SectionType): ContextSection | undefined {
  return pack.sections.find((it) => it.type === type)
}

/** `path title` of the items in a section, in order. */
export function shownIn(pack: ContextPack, type: SectionType): readonly string[] {
  return (sectionOf(pack, type)?.items ?? []).map((it) => `${it.fileRelPath} ${it.title}`)
}

/** All chunks of an index. */
export async function allChunks(index: CodeIndexReader): Promise<readonly StoredChunk[]> {
  return index.chunksInFiles((await index.files()).map((it) => it.path))
}

/** A small harbor: who calls whom is known, and so are its test, its page and its unused corner. */
export const HARBOR = `
//- src/berth.ts
import { depthAt } from './tide.ts'

/** A place where a ship can lie. */
export interface Berth {
  readonly name: string
  readonly depth: number
}

/** Finds the first berth that is deep enough for a draught at an hour. */
export function assignBerth(berths: readonly Berth[], draught: number, hour: number): Berth {
  for (const berth of berths) {
    if (depthAt(berth.depth, hour) >= draught) return berth
  }
  throw new Error('no berth is deep enough')
}
//- src/tide.ts
const RANGE = 4

/** How deep the water is at an hour. */
export function depthAt(depth: number, hour: number): number {
  return depth + RANGE * swing(hour)
}

function swing(hour: number): number {
  return Math.cos((hour / 12.4) * 2 * Math.PI)
}
//- src/pilot.ts
import { assignBerth, type Berth } from './berth.ts'

/** Brings a vessel in and says where it lies. */
export function bringIn(vessel: string, berths: readonly Berth[]): string {
  const berth = assignBerth(berths, 7, 6)
  return vessel + ' lies at ' + berth.name
}
//- src/office.ts
import { bringIn } from './pilot.ts'

/** Opens the office for the day and lets everybody in who waits outside. */
export function openOffice(waiting: readonly string[]): readonly string[] {
  return waiting.map((vessel) => bringIn(vessel, []))
}
//- test/berth.test.ts
import { assignBerth } from '../src/berth.ts'

test('a deep ship gets a deep berth', () => {
  assignBerth([{ name: 'north', depth: 20 }], 12, 3)
})
//- README.md
# Harbor

Ships are given a place by \`assignBerth\`, which asks the tide table.
`

const WORDS = ['anchor', 'buoy', 'crane', 'dock', 'engine', 'ferry', 'gangway', 'hull', 'jetty']

/** Sixty files with more text about the same few things than any of the budgets holds. */
export function dockFiles(): Project {
  const files = Array.from({ length: 60 }, (_, file) => {
    const word = (at: number): string => WORDS[(file * 7 + at * 5) % WORDS.length] ?? ''
    const functions = Array.from({ length: 6 }, (__, at) => {
      const body = Array.from(
        { length: 3 + ((file * 3 + at * 11) % 40) },
        (___, line) => `  ${word(line)}.push('${word(line + at)} ${file}-${at}-${line}')`,
      )
      const head = `export function ${word(at)}Of${file}x${at}(${word(at + 1)}: string[]): void {`
      return [`/** Moves the ${word(at)} to the ${word(at + 2)}. */`, head, ...body, '}', ''].join(
        '\n',
      )
    })
    return [`src/${word(0)}/part-${file}.ts`, functions.join('\n')] as const
  })
  return new Map(files)
}

/** Counted on the text that the request asks for. */
export async function tokensOf(pack: ContextPack): Promise<number> {
  return (await realTokens())(textOf(pack))
}

export function textOf(pack: ContextPack): string {
  return packText(pack, pack.request.rendering)
}
