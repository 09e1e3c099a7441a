/** Keeps an index fresh while files change: each burst of changes is one update. */
import { basename, dirname, join } from 'node:path'
import type { CodeIndexWriter } from '../../model/code-index.ts'
import type { Diagnostic } from '../../model/diagnostic.ts'
import type { World } from '../../platform/world.ts'
import { type PathCheck, type PathVerdict, pathCheck } from '../../sources/repository-walk.ts'
import {
  type IndexOutcome,
  type Known,
  openWriter,
  updateCodeIndex,
  updateOrReplace,
} from './code-index.ts'
import { type IndexRequest, topOf, walkOptions } from './index-options.ts'
import { type Found, foundIn } from './index-plan.ts'
import { withPreciseIndexes } from './precise.ts'
import { prepareReading, type SourceFile } from './read-sources.ts'
import { prepareResolving } from './resolve-sources.ts'
import { ScipShelf } from './scip-index.ts'

/** The first outcome is that of bringing the index up to date; it ends when the signal says so. */
export async function* watchCodeIndex(
  world: World,
  asked: IndexRequest,
): AsyncGenerator<IndexOutcome> {
  const request = await withPreciseIndexes(world, asked)
  const top = topOf(world, request)
  const changes = new Changes(world.signal)
  const writer = openWriter(world, top)
  const shelf = new ScipShelf()
  const watching = await world.watcher.watchFolder(top, {
    onChanges: (paths) => changes.add(paths),
    onTrouble: (error) => world.notice(error.message),
  })
  try {
    yield await updateOrReplace(world, writer, { ...request, shelf })
    // What every reading needs is there when the first change comes.
    await Promise.all([prepareReading(world, top), prepareResolving()])
    const check = pathCheck(world.files, top, walkOptions(request))
    const following = { request: { ...request, force: false }, writer, top, check, shelf }
    for (let paths = await changes.next(); paths !== undefined; paths = await changes.next()) {
      const outcome = await follow(world, following, paths)
      if (outcome.read + outcome.removed > 0) yield outcome
    }
  } finally {
    await watching.close()
    await writer.close()
  }
}

interface Following {
  readonly request: IndexRequest
  readonly writer: CodeIndexWriter
  readonly top: string
  readonly check: PathCheck
  readonly shelf: ScipShelf
}

async function follow(
  world: World,
  { request, writer, top, check, shelf }: Following,
  paths: readonly string[],
): Promise<IndexOutcome> {
  // A changed rule may let in or leave out any file, and a SCIP index may cover any.
  if (paths.some((path) => path === '' || check.changesRules(path) || shelf.holds(path))) {
    check.forget()
    shelf.forget()
    return updateCodeIndex(world, writer, { ...request, shelf })
  }
  const found = (known: Known): Found | undefined =>
    lookAt(world, { request, top, check }, { paths, known })
  return updateCodeIndex(world, writer, { ...request, found, shelf })
}

interface Reported {
  readonly paths: readonly string[]
  readonly known: Known
}

/** What there is now at the paths that were reported. */
function lookAt(
  world: World,
  { request, top, check }: Omit<Following, 'writer' | 'shelf'>,
  { paths, known }: Reported,
): Found | undefined {
  const files = new Map<string, SourceFile>()
  const skipped: Diagnostic[] = []
  const gone = new Set<string>()
  for (const path of paths) {
    const verdict = check.check(path)
    const now = verdict.kind === 'file' ? statOf(world, top, path) : undefined
    if (now !== undefined) files.set(path, now)
    if (verdict.kind === 'folder') {
      const found = foundIn(world, top, { ...request, under: path })
      for (const it of found.files) files.set(it.path, it)
      skipped.push(...found.skipped)
    } else if (now === undefined) {
      const reason = verdict.kind === 'left-out' ? verdict.reason : 'missing'
      const before = known.skippedAt(path).filter((it) => it.code === reason)
      if (before.length > 0 && reason !== 'link') skipped.push(...before)
      // Only a walk has words for what it skips; for what it skipped before, it said them.
      else if (!isSilent(world, join(top, path), reason)) return undefined
    }
    for (const it of known.below(path)) gone.add(it)
  }
  return {
    files: [...files.values()],
    gone: [...gone].filter((it) => !files.has(it)),
    skipped: [...new Map(skipped.map((it) => [JSON.stringify(it), it])).values()],
    within: paths,
  }
}

type LeftOutReason = Extract<PathVerdict, { readonly kind: 'left-out' }>['reason']

const SILENT: ReadonlySet<LeftOutReason> = new Set(['ignored', 'excluded', 'build', 'not-included'])

/** Whether a walk has nothing to say of it. */
function isSilent(world: World, path: string, reason: LeftOutReason): boolean {
  return SILENT.has(reason) || (reason === 'missing' && !isLink(world, path))
}

/** A link that leads nowhere is missing to everybody but its folder. */
function isLink(world: World, path: string): boolean {
  try {
    const name = basename(path)
    return world.files.list(dirname(path)).some((it) => it.name === name && it.isSymbolicLink())
  } catch {
    return false
  }
}

function statOf(world: World, top: string, path: string): SourceFile | undefined {
  try {
    const { size, mtimeMs } = world.files.stat(join(top, path))
    return { path, size, mtimeMs }
  } catch {
    return undefined
  }
}

/** What was reported and not yet followed. */
class Changes {
  readonly #signal: AbortSignal
  readonly #paths = new Set<string>()
  #wake: (() => void) | undefined

  constructor(signal: AbortSignal) {
    this.#signal = signal
    signal.addEventListener('abort', () => this.#wake?.())
  }

  add(paths: readonly string[]): void {
    for (const path of paths) this.#paths.add(path)
    this.#wake?.()
  }

  /** Waits for the next; undefined when it is over. */
  async next(): Promise<readonly string[] | undefined> {
    if (this.#paths.size === 0 && !this.#signal.aborted)
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    this.#wake = undefined
    if (this.#signal.aborted) return undefined
    const paths = [...this.#paths].toSorted()
    this.#paths.clear()
    return paths
  }
}
