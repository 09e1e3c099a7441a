/** What a pack says of how it was made: what was understood, what scores are made of, what was left out. */
import type { Candidate } from '../../model/candidate.ts'
import type { ExplainEnvelope, TermsOfItems } from '../../model/context-pack.ts'
import type { ScoreTerm } from '../../model/search.ts'
import { rounded } from '../../score/context-score.ts'
import type { Dropped } from './drop-candidates.ts'
import type { Findings } from './findings.ts'
import { type Shown, titleOf } from './pack-item.ts'

/** How many it names of what was left out. */
const MOST_LEFT_OUT = 25

/** In the order of the candidates, whatever the reason. */
function bestFirst(out: readonly Dropped[], candidates: readonly Candidate[]): readonly Dropped[] {
  const left = new Map(out.map((it) => [it.candidate, it]))
  return candidates.flatMap((it) => left.get(it) ?? []).slice(0, MOST_LEFT_OUT)
}

function termsOf(
  chosen: readonly Shown[],
  terms: (candidate: Candidate) => readonly ScoreTerm[],
): TermsOfItems {
  const found = chosen.map(({ candidate }) => {
    const own = terms(candidate).map(({ name, value }) => ({ name, value: rounded(value) }))
    return [candidate.chunk.uid, own] as const
  })
  return Object.fromEntries(found.filter(([, own]) => own.length > 0))
}

export function explainPack(
  { query, walked, request, candidates }: Findings,
  { chosen, dropped }: { readonly chosen: readonly Shown[]; readonly dropped: readonly Dropped[] },
  over: readonly Dropped[],
): ExplainEnvelope {
  const gaps =
    request.strictness === 'warn' && request.expansion.requireEvidence
      ? chosen.flatMap(({ candidate }) =>
          candidate.steps.flatMap((it, step) =>
            it.isSupported ? [] : [{ chunkUid: candidate.chunk.uid, step }],
          ),
        )
      : []
  return {
    query: {
      words: query.words.map((it) => it.word),
      identifiers: query.identifiers,
      paths: query.places.map(({ path, line }) => (line === 0 ? path : `${path}:${line}`)),
      phrases: query.phrases,
    },
    terms: termsOf(chosen, (it) => it.terms),
    seedTerms: termsOf(chosen, (it) => it.seedTerms),
    evidenceGaps: gaps,
    leftOut: bestFirst([...over, ...dropped], candidates).map(({ candidate, reason, of }) => ({
      chunkUid: candidate.chunk.uid,
      ...(candidate.chunk.symbol === '' ? {} : { symbolId: candidate.chunk.symbol }),
      fileRelPath: candidate.chunk.path,
      lines: { start: candidate.chunk.startLine, end: candidate.chunk.endLine },
      title: reason === 'secret' ? 'credentials' : titleOf(candidate.chunk),
      reason,
      ...(of === undefined ? {} : { of }),
    })),
    notes: [
      ...(candidates.length === 0 && request.diff === undefined
        ? ['no word of the query is in the index']
        : []),
      // Around a question there is always more; that a list of callers is cut matters.
      ...(walked.isCut && request.intent === 'impact'
        ? ['the graph walk stopped at its limit']
        : []),
    ],
  }
}
