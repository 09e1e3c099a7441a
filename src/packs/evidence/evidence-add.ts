/** Picked pieces become files of the flow, each under a rank and a name of its own. */
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
import {
  type Again,
  addAgain,
  type KnownPart,
  type Present,
  presentPart,
  type Updated,
} from './evidence-again.ts'
import { checkedRank } from './evidence-changes.ts'
import { picked } from './evidence-sources.ts'
import type { Picked, Picking } from './picked.ts'
import { loadPart, readPart } from './prompt.ts'

export interface AddWish {
  readonly selectors: readonly string[]
  /** If absent, after all others. */
  readonly rank?: string | undefined
  /** Link to the file in place of copying it: it is read at every assembly. */
  readonly isLinked: boolean
  /** The workspace of notes, where not the usual one. */
  readonly workspace?: string | undefined
}

export interface Added {
  readonly part: ContextPart
  readonly title: string
  /** Of the evidence file. */
  readonly bytes: number
  readonly span: string
  readonly tags: readonly string[]
  readonly note?: string
}

export interface AddOutcome {
  readonly added: readonly Added[]
  /** Pieces that were there, and have other tags or another rank now. */
  readonly updated: readonly Updated[]
  /** Pieces that are there already, as they were. */
  readonly present: readonly Present[]
  /** Files that a pattern matches and that cannot be evidence. */
  readonly diagnostics: readonly Diagnostic[]
}

/** All of the selectors, or none when one of them cannot be met. */
export async function addEvidence(world: World, flow: Flow, wish: AddWish): Promise<AddOutcome> {
  const pickings: Picking[] = []
  for (const selector of wish.selectors) {
    pickings.push(await picked(world, { flow, workspace: wish.workspace }, selector))
  }
  const pieces = mergePieces(pickings.flatMap((it) => it.pieces))
  const diagnostics = pickings.flatMap((it) => it.diagnostics)
  if (wish.isLinked) refuseUnlinkable(pieces)
  for (const { wholeFile } of wish.isLinked ? pieces : []) {
    if (wholeFile !== undefined) refuseNewEscapingLink(world, flow, wholeFile)
  }
  const rank = wish.rank === undefined ? undefined : checkedRank(wish.rank)
  return changeFlow(world, flow, (number) => {
    const { parts } = listParts(world.files, flow)
    const known = knownParts(world, flow, parts)
    const plan = new Naming(parts, rank)
    const added: (Added & { readonly write: Write })[] = []
    const again: Again[] = []
    const present: Present[] = []
    for (const piece of pieces) {
      const former = known.get(sourceKey(piece))
      if (former === undefined) {
        added.push(newPart(piece, plan, wish.isLinked))
        continue
      }
      const change = addAgain(former, piece, { parts, rank, number })
      if (change === undefined) present.push(presentPart(former, piece, wish.isLinked))
      else again.push(change)
    }
    const change = {
      what: `add ${wish.selectors.join(' ')}`,
      moves: again.flatMap((it) => it.moves),
      writes: [...added.map((it) => it.write), ...again.flatMap((it) => it.writes)],
      keeps: keptLines(pieces),
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
function mergePieces(pieces: readonly Picked[]): readonly Picked[] {
  const merged = new Map<string, Picked>()
  for (const piece of pieces) {
    const first = merged.get(sourceKey(piece)) ?? piece
    const tags = [...new Set([...first.provenance.tags, ...piece.provenance.tags])]
    merged.set(sourceKey(piece), { ...first, provenance: { ...first.provenance, tags } })
  }
  return [...merged.values()]
}

/** What ranges of lines are followed by when their file changes. */
export function keptLines(pieces: readonly Picked[]): readonly Write[] {
  return pieces.flatMap(({ provenance, sourceLines }) =>
    sourceLines === undefined ? [] : [createSourceLinesWrite(provenance.cid, sourceLines)],
  )
}

function newPart(
  piece: Picked,
  plan: Naming,
  isLinked: boolean,
): Added & { readonly write: Write } {
  const file = plan.fileFor(piece, isLinked ? 'link' : 'md')
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

/** A name that nobody has: after the file, with more of its folders where that is taken. */
class Naming {
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

  fileFor(piece: Picked, ending: 'md' | 'link'): string {
    const kind = this.#kindFor(piece)
    const file = `${this.#rank}_${kind}.evidence.${ending}`
    this.#taken.add(kind)
    const part = parsePartName(EVIDENCE_FOLDER, file)
    if (part !== undefined) this.#parts.push(part)
    // Given ranks are shared: names then put the pieces in order.
    this.#rank = this.#given ?? nextRank(this.#parts)
    return file
  }

  #kindFor({ calledAfter, title }: Picked): string {
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

function refuseUnlinkable(pieces: readonly Picked[]): void {
  const part = pieces.find((it) => it.wholeFile === undefined)
  if (part !== undefined) {
    throw new EngineError('POC_E_REQUEST_INVALID', `${part.title} is a part of something`, {
      hint: 'only whole files can be linked; leave out --link, or the range',
    })
  }
  const tagged = pieces.find((it) => it.provenance.tags.length > 0)
  if (tagged !== undefined) {
    throw new EngineError('POC_E_REQUEST_INVALID', `the link to ${tagged.title} can have no tags`, {
      hint: 'a link holds no text of ours: leave out --link, or the tags',
    })
  }
}

function sourceKey({ provenance }: Pick<Picked, 'provenance'>): string {
  return `${provenance.sourceUri} ${formatSpan(provenance.span)}`
}

/** Parts by source and span; what cannot be read is an error. */
function knownParts(
  world: World,
  flow: Flow,
  parts: readonly ContextPart[],
): ReadonlyMap<string, KnownPart> {
  const known = new Map<string, KnownPart>()
  for (const part of parts.filter((it) => it.role === 'evidence')) {
    const isLinked = part.state === 'linked'
    // A copy is compared and written again as it is stored, with what is redacted in prompts.
    const text = isLinked ? '' : decode(readPart(world, flow, part))
    const said = isLinked ? loadPart(world, flow, part).text : text
    const { provenance, body, rest } = parseEvidence(said)
    if (provenance === undefined || known.has(sourceKey({ provenance }))) continue
    known.set(sourceKey({ provenance }), { part, text, provenance, body: body ?? rest })
  }
  return known
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes)
}
