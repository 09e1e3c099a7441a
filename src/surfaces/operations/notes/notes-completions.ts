/** Completion values for commands on notes. */
import { EngineError } from '../../../model/engine-error.ts'
import { LENSES } from '../../../packs/notes/lenses.ts'
import { listNotesOptions } from '../../../packs/notes/notes-options.ts'
import type { World } from '../../../platform/world.ts'

export interface NotesCompletions {
  readonly lens: readonly string[]
  readonly workspace: readonly string[]
}

/** If the settings cannot be read, only the built-in lenses. */
export function listNotesCompletions(world: World): NotesCompletions {
  try {
    const { lenses, aliases } = listNotesOptions(world, [], { mayBeNone: true })
    return { lens: lenses, workspace: aliases }
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    return { lens: LENSES.map((it) => it.name), workspace: [] }
  }
}
