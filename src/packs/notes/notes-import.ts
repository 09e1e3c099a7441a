/**
 * Imports notes from their source into the copy of a workspace, and adds the workspace to the
 * settings. A copy is replaced atomically.
 */
import { changeConfig, readConfig } from '../../config/config.ts'
import type { Config } from '../../config/schema.ts'
import type { Diagnostic } from '../../model/diagnostic.ts'
import { EngineError } from '../../model/engine-error.ts'
import type { NoteSourceKind } from '../../model/note.ts'
import type { ImportCounts, NotesSource, NotesWriter } from '../../model/notes-index.ts'
import type { Progress } from '../../model/progress.ts'
import { type World, yieldToEventLoop } from '../../platform/world.ts'
import { openNotesWriter } from '../../store/notes/writer.ts'
import { locateNotesSource, openNotesSource } from './notes-source.ts'
import { fingerprintSource, keepStamp } from './notes-stamp.ts'
import { chooseDefaultAlias, copyPath, type Workspace } from './notes-workspaces.ts'

export interface NotesImportRequest {
  /** A path relative to the working folder, or a URL. */
  readonly source: string
  readonly workspace?: string | undefined
  /** Whether to replace a workspace that has another source. */
  readonly replace: boolean
  readonly tanaWorkspace?: string | undefined
}

export interface ImportResult extends ImportCounts {
  readonly workspace: string
  readonly kind: NoteSourceKind
  readonly source: string
  readonly copy: string
  /** Without built-in nodes of the program, which the counts below include. */
  readonly notes: number
  /** Counts of the source: nodes read, and nodes that are not notes. */
  readonly seen: number
  readonly trashed: number
  readonly inlineReferences: number
  readonly correctedParents: number
  readonly unresolved: number
  readonly diagnostics: readonly Diagnostic[]
  readonly milliseconds: number
}

export async function importNotes(
  world: World,
  request: NotesImportRequest,
): Promise<ImportResult> {
  const place = await locateNotesSource(world, request.source)
  const config = readConfig(world)
  const alias = request.workspace ?? chooseDefaultAlias(config)
  const copy = copyPath(world, alias)
  refuseOtherSource(config, { alias, source: place.source, replace: request.replace })
  const before = config.workspaces.get(alias)
  const kept = before?.source === place.source ? before : undefined
  const { tanaWorkspace = kept?.tanaWorkspace } = request
  const workspace = { ...kept, ...place, tanaWorkspace, alias, copy }
  const outcome = await importIntoCopy(world, workspace)
  await changeConfig(world, (now) => {
    refuseOtherSource(now, { alias, source: place.source, replace: request.replace })
    // A token must only be sent to the source for which it was given.
    const own = now.workspaces.get(alias)
    const token = own?.source === place.source ? own.token : undefined
    return { workspaces: new Map([[alias, { ...place, tanaWorkspace, token }]]) }
  })
  return outcome
}

/** Replaces the content of the copy with that of the source. */
export async function importIntoCopy(world: World, workspace: Workspace): Promise<ImportResult> {
  const startedAt = world.clock.now()
  const { alias, kind, source: from, copy } = workspace
  const looks = await fingerprintSource(world, workspace)
  const source = await openNotesSource(world, workspace)
  const writer = openNotesWriter(world.files, copy, {
    signal: world.signal,
    onWait: () => world.notice(`waiting for another import into ${alias}`),
  })
  try {
    await writer.begin()
    const notes = await copyNotes(world, source, writer)
    if (notes === 0) throw createEmptySourceError(workspace)
    const importedAt = world.clock.recorded(startedAt)
    const counts = await writer.commit({ source: kind, importedAt })
    const about = { workspace: alias, kind, source: from, copy, notes, ...counts }
    const milliseconds = world.clock.now() - startedAt
    const outcome = { ...about, ...source.account(), milliseconds }
    await keepStamp(world, workspace, { looks, outcome })
    return outcome
  } finally {
    await writer.close()
  }
}

async function copyNotes(world: World, source: NotesSource, writer: NotesWriter): Promise<number> {
  const progress = reportInMegabytes(world.progress, source)
  let notes = 0
  progress.begin('importing', source.size)
  try {
    for await (const { records, read } of source.batches()) {
      await writer.put(records)
      notes += records.filter((it) => it.kind !== 'system').length
      progress.advance(read)
      await yieldToEventLoop(world)
    }
  } finally {
    progress.end()
  }
  return notes
}

const MEGABYTE = 1_000_000

/** Progress of files is reported in megabytes instead of bytes. */
function reportInMegabytes(progress: Progress, { kind }: NotesSource): Progress {
  if (kind === 'local-api') return progress
  let rest = 0
  return {
    begin: (label, total) => progress.begin(`${label}, MB`, Math.ceil(total / MEGABYTE)),
    advance: (bytes) => {
      rest += bytes
      progress.advance(Math.floor(rest / MEGABYTE))
      rest %= MEGABYTE
    },
    end: () => progress.end(),
  }
}

interface NewWorkspace {
  readonly alias: string
  readonly source: string
  readonly replace: boolean
}

function refuseOtherSource({ workspaces }: Config, { alias, source, replace }: NewWorkspace): void {
  const other = workspaces.get(alias)
  if (other === undefined || other.source === source || replace) return
  throw new EngineError(
    'POC_E_REQUEST_INVALID',
    `the workspace ${alias} has another source: ${other.source}`,
    { hint: 'give another alias with --workspace, or pass --replace to replace its source' },
  )
}

function createEmptySourceError({ kind, source, alias }: Workspace): EngineError {
  return new EngineError('POC_E_SOURCE_INVALID', `no notes found in ${source}`, {
    hint:
      kind === 'vault'
        ? `a vault is a folder with Markdown files; ${alias} was not changed`
        : `check that this is the right source; ${alias} was not changed`,
  })
}
