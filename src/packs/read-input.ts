/** A pack that a command is handed: on its standard input, in a file, or by its id. */
import { resolve } from 'node:path'
import type { ContextPack } from '../model/context-pack.ts'
import { EngineError } from '../model/engine-error.ts'
import type { World } from '../platform/world.ts'
import { parseContextPack } from '../store/packs/pack-schema.ts'
import { createPackStoreError } from '../store/packs/pack-store-errors.ts'
import { readKeptPack } from './context/pack-artifacts.ts'
import { type RepositoryPlace, topOf } from './index/index-options.ts'
import { inputText } from './input-text.ts'

/** A file, `-` for standard input, or the id of a pack that is kept in a repository. */
export async function packNamed(
  world: World,
  { name, path }: RepositoryPlace & { readonly name: string },
): Promise<ContextPack> {
  if (name === '-') return parseContextPack(await inputText(world, 'a pack'), 'standard input')
  const file = resolve(world.workingFolder, name)
  const kind = kindOf(world, file)
  if (kind === undefined && /^[0-9a-f]{6,64}$/.test(name))
    return readKeptPack(world, topOf(world, { path }), name)
  if (kind === undefined) throw createPackStoreError('missing', `there is no file ${file}`)
  return parseContextPack(textOf(world, file), file)
}

function kindOf(world: World, file: string): string | undefined {
  try {
    return world.files.stat(file).kind
  } catch {
    return undefined
  }
}

function textOf(world: World, file: string): string {
  try {
    return new TextDecoder().decode(world.files.read(file))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new EngineError('POC_E_READ_FAILED', `${file} cannot be read: ${reason}`, {
      hint: 'name a file, or - for standard input',
      cause: error,
    })
  }
}
