import { validateDocs } from '../../../packs/docs/docs-validate.ts'
import { z } from '../../../platform/schema.ts'
import { operation } from '../operation.ts'
import { PACK_SHORT, packInput, toSegmentRequest } from './segment-input.ts'

const MOST_PROBLEMS = 10

export const ctxValidate = operation({
  name: 'ctx validate',
  examples: [
    { command: 'dossier ctx validate', purpose: 'a table; exit status 1 when stale or broken' },
    { command: 'dossier ctx validate --segment docs --json', purpose: 'for programs' },
  ],
  input: z.strictObject(packInput),
  short: PACK_SHORT,
  run: (world, input) => validateDocs(world, toSegmentRequest(input)),
  text(output, paint) {
    const most = paint.isVerbose ? Number.POSITIVE_INFINITY : MOST_PROBLEMS
    const rows = output.checks.flatMap((it) => [
      `${it.ok ? paint.good('ok  ') : paint.bad('FAIL')}  ${it.name.padEnd(12)} ${it.summary}`,
      ...it.problems.slice(0, most).map((problem) => `        ${problem}`),
      ...(it.problems.length > most ? [`        … and ${it.problems.length - most} more`] : []),
    ])
    const verdict = output.valid
      ? paint.good('The pack is valid.')
      : `${paint.bad('The pack is stale or broken.')} \`${output.advice}\` repairs it.`
    return `${[...rows, verdict].join('\n')}\n`
  },
  succeeded: (output) => output.valid,
})
