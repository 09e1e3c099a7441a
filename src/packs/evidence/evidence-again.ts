/** A piece that is picked again: what its tags and its rank change of the part that is there. */
import { folderOf, lastPart } from '../../base/paths.ts'
import { replaceTags } from '../../evidence/evidence-text.ts'
import { buildPartPath, parsePartName } from '../../evidence/part-names.ts'
import { planRankChange, planRemoval } from '../../evidence/plans.ts'
import type { ContextPart, Move, PartState, Provenance, Write } from '../../model/evidence.ts'
import type { Picked } from './picked.ts'

/** A part of the flow with what its file says. */
export interface KnownPart {
  readonly part: ContextPart
  readonly text: string
  readonly provenance: Provenance
  /** The piece without heading, comment and fence. */
  readonly body: string
}

export interface Updated {
  /** As it is called now. */
  readonly part: ContextPart
  readonly title: string
  readonly rankBefore?: string
  readonly tags: readonly string[]
  /** Those that it did not have. */
  readonly addedTags: readonly string[]
}

export interface Present {
  readonly name: string
  readonly title: string
  readonly state: PartState
  /** Whether the piece is another text by now. */
  readonly hasChanged: boolean
  /** What of the request could not be done. */
  readonly note?: string
}

export interface Again {
  readonly moves: readonly Move[]
  readonly writes: readonly Write[]
  readonly rename: Move
  readonly updated: Updated
}

export interface AgainWish {
  readonly parts: readonly ContextPart[]
  /** If absent, it keeps the one that it has. */
  readonly rank: string | undefined
  /** Of the change: where the file is kept as it was. */
  readonly number: string
}

/** Undefined where nothing changes. Tags are added to those that are there. */
export function addAgain(known: KnownPart, piece: Picked, wish: AgainWish): Again | undefined {
  const { part, provenance } = known
  const rank = wish.rank ?? part.rank
  const added = newTags(known, piece)
  const moves = planRankChange(wish.parts, part, rank)
  if (moves.length === 0 && added.length === 0) return undefined
  const to = buildPartPath(part, { rank })
  const tags = [...provenance.tags, ...added]
  const isRewritten = added.length > 0
  return {
    moves: isRewritten ? planRemoval([part], wish.number) : moves,
    writes: isRewritten ? [{ path: to, text: replaceTags(known.text, tags) }] : [],
    rename: { from: part.path, to },
    updated: {
      part: parsePartName(folderOf(to), lastPart(to)) ?? part,
      title: piece.title,
      ...(rank === part.rank ? {} : { rankBefore: part.rank }),
      tags,
      addedTags: added,
    },
  }
}

export function presentPart(known: KnownPart, piece: Picked, isLinked: boolean): Present {
  const { name, state } = known.part
  const tags = piece.provenance.tags
  const note =
    state === 'linked' && tags.length > 0
      ? 'a linked file has no tags'
      : isLinked && state !== 'linked'
        ? 'it is a copy: remove it first to link the file'
        : undefined
  return {
    name,
    title: piece.title,
    state,
    hasChanged: state !== 'linked' && known.body.trimEnd() !== piece.body.trimEnd(),
    ...(note === undefined ? {} : { note }),
  }
}

/** A link has no comment that could hold them. */
function newTags({ part, provenance }: KnownPart, piece: Picked): readonly string[] {
  if (part.state === 'linked') return []
  return piece.provenance.tags.filter((it) => !provenance.tags.includes(it))
}
