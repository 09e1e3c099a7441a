import { type PackVerification, verifyPack } from '../../../packs/context/pack-verify.ts'
import { packNamed } from '../../../packs/read-input.ts'
import { z } from '../../../platform/schema.ts'
import { formatDifference } from '../format-values.ts'
import { indexDirInput, repositoryInput } from '../index/repository-input.ts'
import { required } from '../input.ts'
import { operation, type Paint } from '../operation.ts'

export const packVerify = operation({
  name: 'pack verify',
  examples: [
    { command: 'dossier pack verify after.json', purpose: 'a file of --format json' },
    { command: 'dossier pack verify - . < after.json', purpose: 'from standard input' },
  ],
  input: z.strictObject({
    file: required(
      z.string().check(z.minLength(1)),
      'A pack as JSON: a file written with --format json or --json, - for standard input, or the id of a stored pack.',
    ),
    ...repositoryInput,
    ...indexDirInput,
  }),
  positional: ['file', 'path'],
  async run(world, { file, path }) {
    return verifyPack(world, { pack: await packNamed(world, { name: file, path }), path })
  },
  text: verificationText,
  succeeded: (it) => it.verdict === 'equal',
})

function verificationText(it: PackVerification, paint: Paint): string {
  const { verdict, packId, bytes, differences } = it
  const details = differences.map((each) => `  ${formatDifference(each)}`)
  const heads = {
    equal: `${paint.good('equal')} ${packId}\n  ${bytes} bytes of canonical form, rebuilt`,
    stale: `${paint.bad('stale')} ${packId}\n  the index is ${it.presentIndex}, but the pack was built from ${it.packIndex}`,
    different: `${paint.bad('different')} ${packId}\n  what the pack says → what is made now`,
  }
  return `${[heads[verdict], ...details, ...indexLines(it, paint)].join('\n')}\n`
}

const MAX_NAMED = 5

/** Against what it was verified, and whether the files still say the same. */
function indexLines({ presentIndex, age }: PackVerification, paint: Paint): readonly string[] {
  const { builtAt, changed } = age
  const short = presentIndex.slice(0, SHORT)
  const shown = paint.isVerbose ? changed : changed.slice(0, MAX_NAMED)
  const rest = changed.length - shown.length
  const names = [...shown, ...(rest > 0 ? [`and ${rest} more`] : [])].join(', ')
  return [
    `  against the index ${short} of ${builtAt}`,
    changed.length === 0
      ? '  no file has changed since'
      : `  changed since, which \`dossier index\` would take in: ${names}`,
  ]
}

/** Digits of a signature, as packs print it. */
const SHORT = 12
