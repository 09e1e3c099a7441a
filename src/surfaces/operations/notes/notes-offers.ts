/** Names that a person may mean where notes are asked for, for completion. */
import { EngineError } from '../../../model/engine-error.ts'
import { LENSES } from '../../../packs/notes/lenses.ts'
import { listNotesOptions } from '../../../packs/notes/notes-options.ts'
import type { World } from '../../../platform/world.ts'

export interface NotesOffers {
  readonly lens: readonly string[]
  readonly workspace: readonly string[]
}

/** Where the settings cannot be read, the lenses that are always there. */
export function notesOffers(world: World): NotesOffers {
  try {
    const { lenses, aliases } = listNotesOptions(world, [], { mayBeNone: true })
    return { lens: lenses, workspace: aliases }
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    return { lens: LENSES.map((it) => it.name), workspace: [] }
  }
}
