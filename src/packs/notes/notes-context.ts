/**
 * Builds a context document from the running Tana if it can be reached, else from the imported
 * copy. A document never mixes both: if Tana fails midway, the whole document comes from the copy.
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
import { isTemporary } from '../../sources/notes/live/errors.ts'
import type { LiveNotes } from '../../sources/notes/live/reader.ts'
import { assembleContext, type ContextRequest } from './context-document.ts'
import { syncIfChanged } from './fresh-notes.ts'
import { findLens } from './lenses.ts'
import { openLive } from './notes-live.ts'
import { createSemanticSearch } from './notes-vector.ts'
import { findWorkspace, type Workspace } from './notes-workspaces.ts'
import { withCopy } from './open-copies.ts'
import { readUserLenses } from './user-lenses.ts'

export interface NotesContextRequest {
  readonly queries: readonly WeightedQuery[]
  /** If absent, the default workspace. */
  readonly workspace?: string | undefined
  readonly lens: string
  readonly depth: number
  readonly maxTokens: number
  readonly includeFields: boolean
  readonly format: ContextFormat
  readonly now: number
  /** Whether to use only the imported copy. */
  readonly offline: boolean
}

export interface NotesContextResult {
  readonly document: ContextDocument
  /** The text on which the budget was counted. */
  readonly text: string
  /** Whether no note matches the query. */
  readonly isEmpty: boolean
}

export async function buildNotesContext(
  world: World,
  request: NotesContextRequest,
): Promise<NotesContextResult> {
  const { offline, ...notesRequest } = request
  const config = readConfig(world)
  const workspace = findWorkspace(world, config, request.workspace)
  const lens = findLens(request.lens, readUserLenses(world, config))
  const question = { workspace, request: { ...notesRequest, workspace: workspace.alias, lens } }
  if (workspace.kind !== 'local-api' || offline) return answerFromCopy(world, question)
  let live: LiveNotes
  try {
    live = await openLive(world, workspace)
  } catch (error) {
    if (!(error instanceof EngineError) || error.code === 'POC_E_CANCELLED') throw error
    return answerFromCopy(world, question, error)
  }
  try {
    const warnings = () => live.diagnostics().map((it) => it.message)
    return await answerFromReader(world, live, { ...question.request, warnings })
  } catch (error) {
    // A wrong token must be corrected and not be hidden by an old answer.
    if (!(error instanceof EngineError) || !isTemporary(error)) throw error
    return await answerFromCopy(world, question, error)
  } finally {
    await live.close()
  }
}

interface CopyQuestion {
  readonly workspace: Workspace
  readonly request: NotesRequest
}

/** `liveError`: why Tana could not answer; thrown if there is no copy either. */
async function answerFromCopy(
  world: World,
  { workspace, request }: CopyQuestion,
  liveError?: EngineError,
): Promise<NotesContextResult> {
  let isOpen = false
  const outdatedReason = liveError ?? (await syncIfChanged(world, workspace))
  try {
    return await withCopy(world, workspace, async (copy) => {
      isOpen = true
      const { importedAt } = await copy.status()
      const day = new Date(importedAt).toISOString().slice(0, DATE_LENGTH)
      const why =
        outdatedReason === undefined
          ? []
          : [`This answer is from the copy of ${day}: ${outdatedReason.message}.`]
      return answerWithVectors(world, copy, { ...request, warnings: () => why })
    })
  } catch (error) {
    throw isOpen ? error : (liveError ?? error)
  }
}

/** `2026-01-15` */
const DATE_LENGTH = 10

/** Without the endpoint the document is still built, with less exact similarities. */
async function answerWithVectors(
  world: World,
  reader: NotesReader,
  request: ContextRequest,
): Promise<NotesContextResult> {
  const { vectors } = await reader.status()
  if (vectors === undefined) return answerFromReader(world, reader, request)
  const semantic = createSemanticSearch(world, vectors)
  try {
    return await answerFromReader(world, reader, { ...request, semantic })
  } catch (error) {
    if (error !== semantic.trouble()) throw error
    const said = `Similarity was computed only against the first note: ${semantic.trouble()?.message}.`
    const warnings = () => [...(request.warnings?.() ?? []), said]
    return answerFromReader(world, reader, { ...request, warnings })
  }
}

async function answerFromReader(
  world: World,
  reader: NotesReader,
  request: ContextRequest,
): Promise<NotesContextResult> {
  const { document, text } = await assembleContext(world, reader, request)
  return { document, text, isEmpty: document.nodes.length + document.overflow.length === 0 }
}
