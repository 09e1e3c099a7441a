/** Picked pieces become files of the flow, each under a rank and a name of its own. */
import { evidenceText, readEvidence } from '../../evidence/evidence-text.ts'
import { refuseLinkTo } from '../../evidence/flow-links.ts'
import { changeFlow } from '../../evidence/history.ts'
import { EVIDENCE_FOLDER, kindOf, nextRank, partOf } from '../../evidence/part-names.ts'
import { partsOf } from '../../evidence/parts.ts'
import { spanText } from '../../evidence/span.ts'
import { EngineError } from '../../model/engine-error.ts'
import type { ContextPart, Flow, Write } from '../../model/evidence.ts'
import type { World } from '../../platform/world.ts'
import { checkedRank } from './evidence-changes.ts'
import { picked } from './evidence-sources.ts'
import type { Picked } from './picked.ts'
import { loadPart } from './prompt.ts'

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
  /** Pieces that are there already. */
  readonly present: readonly { readonly name: string; readonly title: string }[]
}

/** All of the selectors, or none when one of them cannot be met. */
export async function addEvidence(world: World, flow: Flow, wish: AddWish): Promise<AddOutcome> {
  const pieces: Picked[] = []
  for (const selector of wish.selectors) {
    pieces.push(...(await picked(world, { flow, workspace: wish.workspace }, selector)))
  }
  if (wish.isLinked) refuseParts(pieces)
  for (const { wholeFile } of wish.isLinked ? pieces : []) {
    if (wholeFile !== undefined) refuseLinkTo(world, flow, wholeFile)
  }
  const rank = wish.rank === undefined ? undefined : checkedRank(wish.rank)
  return changeFlow(world, flow, () => {
    const { parts } = partsOf(world.files, flow)
    const known = knownSources(world, flow, parts)
    const plan = new Naming(parts, rank)
    const added: (Added & { readonly write: Write })[] = []
    const present: { name: string; title: string }[] = []
    for (const piece of pieces) {
      const key = sourceKey(piece)
      const former = known.get(key)
      if (former !== undefined) {
        present.push({ name: former, title: piece.title })
        continue
      }
      const one = newPart(piece, plan, wish.isLinked)
      known.set(key, one.part.name)
      added.push(one)
    }
    const change = {
      what: `add ${wish.selectors.join(' ')}`,
      moves: [],
      writes: added.map((it) => it.write),
    }
    return { change: added.length === 0 ? undefined : change, result: { added, present } }
  })
}

function newPart(
  piece: Picked,
  plan: Naming,
  isLinked: boolean,
): Added & { readonly write: Write } {
  const file = plan.fileFor(piece, isLinked ? 'link' : 'md')
  const part = partOf(EVIDENCE_FOLDER, file)
  if (part === undefined) throw new Error(`${file} is not the name of a part`)
  const text = evidenceText(piece)
  const { span, tags } = piece.provenance
  return {
    part,
    title: piece.title,
    bytes: Buffer.byteLength(isLinked ? piece.body : text),
    span: spanText(span),
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
    const part = partOf(EVIDENCE_FOLDER, file)
    if (part !== undefined) this.#parts.push(part)
    // Given ranks are shared: names then put the pieces in order.
    this.#rank = this.#given ?? nextRank(this.#parts)
    return file
  }

  #kindFor({ calledAfter, title }: Picked): string {
    const folders = title.split('/').slice(0, -1).toReversed()
    let kind = kindOf(calledAfter)
    for (const folder of folders) {
      if (!this.#taken.has(kind)) return kind
      kind = kindOf(`${folder} ${kind}`)
    }
    if (!this.#taken.has(kind)) return kind
    for (let count = 2; ; count += 1) {
      if (!this.#taken.has(`${kind}_${count}`)) return `${kind}_${count}`
    }
  }
}

function refuseParts(pieces: readonly Picked[]): void {
  const part = pieces.find((it) => it.wholeFile === undefined)
  if (part === undefined) return
  throw new EngineError('POC_E_REQUEST_INVALID', `${part.title} is a part of something`, {
    hint: 'only whole files can be linked; leave out --link, or the range',
  })
}

function sourceKey({ provenance }: Pick<Picked, 'provenance'>): string {
  return `${provenance.sourceUri} ${spanText(provenance.span)}`
}

/** Sources and spans that are in the flow, with the names of their parts; what cannot be read is said. */
function knownSources(
  world: World,
  flow: Flow,
  parts: readonly ContextPart[],
): Map<string, string> {
  const known = new Map<string, string>()
  for (const part of parts.filter((it) => it.role === 'evidence')) {
    const { provenance } = readEvidence(loadPart(world, flow, part).text)
    if (provenance !== undefined) known.set(sourceKey({ provenance }), part.name)
  }
  return known
}
