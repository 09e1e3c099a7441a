/** Lists the workspaces of notes with their sources and the content of their copies. */
import { readConfig } from '../../config/config.ts'
import { EngineError } from '../../model/engine-error.ts'
import type { NoteSourceKind } from '../../model/note.ts'
import type { World } from '../../platform/world.ts'
import { chooseDefaultAlias, listWorkspaces, type Workspace } from './notes-workspaces.ts'
import { withCopy } from './open-copies.ts'

export interface NotesListResult {
  /** By alias. */
  readonly workspaces: readonly WorkspaceReport[]
}

export interface WorkspaceReport {
  readonly alias: string
  readonly isDefault: boolean
  readonly kind: NoteSourceKind
  readonly source: string
  /** Absent if there is no readable copy. */
  readonly copy?: CopyReport
  /** Why there is no copy, and what to do. */
  readonly trouble?: string
}

export interface CopyReport {
  readonly file: string
  readonly notes: number
  readonly tagged: number
  readonly links: number
  readonly importedAt: string
  readonly ageSeconds: number
  /** The embedder of its vectors. */
  readonly embedder?: string
}

export async function listNotes(world: World): Promise<NotesListResult> {
  const config = readConfig(world)
  const usual = chooseDefaultAlias(config)
  const workspaces: WorkspaceReport[] = []
  for (const it of listWorkspaces(world, config)) {
    const { alias, kind, source } = it
    const about = { alias, isDefault: alias === usual, kind, source }
    try {
      workspaces.push({ ...about, copy: await reportCopy(world, it) })
    } catch (error) {
      if (!(error instanceof EngineError)) throw error
      workspaces.push({ ...about, trouble: `${error.message}; ${error.hint}` })
    }
  }
  return { workspaces }
}

function reportCopy(world: World, workspace: Workspace): Promise<CopyReport> {
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
