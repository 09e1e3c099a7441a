/** What a person has in notes: each workspace, where it comes from, and what its copy holds. */
import { readConfig } from '../../config/config.ts'
import { EngineError } from '../../model/engine-error.ts'
import type { NoteSourceKind } from '../../model/note.ts'
import type { World } from '../../platform/world.ts'
import { allWorkspaces, defaultAlias, type Workspace } from './notes-workspaces.ts'
import { withCopy } from './with-notes.ts'

export interface NotesListOutcome {
  /** By alias. */
  readonly workspaces: readonly WorkspaceReport[]
}

export interface WorkspaceReport {
  readonly alias: string
  readonly isDefault: boolean
  readonly kind: NoteSourceKind
  readonly source: string
  /** Absent where there is none that can be read. */
  readonly copy?: CopyReport
  /** Why there is none, and what to do. */
  readonly trouble?: string
}

export interface CopyReport {
  readonly file: string
  readonly notes: number
  readonly tagged: number
  readonly links: number
  readonly importedAt: string
  readonly ageSeconds: number
  /** Whose vectors it has. */
  readonly embedder?: string
}

export async function listNotes(world: World): Promise<NotesListOutcome> {
  const config = readConfig(world)
  const usual = defaultAlias(config)
  const workspaces: WorkspaceReport[] = []
  for (const it of allWorkspaces(world, config)) {
    const { alias, kind, source } = it
    const about = { alias, isDefault: alias === usual, kind, source }
    try {
      workspaces.push({ ...about, copy: await reportOf(world, it) })
    } catch (error) {
      if (!(error instanceof EngineError)) throw error
      workspaces.push({ ...about, trouble: `${error.message}; ${error.hint}` })
    }
  }
  return { workspaces }
}

function reportOf(world: World, workspace: Workspace): Promise<CopyReport> {
  return withCopy(world, workspace, async (copy) => {
    const { notes, tagged, links, importedAt, vectors } = await copy.status()
    const age = Math.max(0, world.clock.now() - importedAt)
    return {
      file: workspace.copy,
      notes,
      tagged,
      links,
      importedAt: new Date(importedAt).toISOString(),
      ageSeconds: Math.round(age / 1000),
      ...(vectors === undefined ? {} : { embedder: vectors.model }),
    }
  })
}
