/**
 * A context document of a workspace, from whoever can answer: Tana itself where it runs, else the
 * imported copy. One document has one who answered: if Tana falters half way, the copy gives all.
 */
import { readConfig } from '../../config/config.ts'
import type {
  ContextDocument,
  ContextFormat,
  NotesRequest,
  WeightedQuery,
} from '../../model/context-document.ts'
import { EngineError } from '../../model/engine-error.ts'
import type { NotesReader } from '../../model/notes-index.ts'
import type { World } from '../../platform/world.ts'
import type { LiveNotes } from '../../sources/notes/live/reader.ts'
import { isHiccup } from '../../sources/notes/live/trouble.ts'
import { assembleContext, type ContextRequest } from './context-document.ts'
import { syncTrouble } from './fresh-notes.ts'
import { lensNamed } from './lenses.ts'
import { ownLenses } from './notes-lenses.ts'
import { openLive } from './notes-live.ts'
import { semanticSearch } from './notes-vector.ts'
import { type Workspace, workspaceNamed } from './notes-workspaces.ts'
import { withCopy } from './with-notes.ts'

export interface ContextWish {
  readonly queries: readonly WeightedQuery[]
  /** The default one if absent. */
  readonly workspace?: string | undefined
  readonly lens: string
  readonly depth: number
  readonly maxTokens: number
  readonly includeFields: boolean
  readonly format: ContextFormat
  readonly now: number
  /** Whether Tana is left alone. */
  readonly offline: boolean
}

export interface ContextAnswer {
  readonly document: ContextDocument
  /** As the budget was counted on. */
  readonly text: string
  /** Whether no note answers to the query. */
  readonly isEmpty: boolean
}

export async function notesContext(world: World, wish: ContextWish): Promise<ContextAnswer> {
  const { offline, ...asked } = wish
  const config = readConfig(world)
  const workspace = workspaceNamed(world, config, wish.workspace)
  const lens = lensNamed(wish.lens, ownLenses(world, config))
  const question = { workspace, request: { ...asked, workspace: workspace.alias, lens } }
  if (workspace.kind !== 'local-api' || offline) return fromCopy(world, question)
  let live: LiveNotes
  try {
    live = await openLive(world, workspace)
  } catch (error) {
    if (!(error instanceof EngineError) || error.code === 'POC_E_CANCELLED') throw error
    return fromCopy(world, question, error)
  }
  try {
    const warnings = () => live.diagnostics().map((it) => it.message)
    return await answer(world, live, { ...question.request, warnings })
  } catch (error) {
    // A wrong token stays wrong: it is to be put right, not to be hidden by an old answer.
    if (!(error instanceof EngineError) || !isHiccup(error)) throw error
    return await fromCopy(world, question, error)
  } finally {
    await live.close()
  }
}

interface Question {
  readonly workspace: Workspace
  readonly request: NotesRequest
}

/** `instead`: what kept Tana itself from answering; it is the error where there is no copy either. */
async function fromCopy(
  world: World,
  { workspace, request }: Question,
  instead?: EngineError,
): Promise<ContextAnswer> {
  let isOpen = false
  const older = instead ?? (await syncTrouble(world, workspace))
  try {
    return await withCopy(world, workspace, async (copy) => {
      isOpen = true
      const { importedAt } = await copy.status()
      const day = new Date(importedAt).toISOString().slice(0, DAY_LENGTH)
      const why = older === undefined ? [] : [`This is the copy of ${day}: ${older.message}.`]
      return withSemantics(world, copy, { ...request, warnings: () => why })
    })
  } catch (error) {
    throw isOpen ? error : (instead ?? error)
  }
}

/** `2026-01-15` */
const DAY_LENGTH = 10

/** An endpoint that does not answer makes a document less exact, not impossible. */
async function withSemantics(
  world: World,
  reader: NotesReader,
  request: ContextRequest,
): Promise<ContextAnswer> {
  const { vectors } = await reader.status()
  if (vectors === undefined) return answer(world, reader, request)
  const semantic = semanticSearch(world, vectors)
  try {
    return await answer(world, reader, { ...request, semantic })
  } catch (error) {
    if (error !== semantic.trouble()) throw error
    const said = `Similarity is that to the first note alone: ${semantic.trouble()?.message}.`
    const warnings = () => [...(request.warnings?.() ?? []), said]
    return answer(world, reader, { ...request, warnings })
  }
}

async function answer(
  world: World,
  reader: NotesReader,
  request: ContextRequest,
): Promise<ContextAnswer> {
  const { document, text } = await assembleContext(world, reader, request)
  return { document, text, isEmpty: document.nodes.length + document.overflow.length === 0 }
}
