/**
 * What a file looked like when it was imported, kept beside the copy: a file that looks the same is
 * not read again. Folders and programs have no such looks.
 */
import type { FileStat } from '../../platform/files.ts'
import type { World } from '../../platform/world.ts'
import type { ImportOutcome } from './notes-import.ts'
import type { Workspace } from './notes-workspaces.ts'
import { withCopy } from './with-notes.ts'

interface Stamp {
  /** Another version may read the same file in another way. */
  readonly generator: string
  readonly size: number
  readonly mtimeMs: number
  /** Of the copy that came of it. */
  readonly signature: string
  readonly outcome: ImportOutcome
}

/** A file that was written a moment before it was read may have been written again since. */
const SETTLED_MS = 2000

/** To be taken before the file is read. */
export function looksOf(world: World, { kind, source }: Workspace): FileStat | undefined {
  if (kind !== 'tana-export' && kind !== 'tana-intermediate') return undefined
  try {
    const stat = world.files.stat(source)
    return world.clock.now() - stat.mtimeMs < SETTLED_MS ? undefined : stat
  } catch {
    return undefined
  }
}

export async function keepStamp(
  world: World,
  workspace: Workspace,
  { looks, outcome }: { readonly looks: FileStat | undefined; readonly outcome: ImportOutcome },
): Promise<void> {
  const path = stampPath(workspace)
  if (looks === undefined) {
    world.files.remove(path)
    return
  }
  const { size, mtimeMs } = looks
  const signature = await signatureOf(world, workspace)
  const stamp: Stamp = { generator: world.generator, size, mtimeMs, signature, outcome }
  const file = world.files.replace(path)
  try {
    file.write(Buffer.from(JSON.stringify(stamp)))
    file.commit()
  } catch {
    // It saves time, and nothing hangs on it.
    file.discard()
  }
}

/** What came of the last import, where the file and the copy are still the same. */
export async function unchangedSince(
  world: World,
  workspace: Workspace,
): Promise<ImportOutcome | undefined> {
  const looks = looksOf(world, workspace)
  if (looks === undefined) return undefined
  try {
    const stamp = JSON.parse(
      Buffer.from(world.files.read(stampPath(workspace))).toString(),
    ) as Stamp
    const isSame =
      stamp.generator === world.generator &&
      stamp.size === looks.size &&
      stamp.mtimeMs === looks.mtimeMs &&
      stamp.outcome.source === workspace.source &&
      stamp.signature === (await signatureOf(world, workspace))
    return isSame ? stamp.outcome : undefined
  } catch {
    return undefined
  }
}

function signatureOf(world: World, workspace: Workspace): Promise<string> {
  return withCopy(world, workspace, async (copy) => (await copy.status()).signature)
}

function stampPath({ copy }: Workspace): string {
  return copy.replace(/\.db$/, '.source.json')
}
