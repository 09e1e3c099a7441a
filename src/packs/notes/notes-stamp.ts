/**
 * What a source looked like when it was imported, kept beside the copy: one that looks the same is
 * not read again. A running program has no such looks.
 */
import { join } from 'node:path'
import { EngineError } from '../../model/engine-error.ts'
import { sha256 } from '../../platform/hash.ts'
import type { World } from '../../platform/world.ts'
import type { ImportOutcome } from './notes-import.ts'
import type { Workspace } from './notes-workspaces.ts'
import { withCopy } from './with-notes.ts'

export interface SourceLooks {
  /** Of every path, size and time that has a say. */
  readonly digest: string
  /** Of the content, where times cannot be trusted: something was written a moment before. */
  readonly content?: string
}

interface Stamp extends SourceLooks {
  /** Another version may read the same source in another way. */
  readonly generator: string
  /** Of the copy that came of it. */
  readonly signature: string
  readonly outcome: ImportOutcome
}

/** A file that was written within this time of a look may be written again without a new time. */
const SETTLED_MS = 2000

/** To be taken before the source is read. Undefined where it has none that could be compared. */
export async function looksOf(
  world: World,
  workspace: Workspace,
): Promise<SourceLooks | undefined> {
  const startedAt = world.clock.now()
  const found = await filesOf(world, workspace)
  if (found === undefined) return undefined
  const digest = digestOf(found)
  return isSettled(found, startedAt) ? { digest } : { digest, content: contentOf(world, found) }
}

interface SourceFiles {
  /** Paths are native and absolute. */
  readonly files: readonly {
    readonly path: string
    readonly size: number
    readonly mtimeMs: number
  }[]
  /** What else decides what is read of them, and how. */
  readonly around?: unknown
}

async function filesOf(
  { files }: World,
  { kind, source }: Workspace,
): Promise<SourceFiles | undefined> {
  if (kind === 'local-api') return undefined
  if (kind === 'vault') {
    const { findVaultFiles } = await import('../../sources/notes/vault/vault-files.ts')
    const { pages, ...around } = findVaultFiles(files, source)
    return { files: pages.map((it) => ({ ...it, path: join(source, it.path) })), around }
  }
  try {
    const { size, mtimeMs } = files.stat(source)
    return { files: [{ path: source, size, mtimeMs }] }
  } catch {
    return undefined
  }
}

function digestOf(found: SourceFiles): string {
  return sha256(JSON.stringify(found))
}

function isSettled({ files }: SourceFiles, at: number): boolean {
  return files.every((it) => it.mtimeMs < at - SETTLED_MS)
}

function contentOf({ files }: World, found: SourceFiles): string {
  const hashes = found.files.map(({ path }) => {
    try {
      return sha256(files.read(path))
    } catch {
      return 'unreadable'
    }
  })
  return sha256(hashes.join('\n'))
}

export async function keepStamp(
  world: World,
  workspace: Workspace,
  { looks, outcome }: { readonly looks: SourceLooks | undefined; readonly outcome: ImportOutcome },
): Promise<void> {
  if (looks === undefined) {
    world.files.remove(stampPath(workspace))
    return
  }
  const signature = await signatureOf(world, workspace)
  writeStamp(world, workspace, { ...looks, generator: world.generator, signature, outcome })
}

function writeStamp(world: World, workspace: Workspace, stamp: Stamp): void {
  const file = world.files.replace(stampPath(workspace))
  try {
    file.write(Buffer.from(JSON.stringify(stamp)))
    file.commit()
  } catch {
    // It saves time, and nothing depends on it.
    file.discard()
  }
}

/** What came of the last import, where the source and the copy are still the same. */
export async function unchangedSince(
  world: World,
  workspace: Workspace,
): Promise<ImportOutcome | undefined> {
  const startedAt = world.clock.now()
  const stamp = readStamp(world, workspace)
  const found = stamp && (await filesOf(world, workspace))
  if (stamp === undefined || found === undefined) return undefined
  const digest = digestOf(found)
  const isSame =
    stamp.generator === world.generator &&
    stamp.outcome.source === workspace.source &&
    stamp.digest === digest &&
    (stamp.content === undefined || stamp.content === contentOf(world, found)) &&
    (await isCopyOf(world, workspace, stamp))
  if (!isSame) return undefined
  // From now on its times can be trusted.
  if (stamp.content !== undefined && isSettled(found, startedAt))
    await keepStamp(world, workspace, { looks: { digest }, outcome: stamp.outcome })
  return stamp.outcome
}

async function isCopyOf(world: World, workspace: Workspace, stamp: Stamp): Promise<boolean> {
  try {
    return stamp.signature === (await signatureOf(world, workspace))
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    return false
  }
}

function readStamp(world: World, workspace: Workspace): Stamp | undefined {
  try {
    const bytes = world.files.read(stampPath(workspace))
    return JSON.parse(Buffer.from(bytes).toString()) as Stamp
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
