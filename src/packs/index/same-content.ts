/**
 * Files whose times say nothing, told by their content: after a clone, a checkout or an import all
 * times are new. To hash a file takes a hundredth of reading it into an index.
 */
import { join } from 'node:path'
import type { CodeIndexWriter, FileState } from '../../model/code-index.ts'
import { sha256 } from '../../platform/hash.ts'
import { type World, yieldToEventLoop } from '../../platform/world.ts'
import type { SourceFile } from './read-sources.ts'

/** So many are hashed before others have their turn. */
const BATCH = 64

/** Notes the new times of what is the same, and gives back the others. */
export async function withOtherContent(
  world: World,
  writer: CodeIndexWriter,
  { top, files }: { readonly top: string; readonly files: readonly SourceFile[] },
): Promise<readonly SourceFile[]> {
  const known = new Map(
    writer.lookup.files(files.map((it) => it.path)).map((it) => [it.path, it] as const),
  )
  const others: SourceFile[] = []
  const same: SourceFile[] = []
  for (const [at, file] of files.entries()) {
    if (at % BATCH === BATCH - 1) await yieldToEventLoop(world)
    const before = known.get(file.path)
    if (before !== undefined && hasSameContent(world, join(top, file.path), before)) same.push(file)
    else others.push(file)
  }
  if (same.length > 0) await writer.touch(same)
  return others
}

export function hasSameContent({ files }: World, path: string, before: FileState): boolean {
  try {
    return files.stat(path).size === before.size && sha256(files.read(path)) === before.sha256
  } catch {
    // Reading it in earnest will say what is wrong.
    return false
  }
}
