/** Evidence and where it came from, compared: what has changed since, and the evidence brought up to date. */
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
import { keptLines } from './evidence-add.ts'
import { pickedBy, pickFile } from './evidence-sources.ts'
import { lostSource, movedRange } from './moved-range.ts'
import type { Picked } from './picked.ts'
import { loadPart, readPart } from './prompt.ts'
import { unifiedDiff } from './unified-diff.ts'

export interface Freshness {
  readonly name: string
  readonly path: string
  /** `written`: by a person, so it has no source. `linked`: always as its source is. */
  readonly status: 'same' | 'changed' | 'gone' | 'written' | 'linked'
  /** From what the evidence says to what the source says now; empty where that is the same text. */
  readonly diff: string
  /** In how many of its lines likely secrets are redacted. */
  readonly redacted: number
  /** Where the lines were and where they are now, if that is not the same. */
  readonly moved?: { readonly from: string; readonly to: string }
  /** Why the source cannot be read. */
  readonly trouble?: string
}

export interface RefreshWish {
  /** All evidence if empty. */
  readonly targets: readonly string[]
  readonly workspace?: string | undefined
}

export async function freshnessOf(
  world: World,
  flow: Flow,
  wish: RefreshWish,
): Promise<readonly Freshness[]> {
  await finishInterruptedChange(world, flow)
  const looked = await lookAt(world, flow, wish)
  return looked.map((it) => it.freshness)
}

/** The former files are kept aside, so that it can be undone. */
export async function refreshEvidence(
  world: World,
  flow: Flow,
  wish: RefreshWish,
): Promise<readonly Freshness[]> {
  await finishInterruptedChange(world, flow)
  const looked = await lookAt(world, flow, wish)
  const changed = looked.filter((it) => it.freshness.status === 'changed' && it.now !== undefined)
  return changeFlow(world, flow, (number) => {
    const there = new Set(listParts(world.files, flow).parts.map((it) => it.path))
    const stale = changed.filter((it) => there.has(it.part.path))
    const change = {
      what: ['refresh', ...wish.targets].join(' '),
      moves: planRemoval(
        stale.map((it) => it.part),
        number,
      ),
      writes: stale.flatMap(({ part, now }) =>
        now === undefined ? [] : [{ path: part.path, text: renderEvidence(now) }],
      ),
      keeps: keptLines(stale.flatMap((it) => it.now ?? [])),
      // The parts keep their names.
      renames: [],
    }
    return {
      change: stale.length === 0 ? undefined : change,
      result: looked.map((it) => it.freshness),
    }
  })
}

interface Looked {
  readonly part: ContextPart
  readonly freshness: Freshness
  readonly now: Picked | undefined
}

async function lookAt(world: World, flow: Flow, wish: RefreshWish): Promise<readonly Looked[]> {
  const { parts } = listParts(world.files, flow)
  const evidence = parts.filter((it) => it.role === 'evidence')
  const meant =
    wish.targets.length === 0
      ? evidence
      : [...new Set(wish.targets.flatMap((target) => findTargetParts(evidence, target)))]
  const looked: Looked[] = []
  for (const part of meant) looked.push(await lookAtPart(world, { flow, ...wish }, part))
  return looked
}

type From = { readonly flow: Flow } & Pick<RefreshWish, 'workspace'>

async function lookAtPart(world: World, from: From, part: ContextPart): Promise<Looked> {
  const { name, path } = part
  const said = (status: Freshness['status'], diff = '', redacted = 0): Looked => ({
    part,
    freshness: { name, path, status, diff, redacted },
    now: undefined,
  })
  const lost = (error: unknown): Looked => {
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
  let now: Picked
  try {
    now = await pickedAgain(world, from, { title, provenance, body: body ?? rest })
  } catch (error) {
    return lost(error)
  }
  const diff = unifiedDiff(world, splitLines(body ?? rest), splitLines(now.body))
  const isSame = diff.text === '' && now.provenance.cid === provenance.cid
  const status = isSame ? 'same' : 'changed'
  const { freshness } = said(status, diff.text, diff.redactedLines)
  const moved = { from: formatSpan(provenance.span), to: formatSpan(now.provenance.span) }
  return { part, freshness: moved.from === moved.to ? freshness : { ...freshness, moved }, now }
}

interface Former {
  readonly title: string | undefined
  readonly provenance: Provenance
  readonly body: string
}

/** `symbol=…` of a file, or `note:…`. */
const NAMED = /^([a-z]+)[:=](.+)$/s

/** By the same way that it was picked: a symbol is looked for by its name, not by its former lines. */
async function pickedAgain(world: World, from: From, former: Former): Promise<Picked> {
  const { sourceUri, span, tags } = former.provenance
  const address = parseFileUri(sourceUri)
  const [, scheme, name = ''] =
    NAMED.exec(address === undefined ? unescapeUriPart(sourceUri) : (address.part ?? '')) ?? []
  if (!isNamedScheme(scheme)) {
    const path = resolve(from.flow.root, address?.path ?? unescapeUriPart(sourceUri))
    refuseOutsideSource(world, from.flow, path)
    return readable(path, () => {
      const range = movedRange(world, { flow: from.flow, path }, former) ?? spanToRange(span)
      return pickFile(world, from.flow, { path, range, tags })
    })
  }
  // Not by the text of a selector: in a name, what looks like tags is a part of it.
  const again = { ...from, title: former.title }
  const { pieces } = await pickedBy(world, again, { scheme, name, range: undefined, tags: [] })
  const [now] = pieces
  if (now === undefined) throw gone(name)
  return { ...now, provenance: { ...now.provenance, tags } }
}

function readable<T>(path: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof EngineError) throw error
    throw gone(path, error)
  }
}

function gone(what: string, cause?: unknown): EngineError {
  return lostSource(`${what} is no longer there`, cause)
}
