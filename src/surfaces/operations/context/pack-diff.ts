import { counted } from '../../../base/text.ts'
import { type DiffItem, diffPacks, type PackDiff } from '../../../packs/context/pack-diff.ts'
import type { Difference } from '../../../packs/context/value-differences.ts'
import { packNamed } from '../../../packs/read-input.ts'
import { z } from '../../../platform/schema.ts'
import { formatDifference } from '../format-values.ts'
import { indexDirInput } from '../index/repository-input.ts'
import { optional, required } from '../input.ts'
import { operation, type Paint } from '../operation.ts'

export const packDiff = operation({
  name: 'pack diff',
  examples: [
    { command: 'dossier pack diff before.json after.json', purpose: 'files of --json' },
    {
      command: 'dossier pack diff 0123456789ab after.json',
      purpose: 'a stored pack, by a prefix of its id, and a file',
    },
  ],
  input: z.strictObject({
    before: required(
      z.string().check(z.minLength(1)),
      'A file written with --json, - for standard input, or the id of a stored pack.',
    ),
    after: required(z.string().check(z.minLength(1)), 'The pack to compare with.'),
    repo: optional(
      z.string().check(z.minLength(1)),
      'Repository with the stored packs (default: the current one).',
    ),
    ...indexDirInput,
  }),
  positional: ['before', 'after'],
  async run(world, { before, after, repo: path }) {
    const old = await packNamed(world, { name: before, path })
    return diffPacks(old, await packNamed(world, { name: after, path }))
  },
  text: diffText,
  succeeded: () => true,
})

function diffText(diff: PackDiff, paint: Paint): string {
  if (diff.isEqual) return 'equal: the same canonical form\n'
  const { before, after, isOtherIndex, request } = diff
  const sizes = [before, after].map((it) => `${counted(it.items, 'item')}, ${it.tokens} tokens`)
  const lines = [
    `${paint.strong(before.packId.slice(0, SHORT))} ${sizes[0]} → ${paint.strong(after.packId.slice(0, SHORT))} ${sizes[1]}`,
    ...(isOtherIndex ? [`  index ${short(before)} → ${short(after)}`] : []),
    ...request.map((it) => `  request ${formatDifference(it)}`),
    ...block(
      'entered',
      diff.entered.map((it) => [`+ ${nameOf(it)}`, it.why]),
      paint,
    ),
    ...block(
      'left',
      diff.left.map((it) => [`- ${nameOf(it)}`, it.why]),
      paint,
    ),
    ...block(
      'moved',
      diff.moved.map((it) => [
        `~ ${nameOf(it)}: ${it.from.section} ${it.from.rank} → ${it.section} ${it.rank}`,
        scoreLines(it.scores, paint),
      ]),
      paint,
    ),
    ...block(
      'shown otherwise',
      diff.shown.map((it) => [
        `~ ${nameOf(it)}: ${it.from.level === it.level ? 'another text' : `${it.from.level} → ${it.level}`}`,
        scoreLines(it.scores, paint),
      ]),
      paint,
    ),
  ]
  return `${lines.join('\n')}\n`
}

const SHORT = 12

function short({ indexSignature }: { readonly indexSignature: string }): string {
  return indexSignature.slice(indexSignature.indexOf(':') + 1).slice(0, SHORT)
}

type Entry = readonly [head: string, details: readonly string[]]

function block(title: string, entries: readonly Entry[], paint: Paint): readonly string[] {
  if (entries.length === 0) return []
  return [
    `${title}: ${entries.length}`,
    ...entries.flatMap(([head, details]) => [
      `  ${head}`,
      ...details.map((it) => paint.faint(`      ${it}`)),
    ]),
  ]
}

function nameOf({ fileRelPath, lines, title, section }: DiffItem): string {
  return `${fileRelPath}:${lines.start}-${lines.end} ${title} (${section})`
}

const FEW = 4

function scoreLines(scores: readonly Difference[], paint: Paint): readonly string[] {
  return (paint.isVerbose ? scores : scores.slice(0, FEW)).map(formatDifference)
}
