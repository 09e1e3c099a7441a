import { lastPart } from '../../../base/paths.ts'
import { EngineError } from '../../../model/engine-error.ts'
import {
  type AskAnswer,
  askEvidence,
  type MissingChunk,
} from '../../../packs/evidence/ask-evidence.ts'
import { type ChangeSize, measureChange } from '../../../packs/evidence/change-size.ts'
import { noticeRedacted } from '../../../packs/redact-output.ts'
import { z } from '../../../platform/schema.ts'
import { indexDirInput } from '../index/repository-input.ts'
import { optional, required, withDefault } from '../input.ts'
import { operation, type Paint } from '../operation.ts'
import { revealInput, withReveal } from '../reveal-input.ts'
import { budgetInput, flowInput, openFlow, renderChangeSize } from './flow-input.ts'

export const ask = operation({
  name: 'ask',
  examples: [
    {
      command: 'dossier ask "What evidence covers the token budget?"',
      purpose: 'ranked, with lines',
    },
    { command: 'dossier ask "What\'s missing for the title path?"', purpose: 'by the code index' },
    { command: 'dossier ask "What evidence is redundant?"', purpose: 'pieces that say the same' },
    { command: 'dossier ask --missing "title path" --add 1', purpose: 'and take the best one in' },
  ],
  input: z.strictObject({
    question: withDefault(z.string(), '', 'In plain words, or the topic where the kind is given.'),
    covers: withDefault(z.boolean(), false, 'Find evidence about the topic.'),
    missing: withDefault(
      z.boolean(),
      false,
      'Find code of the repository about the topic that is not in evidence.',
    ),
    redundant: withDefault(z.boolean(), false, 'Find evidence that repeats other evidence.'),
    add: optional(z.int().check(z.positive()), 'With --missing: add this many of the best.'),
    limit: withDefault(
      z.int().check(z.positive(), z.maximum(100)),
      10,
      'Maximum number of results.',
    ),
    ...revealInput,
    ...flowInput,
    ...budgetInput,
    ...indexDirInput,
  }),
  positional: ['question'],
  tool: 'ask_evidence',
  toolWhen: 'flow',
  toolInputs: ['question', 'limit'],
  toolShape: {
    question: required(
      z.string(),
      'In plain words: what evidence covers a topic, what is missing for it, or what is redundant.',
    ),
  },
  async run(world, { question, add, limit, budget, reveal, ...input }): Promise<SizedAnswer> {
    const flow = openFlow(world, input)
    const wish = { question, kind: chooseKind(input), limit, add }
    const answer = await askEvidence(withReveal(world, reveal), flow, wish)
    if (answer.kind === 'covers') noticeRedacted(world, answer.redacted)
    if (answer.kind !== 'missing' || answer.added === undefined) return answer
    const paths = answer.added.added.map((it) => it.part.path)
    return { ...answer, size: await measureChange(world, flow, { budget, paths }) }
  },
  text: renderAnswer,
  // That nothing is redundant is good news.
  succeeded: (answer) => answer.kind === 'redundant' || countResults(answer) > 0,
})

/** With the size of the context where something was added. */
type SizedAnswer = AskAnswer & { readonly size?: ChangeSize }

interface KindFlags {
  readonly covers: boolean
  readonly missing: boolean
  readonly redundant: boolean
}

function chooseKind(given: KindFlags): AskAnswer['kind'] | undefined {
  const kinds = (['covers', 'missing', 'redundant'] as const).filter((it) => given[it])
  if (kinds.length <= 1) return kinds[0]
  throw new EngineError('POC_E_REQUEST_INVALID', `${kinds.join(' and ')} cannot be combined`, {
    hint: 'ask one question at a time',
  })
}

function countResults(answer: AskAnswer): number {
  if (answer.kind === 'covers') return answer.covers.length
  return answer.kind === 'missing' ? answer.missing.length : answer.redundant.length
}

function renderAnswer(answer: SizedAnswer, paint: Paint): string {
  const topic = JSON.stringify(answer.topic)
  if (answer.kind === 'covers') {
    if (answer.covers.length === 0) return `no evidence covers ${topic}\n`
    return answer.covers
      .map(({ path, title, state, lines }) =>
        [
          `${paint.strong(lastPart(path))} ${paint.faint(title)}${state === 'skipped' ? ' (skipped)' : ''}`,
          ...lines.map((it) => `  ${String(it.line).padStart(5)}  ${it.text.slice(0, MAX_SHOWN)}`),
        ].join('\n'),
      )
      .join('\n')
      .concat('\n')
  }
  if (answer.kind === 'redundant') {
    if (answer.redundant.length === 0) return 'no evidence repeats other evidence\n'
    return answer.redundant
      .map(({ name, of, share, lines }) => {
        const where =
          lines === undefined
            ? ''
            : `; lines ${formatLines(lines.first, lines.count)} are lines ${formatLines(lines.second, lines.count)} there`
        return `${paint.strong(name)}: ${Math.round(share * 100)} % is in ${paint.strong(of)}${where}\n`
      })
      .join('')
  }
  if (answer.missing.length === 0) return `nothing more in the repository is about ${topic}\n`
  const added = answer.added?.added.map(
    (it) => `${paint.good('✓')} Added evidence: ${lastPart(it.part.path)}\n`,
  )
  const size = answer.size === undefined ? [] : renderChangeSize(answer.size).map((it) => `${it}\n`)
  return [...answer.missing.map((it) => renderMissing(it, paint)), ...(added ?? []), ...size].join(
    '',
  )
}

const MAX_SHOWN = 120

function renderMissing({ selector, name, reasons }: MissingChunk, paint: Paint): string {
  const why = reasons.length === 0 ? '' : paint.faint(`  ${reasons.slice(0, 2).join('; ')}`)
  return `${paint.strong(selector)}  ${name}${why}\n`
}

function formatLines(first: number, count: number): string {
  return count === 1 ? String(first) : `${first}–${first + count - 1}`
}
