/** Compares evidence with its sources, and updates evidence whose source has changed. */
import { resolve } from 'node:path'
import {
  parseEvidence,
  parseFileUri,
  renderEvidence,
  unescapeUriPart,
} from '../../evidence/evidence-text.ts'
import { refuseOutsideSource } from '../../evidence/flow-links.ts'
import { changeFlow, finishInterruptedChange } from '../../evidence/history.ts'
import { listParts } from '../../evidence/parts.ts'
import { planRemoval } from '../../evidence/plans.ts'
import { isNamedScheme } from '../../evidence/selector.ts'
import { splitLines } from '../../evidence/source-lines.ts'
import { formatSpan, spanToRange } from '../../evidence/span.ts'
import { findTargetParts } from '../../evidence/targets.ts'
import { EngineError } from '../../model/engine-error.ts'
import type { ContextPart, Flow, Provenance } from '../../model/evidence.ts'
import type { World } from '../../platform/world.ts'
import { collectSourceLines } from './evidence-add.ts'
import { pickBySelector, pickFile } from './evidence-sources.ts'
import { createLostSourceError, findMovedRange } from './moved-range.ts'
import type { PickedPiece } from './picked-piece.ts'
import { loadPart, readPart } from './prompt.ts'
import { createUnifiedDiff } from './unified-diff.ts'

export interface PartFreshness {
  readonly name: string
  readonly path: string
  /** `written`: by a person, without a source. `linked`: always identical to its source. */
  readonly status: 'same' | 'changed' | 'gone' | 'written' | 'linked'
  /** Diff from the evidence to the current source; empty if they are equal. */
  readonly diff: string
  /** In how many of its lines likely secrets are redacted. */
  readonly redacted: number
  /** Old and new line range, if the lines moved. */
  readonly moved?: { readonly from: string; readonly to: string }
  /** Why the source cannot be read. */
  readonly trouble?: string
}

export interface RefreshRequest {
  /** If empty, all evidence. */
  readonly targets: readonly string[]
  readonly workspace?: string | undefined
}

export async function checkFreshness(
  world: World,
  flow: Flow,
  request: RefreshRequest,
): Promise<readonly PartFreshness[]> {
  await finishInterruptedChange(world, flow)
  const looked = await checkParts(world, flow, request)
  return looked.map((it) => it.freshness)
}

/** The previous files are kept, so that the refresh can be undone. */
export async function refreshEvidence(
  world: World,
  flow: Flow,
  request: RefreshRequest,
): Promise<readonly PartFreshness[]> {
  await finishInterruptedChange(world, flow)
  const looked = await checkParts(world, flow, request)
  const changed = looked.filter((it) => it.freshness.status === 'changed' && it.now !== undefined)
  return changeFlow(world, flow, (number) => {
    const there = new Set(listParts(world.files, flow).parts.map((it) => it.path))
    const stale = changed.filter((it) => there.has(it.part.path))
    const change = {
      what: ['refresh', ...request.targets].join(' '),
      moves: planRemoval(
        stale.map((it) => it.part),
        number,
      ),
      writes: stale.flatMap(({ part, now }) =>
        now === undefined ? [] : [{ path: part.path, text: renderEvidence(now) }],
      ),
      keeps: collectSourceLines(stale.flatMap((it) => it.now ?? [])),
      // The parts keep their names.
      renames: [],
    }
    return {
      change: stale.length === 0 ? undefined : change,
      result: looked.map((it) => it.freshness),
    }
  })
}

interface CheckedPart {
  readonly part: ContextPart
  readonly freshness: PartFreshness
  readonly now: PickedPiece | undefined
}

async function checkParts(
  world: World,
  flow: Flow,
  request: RefreshRequest,
): Promise<readonly CheckedPart[]> {
  const { parts } = listParts(world.files, flow)
  const evidence = parts.filter((it) => it.role === 'evidence')
  const meant =
    request.targets.length === 0
      ? evidence
      : [...new Set(request.targets.flatMap((target) => findTargetParts(evidence, target)))]
  const looked: CheckedPart[] = []
  for (const part of meant) looked.push(await checkPart(world, { flow, ...request }, part))
  return looked
}

type PickSource = { readonly flow: Flow } & Pick<RefreshRequest, 'workspace'>

async function checkPart(world: World, from: PickSource, part: ContextPart): Promise<CheckedPart> {
  const { name, path } = part
  const said = (status: PartFreshness['status'], diff = '', redacted = 0): CheckedPart => ({
    part,
    freshness: { name, path, status, diff, redacted },
    now: undefined,
  })
  const lost = (error: unknown): CheckedPart => {
    if (!(error instanceof EngineError)) throw error
    const { message: trouble } = error
    const { freshness } = said('gone')
    return { part, freshness: { ...freshness, trouble }, now: undefined }
  }
  if (part.state === 'linked') {
    try {
      loadPart(world, from.flow, part)
      return said('linked')
    } catch (error) {
      return lost(error)
    }
  }
  const text = new TextDecoder().decode(readPart(world, from.flow, part))
  const { title, provenance, body, rest } = parseEvidence(text)
  if (provenance === undefined) return said('written')
  let now: PickedPiece
  try {
    now = await pickAgain(world, from, { title, provenance, body: body ?? rest })
  } catch (error) {
    return lost(error)
  }
  const diff = createUnifiedDiff(world, splitLines(body ?? rest), splitLines(now.body))
  const isSame = diff.text === '' && now.provenance.cid === provenance.cid
  const status = isSame ? 'same' : 'changed'
  const { freshness } = said(status, diff.text, diff.redactedLines)
  const moved = { from: formatSpan(provenance.span), to: formatSpan(now.provenance.span) }
  return { part, freshness: moved.from === moved.to ? freshness : { ...freshness, moved }, now }
}

interface StoredEvidence {
  readonly title: string | undefined
  readonly provenance: Provenance
  readonly body: string
}

/** `symbol=…` of a file, or `note:…`. */
const NAMED = /^([a-z]+)[:=](.+)$/s

/** Picks the source the same way as before: a symbol by its name, not by its old lines. */
async function pickAgain(
  world: World,
  from: PickSource,
  stored: StoredEvidence,
): Promise<PickedPiece> {
  const { sourceUri, span, tags } = stored.provenance
  const address = parseFileUri(sourceUri)
  const [, scheme, name = ''] =
    NAMED.exec(address === undefined ? unescapeUriPart(sourceUri) : (address.part ?? '')) ?? []
  if (!isNamedScheme(scheme)) {
    const path = resolve(from.flow.root, address?.path ?? unescapeUriPart(sourceUri))
    refuseOutsideSource(world, from.flow, path)
    return orLostSource(path, () => {
      const range = findMovedRange(world, { flow: from.flow, path }, stored) ?? spanToRange(span)
      return pickFile(world, from.flow, { path, range, tags })
    })
  }
  // Not through selector syntax: a name may contain text that looks like tags.
  const again = { ...from, title: stored.title }
  const { pieces } = await pickBySelector(world, again, {
    scheme,
    name,
    range: undefined,
    tags: [],
  })
  const [now] = pieces
  if (now === undefined) throw createGoneError(name)
  return { ...now, provenance: { ...now.provenance, tags } }
}

function orLostSource<T>(path: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof EngineError) throw error
    throw createGoneError(path, error)
  }
}

function createGoneError(what: string, cause?: unknown): EngineError {
  return createLostSourceError(`${what} no longer exists`, cause)
}
