/** Picking the same piece again updates the tags and the rank of the existing part. */
import { folderOf, lastPart } from '../../base/paths.ts'
import { replaceTags } from '../../evidence/evidence-text.ts'
import { buildPartPath, parsePartName } from '../../evidence/part-names.ts'
import { planRankChange, planRemoval } from '../../evidence/plans.ts'
import type { ContextPart, Move, PartState, Provenance, Write } from '../../model/evidence.ts'
import type { PickedPiece } from './picked-piece.ts'

/** A part of the flow with the content of its file. */
export interface ExistingPart {
  readonly part: ContextPart
  readonly text: string
  readonly provenance: Provenance
  /** The piece without heading, comment and fence. */
  readonly body: string
}

export interface UpdatedPart {
  /** The part under its new name. */
  readonly part: ContextPart
  readonly title: string
  readonly rankBefore?: string
  readonly tags: readonly string[]
  /** The tags that it did not have before. */
  readonly addedTags: readonly string[]
}

export interface UnchangedPart {
  readonly name: string
  readonly title: string
  readonly state: PartState
  /** Whether the text of the source has changed since. */
  readonly hasChanged: boolean
  /** The part of the request that could not be done. */
  readonly note?: string
}

export interface PartUpdate {
  readonly moves: readonly Move[]
  readonly writes: readonly Write[]
  readonly rename: Move
  readonly updated: UpdatedPart
}

export interface UpdateOptions {
  readonly parts: readonly ContextPart[]
  /** If absent, the part keeps its rank. */
  readonly rank: string | undefined
  /** Number of the change: the previous version of the file is stored under it. */
  readonly number: string
}

/** Undefined if nothing changes. New tags are added to the existing ones. */
export function planPartUpdate(
  existing: ExistingPart,
  piece: PickedPiece,
  options: UpdateOptions,
): PartUpdate | undefined {
  const { part, provenance } = existing
  const rank = options.rank ?? part.rank
  const added = findNewTags(existing, piece)
  const moves = planRankChange(options.parts, part, rank)
  if (moves.length === 0 && added.length === 0) return undefined
  const to = buildPartPath(part, { rank })
  const tags = [...provenance.tags, ...added]
  const isRewritten = added.length > 0
  return {
    moves: isRewritten ? planRemoval([part], options.number) : moves,
    writes: isRewritten ? [{ path: to, text: replaceTags(existing.text, tags) }] : [],
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

export function describeUnchanged(
  existing: ExistingPart,
  piece: PickedPiece,
  isLinked: boolean,
): UnchangedPart {
  const { name, state } = existing.part
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
    hasChanged: state !== 'linked' && existing.body.trimEnd() !== piece.body.trimEnd(),
    ...(note === undefined ? {} : { note }),
  }
}

/** A link has no comment that could hold them. */
function findNewTags({ part, provenance }: ExistingPart, piece: PickedPiece): readonly string[] {
  if (part.state === 'linked') return []
  return piece.provenance.tags.filter((it) => !provenance.tags.includes(it))
}
