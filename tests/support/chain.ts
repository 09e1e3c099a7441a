/** Files that import one another in a row, and what an index of edited ones must equal. */
import { expect } from 'vitest'
import { EditedFolder } from './edited-folder.ts'
import type { GeneratedFiles } from './generated-repository.ts'
import { dumpOf, indexIn } from './indexed-folder.ts'
import { temporaryFolder, withFolder } from './project.ts'

export async function expectAsFromScratch(edited: EditedFolder, signature?: string): Promise<void> {
  await withFolder(async (elsewhere) => {
    edited.copyTo(elsewhere)
    const anew = await indexIn(elsewhere)
    expect(await dumpOf(edited.folder)).toBe(await dumpOf(elsewhere))
    if (signature !== undefined) expect(signature).toBe(anew.signature)
  })
}

/** Each file calls the next one, and the last is called through a barrel. */
export const CHAIN: GeneratedFiles = [
  ...Array.from({ length: 10 }, (_, at) => link(at)),
  ['barrel.ts', ["export * from './a10'"]],
  ['lib/user.ts', ["import { f10 } from '../barrel'", 'export const user = f10()']],
  ['a10.ts', ['export function f10() {', '  return 1', '}']],
  ['late.ts', ["import { later } from './later'", 'later()']],
]

export function link(at: number): GeneratedFiles[number] {
  const next = `f${at + 1}`
  const body = [`export function f${at}() {`, `  const local = 1`, `  return ${next}()`, '}']
  return [`a${at}.ts`, [`import { ${next} } from './a${at + 1}'`, ...body]]
}

export async function chain(): Promise<EditedFolder> {
  const edited = new EditedFolder(temporaryFolder(), CHAIN)
  expect(await indexIn(edited.folder)).toMatchObject({ files: 14, read: 14, resolved: 14 })
  return edited
}
