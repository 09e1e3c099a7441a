/** Adds picked excerpts to the flow as files, each with its rank and a unique name. */
import { parseEvidence, renderEvidence } from '../../evidence/evidence-text.ts'
import { refuseNewEscapingLink } from '../../evidence/flow-links.ts'
import { changeFlow } from '../../evidence/history.ts'
import { EVIDENCE_FOLDER, nextRank, parsePartName, slugify } from '../../evidence/part-names.ts'
import { listParts } from '../../evidence/parts.ts'
import { createSourceLinesWrite } from '../../evidence/source-lines.ts'
import { formatSpan } from '../../evidence/span.ts'
import type { Diagnostic } from '../../model/diagnostic.ts'
import { EngineError } from '../../model/engine-error.ts'
import type { ContextPart, Flow, Write } from '../../model/evidence.ts'
import type { World } from '../../platform/world.ts'
import { parseRank } from './evidence-changes.ts'
import { pickByText } from './evidence-sources.ts'
import {
  describeUnchanged,
  type ExistingPart,
  type PartUpdate,
  planPartUpdate,
  type UnchangedPart,
  type UpdatedPart,
} from './evidence-update.ts'
import type { PickedPiece, PickResult } from './picked-piece.ts'
import { loadPart, readPart } from './prompt.ts'

export interface AddRequest {
  readonly selectors: readonly string[]
  /** If absent, after all other parts. */
  readonly rank?: string | undefined
  /** Link to the file instead of copying it: it is read at every assembly. */
  readonly isLinked: boolean
  /** The workspace of notes, if it is not the default one. */
  readonly workspace?: string | undefined
}

export interface AddedPart {
  readonly part: ContextPart
  readonly title: string
  /** Of the evidence file. */
  readonly bytes: number
  readonly span: string
  readonly tags: readonly string[]
  readonly note?: string
}

export interface AddResult {
  readonly added: readonly AddedPart[]
  /** Existing pieces whose tags or rank changed. */
  readonly updated: readonly UpdatedPart[]
  /** Existing pieces that did not change. */
  readonly present: readonly UnchangedPart[]
  /** Files that a pattern matches and that cannot be evidence. */
  readonly diagnostics: readonly Diagnostic[]
}

/** Adds all selectors, or none if one of them fails. */
export async function addEvidence(
  world: World,
  flow: Flow,
  request: AddRequest,
): Promise<AddResult> {
  const pickings: PickResult[] = []
  for (const selector of request.selectors) {
    pickings.push(await pickByText(world, { flow, workspace: request.workspace }, selector))
  }
  const pieces = mergePieces(pickings.flatMap((it) => it.pieces))
  const diagnostics = pickings.flatMap((it) => it.diagnostics)
  if (request.isLinked) refuseUnlinkable(pieces)
  for (const { wholeFile } of request.isLinked ? pieces : []) {
    if (wholeFile !== undefined) refuseNewEscapingLink(world, flow, wholeFile)
  }
  const rank = request.rank === undefined ? undefined : parseRank(request.rank)
  return changeFlow(world, flow, (number) => {
    const { parts } = listParts(world.files, flow)
    const known = indexPartsBySource(world, flow, parts)
    const plan = new PartNamer(parts, rank)
    const added: (AddedPart & { readonly write: Write })[] = []
    const again: PartUpdate[] = []
    const present: UnchangedPart[] = []
    for (const piece of pieces) {
      const former = known.get(sourceAndSpanKey(piece))
      if (former === undefined) {
        added.push(createPart(piece, plan, request.isLinked))
        continue
      }
      const change = planPartUpdate(former, piece, { parts, rank, number })
      if (change === undefined) present.push(describeUnchanged(former, piece, request.isLinked))
      else again.push(change)
    }
    const change = {
      what: `add ${request.selectors.join(' ')}`,
      moves: again.flatMap((it) => it.moves),
      writes: [...added.map((it) => it.write), ...again.flatMap((it) => it.writes)],
      keeps: collectSourceLines(pieces),
      renames: again.map((it) => it.rename),
    }
    const updated = again.map((it) => it.updated)
    return {
      change: added.length + again.length === 0 ? undefined : change,
      result: { added, updated, present, diagnostics },
    }
  })
}

/** A piece that is picked twice is one piece, with the tags of both. */
function mergePieces(pieces: readonly PickedPiece[]): readonly PickedPiece[] {
  const merged = new Map<string, PickedPiece>()
  for (const piece of pieces) {
    const first = merged.get(sourceAndSpanKey(piece)) ?? piece
    const tags = [...new Set([...first.provenance.tags, ...piece.provenance.tags])]
    merged.set(sourceAndSpanKey(piece), { ...first, provenance: { ...first.provenance, tags } })
  }
  return [...merged.values()]
}

