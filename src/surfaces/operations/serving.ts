/** What a surface that answers many requests does once for all of them. */
import { EngineError } from '../../model/engine-error.ts'
import { keepIndexesOpen as keepCodeOpen } from '../../packs/index/with-code-index.ts'
import { type NotesChoice, notesChoice } from '../../packs/notes/notes-choice.ts'
import { keepNotesOpen } from '../../packs/notes/with-notes.ts'
import type { World } from '../../platform/world.ts'

/** Indexes and copies of notes stay open from request to request, until closed. */
export function keepIndexesOpen(world: World): { close(): Promise<void> } {
  const all = [keepCodeOpen(world), keepNotesOpen(world)]
  return {
    async close() {
      for (const it of all) await it.close()
    },
  }
}

export interface NotesWish {
  /** Aliases; empty for all that there are; undefined for none. */
  readonly notes: readonly string[] | undefined
  /** Whether it is merely that nobody has said anything. */
  readonly isUntold: boolean
}

/** Settings that are broken are in the way of those alone who have asked for notes. */
export function notesToServe(world: World, { notes, isUntold }: NotesWish): NotesChoice {
  if (notes === undefined) return NO_NOTES
  try {
    return notesChoice(world, notes, { mayBeNone: isUntold })
  } catch (error) {
    if (!isUntold || !(error instanceof EngineError)) throw error
    world.notice(`notes are not served: ${error.message} (${error.hint})`)
    return NO_NOTES
  }
}

const NO_NOTES: NotesChoice = { aliases: [], lenses: [] }
