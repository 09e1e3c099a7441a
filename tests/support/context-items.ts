/** Items of a context pack, made up. */
import type { ContextItem } from '../../src/model/context-pack.ts'

export const PARSE = 'scip:dossier . . . src/`a.ts`/Parser#parse().'
export const MAIN = 'scip:dossier . . . src/`main.ts`/main().'

export function item(changes: Partial<ContextItem> = {}): ContextItem {
  return {
    kind: 'symbol',
    symbolId: PARSE,
    chunkUid: 'xxh64:0000000000000001',
    fileRelPath: 'src/a.ts',
    range: { start: 100, end: 160 },
    lines: { start: 10, end: 12 },
    languageId: 'typescript',
    title: 'parse(text: string): Tree',
    excerpt: shown('  parse(text: string): Tree {\n    return tree(text)\n  }', [[10, 12]]),
    scores: { seedScore: 0.5, graphDistance: 1, evidenceScore: 0.9, hybridScore: 0.54 },
    why: {
      rule: 'call-neighbor',
      path: [{ edgeType: 'call', from: MAIN, to: PARSE, evidenceId: 'ev:1' }],
      evidence: [
        {
          kind: 'callsite',
          evidenceId: 'ev:1',
          confidence: 0.9,
          fileRelPath: 'src/main.ts',
          line: 7,
        },
      ],
      reasons: [],
    },
    ...changes,
  }
}

export function shown(
  text: string,
  lines: readonly (readonly [number, number])[],
  level: ContextItem['excerpt']['level'] = 'whole',
): ContextItem['excerpt'] {
  const parts = lines.map(([start, end]) => ({
    range: { start: 0, end: 0 },
    lines: { start, end },
  }))
  return { text, level, parts, truncated: false }
}
