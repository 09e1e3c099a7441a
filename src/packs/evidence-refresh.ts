/** Evidence and where it came from, compared: what has changed since, and the evidence brought up to date. */
import { join, resolve } from 'node:path'
import { lineDiff } from '../base/line-diff.ts'
import { evidenceText, fileAddress, readEvidence, unescaped } from '../evidence/evidence-text.ts'
import { changeFlow, settled } from '../evidence/history.ts'
import { partsOf } from '../evidence/parts.ts'
import { removed } from '../evidence/plans.ts'
import { rangeOf } from '../evidence/span.ts'
import { partsMeant } from '../evidence/targets.ts'
import { unifiedDiff } from '../format/unified-diff.ts'
import { EngineError } from '../model/engine-error.ts'
import type { ContextPart, Flow, Provenance } from '../model/evidence.ts'
import type { World } from '../platform/world.ts'
import { type Picked, picked, pickFile } from './evidence-sources.ts'

export interface Freshness {
  readonly name: string
  readonly path: string
  /** `written`: by a person, so it has no source. `linked`: always as its source is. */
  readonly status: 'same' | 'changed' | 'gone' | 'written' | 'linked'
  /** From what the evidence says to what the source says now; empty where that is the same text. */
  readonly diff: string
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
  await settled(world, flow)
  const looked = await lookAt(world, flow, wish)
  return looked.map((it) => it.freshness)
}

/** The former files are kept aside, so that it can be undone. */
export async function refreshEvidence(
  world: World,
  flow: Flow,
  wish: RefreshWish,
): Promise<readonly Freshness[]> {
  await settled(world, flow)
  const looked = await lookAt(world, flow, wish)
  const changed = looked.filter((it) => it.freshness.status === 'changed' && it.now !== undefined)
  return changeFlow(world, flow, (number) => {
    const there = new Set(partsOf(world.files, flow).parts.map((it) => it.path))
    const stale = changed.filter((it) => there.has(it.part.path))
    const change = {
      what: ['refresh', ...wish.targets].join(' '),
      moves: removed(
        stale.map((it) => it.part),
        number,
      ),
      writes: stale.flatMap(({ part, now }) =>
        now === undefined ? [] : [{ path: part.path, text: evidenceText(now) }],
      ),
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
  const { parts } = partsOf(world.files, flow)
  const evidence = parts.filter((it) => it.role === 'evidence')
  const meant =
    wish.targets.length === 0
      ? evidence
      : [...new Set(wish.targets.flatMap((target) => partsMeant(evidence, target)))]
  const looked: Looked[] = []
  for (const part of meant) looked.push(await lookAtPart(world, { flow, ...wish }, part))
  return looked
}

type From = { readonly flow: Flow } & Pick<RefreshWish, 'workspace'>

async function lookAtPart(world: World, from: From, part: ContextPart): Promise<Looked> {
  const { name, path } = part
  const said = (status: Freshness['status'], diff = ''): Looked => ({
    part,
    freshness: { name, path, status, diff },
    now: undefined,
  })
  if (part.state === 'linked') return said('linked')
  const text = new TextDecoder().decode(world.files.read(join(from.flow.folder, path)))
  const { provenance, body, rest } = readEvidence(text)
  if (provenance === undefined) return said('written')
  let now: Picked
  try {
    now = await pickedAgain(world, from, provenance)
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    return {
      part,
      freshness: { name, path, status: 'gone', diff: '', trouble: error.message },
      now: undefined,
    }
  }
  const before = linesOf(body ?? rest)
  const after = linesOf(now.body)
  const diff = unifiedDiff(lineDiff(before, after))
  const isSame = diff === '' && now.provenance.cid === provenance.cid
  return { ...said(isSame ? 'same' : 'changed', diff), now }
}

/** By the same way that it was picked: a symbol is looked for by its name, not by its former lines. */
async function pickedAgain(world: World, from: From, provenance: Provenance): Promise<Picked> {
  const { sourceUri, span, tags } = provenance
  const address = fileAddress(sourceUri)
  const selector =
    address === undefined
      ? unescaped(sourceUri)
      : address.part === undefined
        ? undefined
        : address.part.replace('=', ':')
  if (selector === undefined) {
    const path = resolve(from.flow.root, address?.path ?? '')
    return readable(path, () => pickFile(world, from.flow, { path, range: rangeOf(span), tags }))
  }
  const [first] = await picked(world, from, selector)
  if (first === undefined) throw gone(selector)
  return { ...first, provenance: { ...first.provenance, tags } }
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
  return new EngineError('POC_E_READ_FAILED', `${what} is no longer there`, {
    hint: 'remove the evidence, or bring its source back',
    cause,
  })
}

/** A text without a newline at its end has got one in its fence. */
function linesOf(text: string): readonly string[] {
  const whole = text.endsWith('\n') ? text.slice(0, -1) : text
  return whole === '' ? [] : whole.split('\n')
}
