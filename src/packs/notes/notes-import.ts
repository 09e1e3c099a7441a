/**
 * Notes from their source into the copy of a workspace, and the workspace into the settings. A copy
 * is replaced as a whole or not at all.
 */
import { changeConfig, readConfig } from '../../config/config.ts'
import type { Config } from '../../config/schema.ts'
import type { Diagnostic } from '../../model/diagnostic.ts'
import { EngineError } from '../../model/engine-error.ts'
import type { NoteSourceKind } from '../../model/note.ts'
import type { ImportCounts, NotesSource, NotesWriter } from '../../model/notes-index.ts'
import type { Progress } from '../../model/progress.ts'
import { breathe, type World } from '../../platform/world.ts'
import { openNotesWriter } from '../../store/notes/writer.ts'
import { notesPlace, openNotesSource } from './notes-source.ts'
import { keepStamp, looksOf } from './notes-stamp.ts'
import { copyOf, defaultAlias, type Workspace } from './notes-workspaces.ts'

export interface NotesImportRequest {
  /** A path relative to the working folder, or a URL. */
  readonly source: string
  readonly workspace?: string | undefined
  /** Whether a workspace that has another source gives way. */
  readonly replace: boolean
  readonly tanaWorkspace?: string | undefined
}

export interface ImportOutcome extends ImportCounts {
  readonly workspace: string
  readonly kind: NoteSourceKind
  readonly source: string
  readonly copy: string
  /** Without the places of a program's own, which the counts of what was added and so on know. */
  readonly notes: number
  /** Of the source: what was looked at, and what of it is no note. */
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
): Promise<ImportOutcome> {
  const place = await notesPlace(world, request.source)
  const config = readConfig(world)
  const alias = request.workspace ?? defaultAlias(config)
  const copy = copyOf(world, alias)
  refuseOther(config, { alias, source: place.source, replace: request.replace })
  const before = config.workspaces.get(alias)
  const kept = before?.source === place.source ? before : undefined
  const { tanaWorkspace = kept?.tanaWorkspace } = request
  const workspace = { ...kept, ...place, tanaWorkspace, alias, copy }
  const outcome = await bringIn(world, workspace)
  await changeConfig(world, (now) => {
    refuseOther(now, { alias, source: place.source, replace: request.replace })
    // A token is for the source that it was given for, and goes to no other.
    const own = now.workspaces.get(alias)
    const token = own?.source === place.source ? own.token : undefined
    return { workspaces: new Map([[alias, { ...place, tanaWorkspace, token }]]) }
  })
  return outcome
}

/** Everything that the source has, in place of what the copy had. */
export async function bringIn(world: World, workspace: Workspace): Promise<ImportOutcome> {
  const startedAt = world.clock.now()
  const { alias, kind, source: from, copy } = workspace
  const looks = await looksOf(world, workspace)
  const source = await openNotesSource(world, workspace)
  const writer = openNotesWriter(world.files, copy, {
    signal: world.signal,
    onWait: () => world.notice(`waiting for another import into ${alias}`),
  })
  try {
    await writer.begin()
    const notes = await copied(world, source, writer)
    if (notes === 0) throw nothingThere(workspace)
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

async function copied(world: World, source: NotesSource, writer: NotesWriter): Promise<number> {
  const progress = inUnits(world.progress, source)
  let notes = 0
  progress.begin('importing', source.size)
  try {
    for await (const { records, read } of source.batches()) {
      await writer.put(records)
      notes += records.filter((it) => it.kind !== 'system').length
      progress.advance(read)
      await breathe(world)
    }
  } finally {
    progress.end()
  }
  return notes
}

const MEGABYTE = 1_000_000

/** Files are told in megabytes: nobody reads numbers of nine digits. */
function inUnits(progress: Progress, { kind }: NotesSource): Progress {
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

interface Newcomer {
  readonly alias: string
  readonly source: string
  readonly replace: boolean
}

function refuseOther({ workspaces }: Config, { alias, source, replace }: Newcomer): void {
  const other = workspaces.get(alias)
  if (other === undefined || other.source === source || replace) return
  throw new EngineError(
    'POC_E_REQUEST_INVALID',
    `the workspace ${alias} has another source: ${other.source}`,
    { hint: 'give another alias with --workspace, or --replace to let this one take its place' },
  )
}

function nothingThere({ kind, source, alias }: Workspace): EngineError {
  return new EngineError('POC_E_SOURCE_INVALID', `there are no notes in ${source}`, {
    hint:
      kind === 'vault'
        ? `a vault is a folder with Markdown files in it; ${alias} is as it was`
        : `see that it is the right one; ${alias} is as it was`,
  })
}
