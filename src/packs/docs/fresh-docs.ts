/**
 * A docs pack that says what its documents say at the moment of the question. A server brings it up
 * to date; a command says what has changed, since a pack may be committed and is the person's to sync.
 */
import { join } from 'node:path'
import { counted, firstOf } from '../../base/text.ts'
import type { DocsIndex } from '../../model/docs-index.ts'
import { EngineError } from '../../model/engine-error.ts'
import { kindAt } from '../../platform/files.ts'
import type { World } from '../../platform/world.ts'
import { decodeDocument, findDocuments, MOST_BYTES } from '../../sources/markdown/documents.ts'
import type { FoundFile } from '../../sources/walk.ts'
import { examinePack, type Former } from '../../store/docs/former.ts'
import { syncCommand } from '../../store/docs/pack-commands.ts'
import { isSameDocument } from './build-plan.ts'
import { locateSegment, type Segment, type SegmentRequest } from './segment.ts'
import { withDocsIndex } from './with-docs-index.ts'

export async function withFreshDocs<T>(
  world: World,
  request: SegmentRequest,
  ask: (index: DocsIndex) => Promise<T>,
): Promise<T> {
  const segment = locateSegment(world, request)
  const changed = await changedDocuments(world, segment)
  if (changed.length > 0) await syncOrTell(world, { request, segment }, changed)
  return withDocsIndex(world, request, ask)
}

async function syncOrTell(
  world: World,
  { request, segment }: { readonly request: SegmentRequest; readonly segment: Segment },
  changed: readonly string[],
): Promise<void> {
  const older = `the docs pack is older than ${counted(changed.length, 'document')}: ${firstOf(changed)}`
  if (world.isServed !== true) {
    world.notice(`${older}; \`${syncCommand(segment)}\` brings it up to date`)
    return
  }
  const { buildDocsPack } = await import('./docs-pack.ts')
  try {
    await buildDocsPack(world, { ...request, incremental: true, dryRun: false, force: false })
  } catch (error) {
    if (!(error instanceof EngineError) || error.code === 'POC_E_CANCELLED') throw error
    world.notice(`${older}; it could not be brought up to date: ${error.message}`)
  }
}

/** Source paths of documents that are new, other or gone since the pack was built; sorted. */
async function changedDocuments(world: World, segment: Segment): Promise<readonly string[]> {
  // Whatever is wrong with a pack that is missing or damaged, opening it says so.
  if (kindAt(world.files, segment.pack) !== 'file') return []
  const { former } = examinePack(world.files, segment, world.generator)
  const changed =
    former === undefined
      ? await changedByContent(world, segment)
      : changedByState(world, segment, former)
  return changed.toSorted()
}

function changedByState(world: World, segment: Segment, former: Former): readonly string[] {
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

/** What cannot be read as text is no part of a pack, however often it is synced. */
function isDocument(world: World, segment: Segment, file: FoundFile): boolean {
  if (file.size > MOST_BYTES) return false
  try {
    return 'text' in decodeDocument(world.files.read(join(segment.folder, file.path)))
  } catch {
    return false
  }
}

/** A pack without a database of ours keeps no times that could be trusted. */
async function changedByContent(world: World, segment: Segment): Promise<readonly string[]> {
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
