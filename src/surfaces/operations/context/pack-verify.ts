import { visible } from '../../../base/visible.ts'
import { type PackVerification, verifyPack } from '../../../packs/context/pack-verify.ts'
import { packNamed } from '../../../packs/read-input.ts'
import { z } from '../../../platform/schema.ts'
import { repositoryInput } from '../index/repository-input.ts'
import { required } from '../input.ts'
import { operation, type Paint } from '../operation.ts'
import { differenceLine } from '../words.ts'

export const packVerify = operation({
  name: 'pack verify',
  examples: [
    { command: 'dossier pack verify after.json', purpose: 'a file of --json' },
    { command: 'dossier pack verify - . < after.json', purpose: 'from standard input' },
  ],
  input: z.strictObject({
    file: required(
      z.string().check(z.minLength(1)),
      'A file of --json, - for standard input, or the id of a kept pack.',
    ),
    ...repositoryInput,
  }),
  positional: ['file', 'path'],
  async run(world, { file, path }) {
    return verifyPack(world, { pack: await packNamed(world, { name: file, path }), path })
  },
  text: (it, paint) => visible(verificationText(it, paint)),
  succeeded: (it) => it.verdict === 'equal',
})

function verificationText(it: PackVerification, paint: Paint): string {
  const { verdict, packId, bytes, differences } = it
  const details = differences.map((each) => `  ${differenceLine(each)}`)
  if (verdict === 'equal')
    return `${paint.good('equal')} ${packId}\n  ${bytes} bytes of canonical form, made again\n`
  const head =
    verdict === 'stale'
      ? `${paint.bad('stale')} ${packId}\n  the index is ${it.presentIndex}, and the pack is of ${it.packIndex}`
      : `${paint.bad('different')} ${packId}\n  what the pack says → what is made now`
  return `${[head, ...details].join('\n')}\n`
}
