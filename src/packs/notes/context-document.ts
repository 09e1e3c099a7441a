/**
 * Builds a context document for a topic or a note, in phases: resolve, traverse, enrich, score,
 * budget, format. The same workspace, request and time give the same bytes.
 */
import { assert } from '../../base/assert.ts'
import type { NotesRequest } from '../../model/context-document.ts'
import type { NotesReader, NotesStatus } from '../../model/notes-index.ts'
import { type World, yieldToEventLoop } from '../../platform/world.ts'
import { findNoteSources, type NoteSources } from '../../retrieve/notes-sources.ts'
import { cosine, scoreNotes } from '../../score/notes-score.ts'
import {
  LIVE_WALK_CAPS,
  NOTES_WALK_CAPS,
  type NotesWalk,
  walkNotes,
} from '../../traverse/notes-walk.ts'
import { noticeRedacted } from '../redact-output.ts'
import { type AssembledContext, fitDocument } from './context-document-fit.ts'
import { buildCandidates, enrichNotes } from './context-document-notes.ts'
import { buildOutlines, formatOutlinesCut } from './context-document-outline.ts'
import { buildWarnings, type QueryOutcome } from './context-document-warnings.ts'
import { findIgnoredLinks } from './ignored-links.ts'
import { redactFinding, redactNotes } from './redact-notes.ts'

export interface ContextRequest extends NotesRequest {
  /** Embeds the topic, if the workspace has vectors. */
  readonly semantic?: SemanticSearch
  /** Further warnings of the document, read after all notes have been read. */
  warnings?(): readonly string[]
}

export interface SemanticSearch {
  /** The name printed in the document. */
  readonly embedder: string
  embedText(text: string): Promise<Float32Array>
}

export async function assembleContext(
  world: World,
  reader: NotesReader,
  request: ContextRequest,
): Promise<AssembledContext> {
  const { lens, now } = request
  assert(request.depth >= 1 && request.depth <= 5, 'a depth of 1 to 5')
  assert(request.maxTokens > 0 && request.queries.length > 0, 'a budget and a query')
  const depth = Math.min(request.depth, lens.maxDepth)
  const caps = reader.backend === 'local-api' ? LIVE_WALK_CAPS : NOTES_WALK_CAPS
  const status = await reader.status()
  const found: RankedQuery[] = []
  for (const query of request.queries) {
    await yieldToEventLoop(world)
    const { sources, vector } = await resolveQuery(reader, query.text, { request, status })
    const walk = await walkNotes(reader, {
      sources: sources.notes,
      types: lens.priorityTypes,
      depth,
      words: sources.words,
      caps,
    })
    const passed = await findIgnoredLinks(reader, walk, lens)
    const similarity = await computeSimilarities(reader, walk, vector)
    found.push({ query, sources, walk, passed, similarity })
  }
  const reached = found.flatMap((it) => it.walk.reached)
  const notes = enrichNotes(world, reached, request)
  const scored = scoreNotes(
    found.map(({ query, walk, similarity }) => ({
      weight: query.weight,
      reached: walk.reached,
      similarity,
    })),
    { lens, now, hasVectors: status.vectors !== undefined },
  )
  const words = [...new Set(found.flatMap((it) => it.sources.words))]
  const cuts = found.flatMap((it) => it.walk.cuts)
  const outlines = await buildOutlines(reader, { scored, notes, request, words, caps, cuts })
  const { candidates, redacted } = redactNotes(
    world,
    await buildCandidates(reader, scored, { notes, outlines, request }),
  )
  const shown = found.map((it) => redactFinding(world, it))
  const assembled = fitDocument({
    request,
    depth,
    candidates,
    about: describeRequest(reader, request, status),
    warnings: (isSummary) => [
      ...(request.warnings?.() ?? []),
      ...buildWarnings(shown, { request, status, isSummary }),
      ...(outlines.isCut && !isSummary ? [formatOutlinesCut(caps.notes)] : []),
    ],
    count: await world.tokens(),
  })
  const counts = assembled.document.nodes.map((it) => redacted.get(it.id) ?? 0)
  noticeRedacted(
    world,
    counts.reduce((sum, it) => sum + it, 0),
  )
  return assembled
}

interface RankedQuery extends QueryOutcome {
  readonly similarity: ReadonlyMap<string, number>
}

interface ResolveContext {
  readonly request: ContextRequest
  readonly status: NotesStatus
}

/** The notes that the query names or matches, and its vector, if the workspace has vectors. */
async function resolveQuery(
  reader: NotesReader,
  query: string,
  { request: { semantic }, status }: ResolveContext,
): Promise<{ readonly sources: NoteSources; readonly vector?: Float32Array }> {
  if (status.vectors === undefined) return { sources: await findNoteSources(reader, query) }
  let vector: Float32Array | undefined
  const sources = await findNoteSources(reader, query, async (topic) => {
    vector = await semantic?.embedText(topic)
    return vector
  })
  const [source] = sources.notes
  if (vector === undefined && source !== undefined) {
    vector = (await reader.vectors([source.id])).get(source.id)
    vector ??= await semantic?.embedText(source.name)
  }
  return { sources, ...(vector === undefined ? {} : { vector }) }
}

async function computeSimilarities(
  reader: NotesReader,
  { reached }: NotesWalk,
  vector: Float32Array | undefined,
): Promise<ReadonlyMap<string, number>> {
  if (vector === undefined) return new Map()
  const vectors = await reader.vectors(reached.map((it) => it.note.id))
  return new Map([...vectors].map(([id, own]) => [id, cosine(vector, own)]))
}

function describeRequest(
  reader: NotesReader,
  { queries, workspace, lens, now, semantic }: ContextRequest,
  { vectors }: NotesStatus,
) {
  const embedder = vectors === undefined ? undefined : (semantic?.embedder ?? vectors.model)
  return {
    query: queries.map((it) => it.text).join(' + '),
    workspace,
    lens: lens.name,
    assembledAt: `${new Date(now).toISOString().slice(0, LENGTH_TO_SECONDS)}Z`,
    backend: reader.backend,
    ...(embedder === undefined ? {} : { embedder }),
  }
}

/** Length of an ISO time up to its seconds. */
const LENGTH_TO_SECONDS = 19