/** Line hashes, which locate a range of lines after its file has changed. */
export function collectSourceLines(pieces: readonly PickedPiece[]): readonly Write[] {
  return pieces.flatMap(({ provenance, sourceLines }) =>
    sourceLines === undefined ? [] : [createSourceLinesWrite(provenance.cid, sourceLines)],
  )
}

function createPart(
  piece: PickedPiece,
  namer: PartNamer,
  isLinked: boolean,
): AddedPart & { readonly write: Write } {
  const file = namer.fileFor(piece, isLinked ? 'link' : 'md')
  const part = parsePartName(EVIDENCE_FOLDER, file)
  if (part === undefined) throw new Error(`${file} is not the name of a part`)
  const text = renderEvidence(piece)
  const { span, tags } = piece.provenance
  return {
    part,
    title: piece.title,
    bytes: Buffer.byteLength(isLinked ? piece.body : text),
    span: formatSpan(span),
    tags,
    ...(piece.note === undefined ? {} : { note: piece.note }),
    write:
      isLinked && piece.wholeFile !== undefined
        ? { path: part.path, linkTo: piece.wholeFile }
        : { path: part.path, text },
  }
}

/** Chooses unique names: the file name, preceded by parent folders if it is taken. */
class PartNamer {
  #rank: string
  readonly #taken: Set<string>
  readonly #parts: ContextPart[]
  readonly #given: string | undefined

  constructor(parts: readonly ContextPart[], given: string | undefined) {
    this.#parts = [...parts]
    this.#given = given
    this.#rank = given ?? nextRank(parts)
    this.#taken = new Set(parts.map((it) => it.kind))
  }

  fileFor(piece: PickedPiece, ending: 'md' | 'link'): string {
    const kind = this.#kindFor(piece)
    const file = `${this.#rank}_${kind}.evidence.${ending}`
    this.#taken.add(kind)
    const part = parsePartName(EVIDENCE_FOLDER, file)
    if (part !== undefined) this.#parts.push(part)
    // Pieces share a given rank; their names then decide the order.
    this.#rank = this.#given ?? nextRank(this.#parts)
    return file
  }

  #kindFor({ nameSource: calledAfter, title }: PickedPiece): string {
    const folders = title.split('/').slice(0, -1).toReversed()
    let kind = slugify(calledAfter)
    for (const folder of folders) {
      if (!this.#taken.has(kind)) return kind
      kind = slugify(`${folder} ${kind}`)
    }
    if (!this.#taken.has(kind)) return kind
    for (let count = 2; ; count += 1) {
      if (!this.#taken.has(`${kind}_${count}`)) return `${kind}_${count}`
    }
  }
}

function refuseUnlinkable(pieces: readonly PickedPiece[]): void {
  const part = pieces.find((it) => it.wholeFile === undefined)
  if (part !== undefined) {
    throw new EngineError('POC_E_REQUEST_INVALID', `${part.title} is only a part of a file`, {
      hint: 'only whole files can be linked; omit --link, or the range',
    })
  }
  const tagged = pieces.find((it) => it.provenance.tags.length > 0)
  if (tagged !== undefined) {
    throw new EngineError('POC_E_REQUEST_INVALID', `the link to ${tagged.title} cannot have tags`, {
      hint: 'a link has no comment that could hold tags; omit --link, or the tags',
    })
  }
}

function sourceAndSpanKey({ provenance }: Pick<PickedPiece, 'provenance'>): string {
  return `${provenance.sourceUri} ${formatSpan(provenance.span)}`
}

/** Parts by source and span; an unreadable part is an error. */
function indexPartsBySource(
  world: World,
  flow: Flow,
  parts: readonly ContextPart[],
): ReadonlyMap<string, ExistingPart> {
  const known = new Map<string, ExistingPart>()
  for (const part of parts.filter((it) => it.role === 'evidence')) {
    const isLinked = part.state === 'linked'
    // Copies are compared and rewritten as stored: redaction applies only to prompts.
    const text = isLinked ? '' : decode(readPart(world, flow, part))
    const said = isLinked ? loadPart(world, flow, part).text : text
    const { provenance, body, rest } = parseEvidence(said)
    if (provenance === undefined || known.has(sourceAndSpanKey({ provenance }))) continue
    known.set(sourceAndSpanKey({ provenance }), { part, text, provenance, body: body ?? rest })
  }
  return known
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes)
}
