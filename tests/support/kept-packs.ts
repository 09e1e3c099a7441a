/** Packs to keep: whole and valid, of any size, without an index behind them. */
import type { ContextItem, ContextPack } from '../../src/model/context-pack.ts'
import { packIdOf } from '../../src/packs/context/pack-id.ts'
import { packRequest } from '../../src/packs/context/pack-request.ts'

export interface PackSketch {
  readonly query: string
  readonly signature?: string
  /** The text of its only item. */
  readonly text?: string
}

export function sketchedPack({
  query,
  signature = 'sig-1',
  text = 'one',
}: PackSketch): ContextPack {
  const identity = { repoId: 'harbor', indexRoot: '/nowhere', indexSignature: signature }
  const request = packRequest({ query }, identity)
  return {
    formatVersion: 1,
    schema: 'ContextPack',
    schemaVersion: '1.0.0',
    indexSignature: signature,
    packId: packIdOf(request),
    createdAt: '2020-01-01T00:00:00.000Z',
    request,
    budgets: { ...request.budgets, clamped: [] },
    confidence: { level: 'high', likelihood: 1, unknown: [] },
    seeds: [],
    sections: [{ type: 'seeds', title: 'Seeds', items: [sketchedItem({}, text)], omitted: [] }],
    relations: [],
    pointers: [],
    stats: {
      itemsPerSection: { seeds: 1 },
      dropped: { budget: 0, noEvidence: 0, duplicate: 0, unsupported: 0, secret: 0 },
      maxHop: 0,
      candidates: 1,
      edgesWalked: 0,
      tokens: 10,
      chars: 40,
      timings: { seeds: 1.5 },
    },
  }
}

export function sketchedItem(changes: Partial<ContextItem>, text = 'one'): ContextItem {
  return {
    kind: 'chunk',
    chunkUid: 'xxh64:0000000000000001',
    fileRelPath: 'src/a.ts',
    range: { start: 0, end: text.length },
    lines: { start: 1, end: 1 },
    languageId: 'typescript',
    title: 'one',
    excerpt: {
      text,
      level: 'whole',
      parts: [{ range: { start: 0, end: text.length }, lines: { start: 1, end: 1 } }],
      truncated: false,
    },
    scores: { seedScore: 1, graphDistance: 0, evidenceScore: 1, hybridScore: 1 },
    why: { rule: 'seed', path: [], evidence: [], reasons: [] },
    ...changes,
  }
}
