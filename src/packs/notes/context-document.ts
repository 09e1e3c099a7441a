/**
 * From a topic or a note to a context document, in the order of the phases: resolve, traverse,
 * enrich, score, budget, format. Same workspace, same request, same time: same bytes.
 */
import { assert } from '../../base/assert.ts'
import type { NotesRequest } from '../../model/context-document.ts'
import type { NotesReader, NotesStatus } from '../../model/notes-index.ts'
import { breathe, type World } from '../../platform/world.ts'
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
import { candidatesOf, enriched } from './context-document-notes.ts'
import { outlinesCutWords, outlinesOf } from './context-document-outline.ts'
import { type QueryFinding, warningsOf } from './context-document-warnings.ts'
import { passedLinks } from './passed-links.ts'
import { shownFinding, shownNotes } from './shown-notes.ts'

export interface ContextRequest extends NotesRequest {
  /** Who makes the vector of a topic, where the workspace has vectors. */
  readonly semantic?: SemanticSearch
  /** What else the document is to say of itself, asked for when all notes have been read. */
  warnings?(): readonly string[]
}

export interface SemanticSearch {
  /** As the document names it. */
  readonly embedder: string
  vectorOf(text: string): Promise<Float32Array>
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
  const found: Finding[] = []
  for (const query of request.queries) {
    await breathe(world)
    const { sources, vector } = await resolve(reader, query.text, { request, status })
    const walk = await walkNotes(reader, {
      sources: sources.notes,
      types: lens.priorityTypes,
      depth,
      words: sources.words,
      caps,
    })
    const passed = await passedLinks(reader, walk, lens)
    const similarity = await similarities(reader, walk, vector)
    found.push({ query, sources, walk, passed, similarity })
  }
  const reached = found.flatMap((it) => it.walk.reached)
  const notes = enriched(world, reached, request)
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
  const outlines = await outlinesOf(reader, { scored, notes, request, words, caps, cuts })
  const { candidates, redacted } = shownNotes(
    world,
    await candidatesOf(reader, scored, { notes, outlines, request }),
  )
  const shown = found.map((it) => shownFinding(world, it))
  const assembled = fitDocument({
    request,
    depth,
    candidates,
    about: aboutOf(reader, request, status),
    warnings: (isSummary) => [
      ...(request.warnings?.() ?? []),
      ...warningsOf(shown, { request, status, isSummary }),
      ...(outlines.isCut && !isSummary ? [outlinesCutWords(caps.notes)] : []),
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

interface Finding extends QueryFinding {
  readonly similarity: ReadonlyMap<string, number>
}

interface Resolving {
  readonly request: ContextRequest
  readonly status: NotesStatus
}

/** What the query stands for, and the vector that notes are compared with, where there are vectors. */
async function resolve(
  reader: NotesReader,
  query: string,
  { request: { semantic }, status }: Resolving,
): Promise<{ readonly sources: NoteSources; readonly vector?: Float32Array }> {
  if (status.vectors === undefined) return { sources: await findNoteSources(reader, query) }
  let vector: Float32Array | undefined
  const sources = await findNoteSources(reader, query, async (topic) => {
    vector = await semantic?.vectorOf(topic)
    return vector
  })
  const [source] = sources.notes
  if (vector === undefined && source !== undefined) {
    vector = (await reader.vectors([source.id])).get(source.id)
    vector ??= await semantic?.vectorOf(source.name)
  }
  return { sources, ...(vector === undefined ? {} : { vector }) }
}

async function similarities(
  reader: NotesReader,
  { reached }: NotesWalk,
  vector: Float32Array | undefined,
): Promise<ReadonlyMap<string, number>> {
  if (vector === undefined) return new Map()
  const vectors = await reader.vectors(reached.map((it) => it.note.id))
  return new Map([...vectors].map(([id, own]) => [id, cosine(vector, own)]))
}

function aboutOf(
  reader: NotesReader,
  { queries, workspace, lens, now, semantic }: ContextRequest,
  { vectors }: NotesStatus,
) {
  const embedder = vectors === undefined ? undefined : (semantic?.embedder ?? vectors.model)
  return {
    query: queries.map((it) => it.text).join(' + '),
    workspace,
    lens: lens.name,
    assembledAt: `${new Date(now).toISOString().slice(0, SECONDS)}Z`,
    backend: reader.backend,
    ...(embedder === undefined ? {} : { embedder }),
  }
}

/** Characters of a time up to its seconds. */
const SECONDS = 19
