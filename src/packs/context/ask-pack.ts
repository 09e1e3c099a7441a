/** A context pack for somebody: with a fresh index if wanted, the kept one if there is one. */
import { basename, dirname, isAbsolute, join, relative } from 'node:path'
import { joinFirst } from '../../base/text.ts'
import type { CodeIndexReader } from '../../model/code-index.ts'
import type { ContextPack } from '../../model/context-pack.ts'
import { EngineError } from '../../model/engine-error.ts'
import type { Focus, PackRequest } from '../../model/pack-request.ts'
import type { World } from '../../platform/world.ts'
import { hasStoredPacks } from '../../store/packs/pack-store-names.ts'
import type { RepositoryPlace } from '../index/index-options.ts'
import { indexFolder } from '../index/index-place.ts'
import { type IndexWish, type OpenRepository, withCodeIndex } from '../index/with-code-index.ts'
import { createContextPack } from './context-pack.ts'
import type { DiffWish, RepositoryDiff } from './diff-request.ts'
import { focusOn } from './pack-focus.ts'
import { isMeantBy, packIdOf } from './pack-id.ts'
import { type PackWish, packRequest } from './pack-request.ts'
import { repositoryId } from './repository-id.ts'

export interface PackQuestion extends IndexWish {
  readonly wish: PackWish
  /** What to stand in the middle, in words. */
  readonly focus?: string | undefined
  /** What the pack is about, where it is about a diff. */
  readonly diff?: DiffWish | undefined
  /** Whether to keep the pack beside the index. */
  readonly isKept: boolean
}

export interface AskedPack {
  readonly pack: ContextPack
  readonly origin: 'made' | 'kept'
  /** Paths of files that have changed since the index was made, where it was taken as it is. */
  readonly changed: readonly string[]
}

export async function askForPack(world: World, question: PackQuestion): Promise<AskedPack> {
  refuseInvalid(question)
  return withCodeIndex(world, question, async (repository) => {
    const { index, top, indexRoot, recent, changed } = repository
    const indexSignature = await index.signature()
    const { focus: text } = question
    const diff = question.diff && (await readDiffLate(world, top, question.diff))
    const wish = {
      ...question.wish,
      ...(text === undefined ? {} : { focus: await focusIn(world, { index, top }, text) }),
      diff: diff?.identity,
    }
    const repoId = await repositoryId(world, { top, indexRoot })
    const request = packRequest(wish, { repoId, indexRoot, indexSignature })
    const kept = await keptBefore(world, top, packIdOf(request))
    const pack = kept ?? (await createPack(world, index, { request, diff }))
    if (question.isKept && kept === undefined) await keep(world, top, pack)
    remember(recent, pack)
    return { pack, origin: kept === undefined ? 'made' : 'kept', changed }
  })
}

/** What deals with diffs is loaded for those who ask about one. */
async function readDiffLate(world: World, top: string, wish: DiffWish): Promise<RepositoryDiff> {
  const { readDiff } = await import('./diff-request.ts')
  return readDiff(world, top, wish)
}

interface PackSubject {
  readonly request: PackRequest
  readonly diff: RepositoryDiff | undefined
}

async function createPack(
  world: World,
  index: CodeIndexReader,
  { request, diff }: PackSubject,
): Promise<ContextPack> {
  if (diff === undefined) return createContextPack(world, index, request)
  const { createReviewPack } = await import('./review-pack.ts')
  return createReviewPack(world, index, { request, diff })
}

/** A path may be absolute, else it starts where we are. */
function focusIn(
  world: World,
  { index, top }: Pick<OpenRepository, 'index' | 'top'>,
  text: string,
): Promise<Focus> {
  const wanted = text.trim()
  if (!isAbsolute(wanted)) {
    const folder = pathBelow(top, world.files.realPath(world.workingFolder))
    return focusOn(index, wanted, folder)
  }
  const path = pathBelow(top, wanted) ?? pathBelow(top, realPathOf(world, wanted))
  if (path !== undefined && path !== '') return focusOn(index, path)
  throw new EngineError('POC_E_REQUEST_INVALID', `${wanted} is not inside the repository`, {
    hint: 'name a file of the repository, by its path from the top',
  })
}

/** With `/`; undefined for what is not below. */
function pathBelow(top: string, path: string): string | undefined {
  const below = relative(top, path).replaceAll('\\', '/')
  return /^\.\.(?:\/|$)/.test(below) || isAbsolute(below) ? undefined : below
}

/** The folder by its real name, and what follows as it is: a line or a symbol may stand behind the file. */
function realPathOf({ files }: World, path: string): string {
  try {
    return join(files.realPath(dirname(path)), basename(path))
  } catch {
    return path
  }
}

/** Most repositories keep no packs, and most requests none: what deals with them is loaded late. */
async function keptBefore(
  world: World,
  top: string,
  packId: string,
): Promise<ContextPack | undefined> {
  if (!hasStoredPacks(world.files, indexFolder(world, top))) return undefined
  const { keptPack } = await import('./pack-artifacts.ts')
  return keptPack(world, top, packId)
}

async function keep(world: World, top: string, pack: ContextPack): Promise<void> {
  const { keepPack } = await import('./pack-artifacts.ts')
  await keepPack(world, { top, pack })
}

/** Before an index is made for a request that cannot be met. */
function refuseInvalid({ wish, focus, diff }: PackQuestion): void {
  const somewhere = focus === undefined ? wish.focus : { fileRelPath: focus }
  const some = diff && { source: '', sha256: '', base: '' }
  packRequest(
    { ...wish, focus: somewhere, diff: some },
    { repoId: '', indexRoot: '', indexSignature: '' },
  )
}

export interface KeptQuestion extends RepositoryPlace {
  /** Or the beginning of it. */
  readonly packId: string
  /** Whether one of another state of the index will do. */
  readonly maybeStale: boolean
}

export interface FoundPack {
  readonly pack: ContextPack
  readonly isStale: boolean
}

/** A pack of another index, or of other files, is never handed out as if it were of these. */
export function findPack(world: World, question: KeptQuestion): Promise<FoundPack> {
  const { path, packId, maybeStale } = question
  return withCodeIndex(world, { path, isFresh: false }, async (repository) => {
    const { index, changed } = repository
    const pack = await remembered(world, repository, packId)
    const isOtherIndex = pack.indexSignature !== (await index.signature())
    if (!isOtherIndex && changed.length === 0) return { pack, isStale: false }
    const since = `since ${pack.packId} was made`
    const what = isOtherIndex
      ? `the index has changed ${since}`
      : `files have changed ${since}: ${joinFirst(changed)}`
    if (!maybeStale) {
      throw new EngineError('POC_E_PACK_STALE', what, {
        hint: 'ask for a new pack, or take it as it is with --stale',
      })
    }
    world.notice(what)
    return { pack, isStale: true }
  })
}

const MOST_RECENT = 32

function remember(recent: Map<string, ContextPack>, pack: ContextPack): void {
  recent.delete(pack.packId)
  recent.set(pack.packId, pack)
  for (const oldest of recent.keys()) {
    if (recent.size <= MOST_RECENT) return
    recent.delete(oldest)
  }
}

async function remembered(
  world: World,
  { top, recent }: OpenRepository,
  packId: string,
): Promise<ContextPack> {
  const [known, another] = [...recent.values()].filter((it) => isMeantBy(it.packId, packId))
  if (known !== undefined && another === undefined) return known
  const { readKeptPack } = await import('./pack-artifacts.ts')
  return readKeptPack(world, top, packId)
}
