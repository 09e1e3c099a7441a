/**
 * The fingerprint of a source at its import, stored beside the copy: an unchanged source is not
 * read again. A running program has no fingerprint.
 */
import { join } from 'node:path'
import { EngineError } from '../../model/engine-error.ts'
import { sha256 } from '../../platform/hash.ts'
import type { World } from '../../platform/world.ts'
import type { ImportResult } from './notes-import.ts'
import type { Workspace } from './notes-workspaces.ts'
import { withCopy } from './open-copies.ts'

export interface SourceFingerprint {
  /** Digest of the paths, sizes and times of all relevant files. */
  readonly digest: string
  /** Digest of the content, if a file was written too recently for its time to be trusted. */
  readonly content?: string
}

interface ImportStamp extends SourceFingerprint {
  /** Another version may read the same source differently. */
  readonly generator: string
  /** Signature of the resulting copy. */
  readonly signature: string
  readonly outcome: ImportResult
}

/** A file written more recently than this may change again without a new modification time. */
const MIN_FILE_AGE_MS = 2000

/** Call this before reading the source. Undefined if the source has no fingerprint. */
export async function fingerprintSource(
  world: World,
  workspace: Workspace,
): Promise<SourceFingerprint | undefined> {
  const startedAt = world.clock.now()
  const found = await listSourceFiles(world, workspace)
  if (found === undefined) return undefined
  const digest = digestMetadata(found)
  return hasTrustedTimes(found, startedAt)
    ? { digest }
    : { digest, content: digestContent(world, found) }
}

interface SourceFiles {
  /** Paths are native and absolute. */
  readonly files: readonly {
    readonly path: string
    readonly size: number
    readonly mtimeMs: number
  }[]
  /** Other files that affect what is read, such as settings. */
  readonly settings?: unknown
}

async function listSourceFiles(
  { files }: World,
  { kind, source }: Workspace,
): Promise<SourceFiles | undefined> {
  if (kind === 'local-api') return undefined
  if (kind === 'vault') {
    const { findVaultFiles } = await import('../../sources/notes/vault/vault-files.ts')
    const { pages, ...around } = findVaultFiles(files, source)
    return { files: pages.map((it) => ({ ...it, path: join(source, it.path) })), settings: around }
  }
  try {
    const { size, mtimeMs } = files.stat(source)
    return { files: [{ path: source, size, mtimeMs }] }
  } catch {
    return undefined
  }
}

function digestMetadata(found: SourceFiles): string {
  return sha256(JSON.stringify(found))
}

function hasTrustedTimes({ files }: SourceFiles, at: number): boolean {
  return files.every((it) => it.mtimeMs < at - MIN_FILE_AGE_MS)
}

function digestContent({ files }: World, found: SourceFiles): string {
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
  {
    looks,
    outcome,
  }: { readonly looks: SourceFingerprint | undefined; readonly outcome: ImportResult },
): Promise<void> {
  if (looks === undefined) {
    world.files.remove(stampPath(workspace))
    return
  }
  const signature = await computeSignature(world, workspace)
  writeStamp(world, workspace, { ...looks, generator: world.generator, signature, outcome })
}

function writeStamp(world: World, workspace: Workspace, stamp: ImportStamp): void {
  const file = world.files.replace(stampPath(workspace))
  try {
    file.write(Buffer.from(JSON.stringify(stamp)))
    file.commit()
  } catch {
    // The stamp only saves time, so a failure to write it is ignored.
    file.discard()
  }
}

/** The result of the last import, if source and copy are unchanged. */
export async function findUnchangedImport(
  world: World,
  workspace: Workspace,
): Promise<ImportResult | undefined> {
  const startedAt = world.clock.now()
  const stamp = readStamp(world, workspace)
  const found = stamp && (await listSourceFiles(world, workspace))
  if (stamp === undefined || found === undefined) return undefined
  const digest = digestMetadata(found)
  const isSame =
    stamp.generator === world.generator &&
    stamp.outcome.source === workspace.source &&
    stamp.digest === digest &&
    (stamp.content === undefined || stamp.content === digestContent(world, found)) &&
    (await matchesCopy(world, workspace, stamp))
  if (!isSame) return undefined
  // From now on the modification times can be trusted.
  if (stamp.content !== undefined && hasTrustedTimes(found, startedAt))
    await keepStamp(world, workspace, { looks: { digest }, outcome: stamp.outcome })
  return stamp.outcome
}

async function matchesCopy(
  world: World,
  workspace: Workspace,
  stamp: ImportStamp,
): Promise<boolean> {
  try {
    return stamp.signature === (await computeSignature(world, workspace))
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    return false
  }
}

function readStamp(world: World, workspace: Workspace): ImportStamp | undefined {
  try {
    const bytes = world.files.read(stampPath(workspace))
    return JSON.parse(Buffer.from(bytes).toString()) as ImportStamp
  } catch {
    return undefined
  }
}

function computeSignature(world: World, workspace: Workspace): Promise<string> {
  return withCopy(world, workspace, async (copy) => (await copy.status()).signature)
}

function stampPath({ copy }: Workspace): string {
  return copy.replace(/\.db$/, '.source.json')
}
