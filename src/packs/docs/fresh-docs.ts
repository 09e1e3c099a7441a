/**
 * Opens a docs pack after checking that it matches its documents. A server syncs an outdated pack;
 * a command only reports it, because a pack may be committed and the user decides when to sync.
 */
import { join } from 'node:path'
import { counted, joinFirst } from '../../base/text.ts'
import type { DocsIndex } from '../../model/docs-index.ts'
import { EngineError } from '../../model/engine-error.ts'
import { kindAt } from '../../platform/files.ts'
import type { World } from '../../platform/world.ts'
import { decodeDocument, findDocuments, MAX_BYTES } from '../../sources/markdown/documents.ts'
import type { FoundFile } from '../../sources/walk.ts'
import { type ExistingPack, examinePack } from '../../store/docs/existing-pack.ts'
import { formatSyncCommand } from '../../store/docs/pack-commands.ts'
import { isSameDocument } from './build-plan.ts'
import { locateSegment, type Segment, type SegmentRequest } from './segment.ts'
import { withDocsIndex } from './with-docs-index.ts'

export async function withFreshDocs<T>(
  world: World,
  request: SegmentRequest,
  ask: (index: DocsIndex) => Promise<T>,
): Promise<T> {
  const segment = locateSegment(world, request)
  const changed = await findChangedDocuments(world, segment)
  if (changed.length > 0) await syncOrNotify(world, { request, segment }, changed)
  return withDocsIndex(world, request, ask)
}

async function syncOrNotify(
  world: World,
  { request, segment }: { readonly request: SegmentRequest; readonly segment: Segment },
  changed: readonly string[],
): Promise<void> {
  const older = `the docs pack is older than ${counted(changed.length, 'document')}: ${joinFirst(changed)}`
  if (world.isServed !== true) {
    world.notice(`${older}; \`${formatSyncCommand(segment)}\` updates it`)
    return
  }
  const { buildDocsPack } = await import('./docs-pack.ts')
  try {
    await buildDocsPack(world, { ...request, incremental: true, dryRun: false, force: false })
  } catch (error) {
    if (!(error instanceof EngineError) || error.code === 'POC_E_CANCELLED') throw error
    world.notice(`${older}; it could not be synced: ${error.message}`)
  }
}

/** Source paths of documents that were added, changed or removed since the build; sorted. */
async function findChangedDocuments(world: World, segment: Segment): Promise<readonly string[]> {
  // A missing or damaged pack is reported when it is opened.
  if (kindAt(world.files, segment.pack) !== 'file') return []
  const { existing: former } = examinePack(world.files, segment, world.generator)
  const changed =
    former === undefined
      ? await compareWithContent(world, segment)
      : compareWithState(world, segment, former)
  return changed.toSorted()
}

function compareWithState(world: World, segment: Segment, former: ExistingPack): readonly string[] {
  const known = new Map(former.documents.map((it) => [it.path, it]))
  const changed = findDocuments(world.files, segment.folder).files.filter((file) => {
    const state = known.get(file.path)
    known.delete(file.path)
    return state === undefined
      ? isDocument(world, segment, file)
      : !isSameDocument(world, segment, { file, state })
  })
  return [...changed.map((it) => it.path), ...known.keys()].map((it) => segment.prefix + it)
}

/** Files that are not text are never part of a pack. */
function isDocument(world: World, segment: Segment, file: FoundFile): boolean {
  if (file.size > MAX_BYTES) return false
  try {
    return 'text' in decodeDocument(world.files.read(join(segment.folder, file.path)))
  } catch {
    return false
  }
}

/** A pack without our database has no trustworthy times. */
async function compareWithContent(world: World, segment: Segment): Promise<readonly string[]> {
  const { readPackFile } = await import('../../store/docs/open-index.ts')
  const { readSources } = await import('./docs-validate.ts')
  try {
    const pack = readPackFile(world.files, segment)
    const { stale, missing, added } = readSources(world, segment, pack)
    return [...stale, ...missing, ...added]
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    return []
  }
}
