/** How `ctx build` and `ctx sync` say what they did. */
import { counted } from '../../../base/text.ts'
import type { ChunksIn } from '../../../model/docs-pack.ts'
import type { BuildReport } from '../../../packs/docs/docs-pack.ts'
import type { Paint } from '../operation.ts'

export interface BuildOutput {
  readonly pack: string
  readonly database: string
  readonly written: boolean
  readonly dryRun: boolean
  readonly documents: number
  readonly chunks: number
  readonly chunksIn: ChunksIn
  readonly added: readonly string[]
  readonly changed: readonly string[]
  readonly removed: readonly string[]
  readonly repaired: readonly string[]
  readonly digest: BuildReport['digest']
  readonly diagnostics: BuildReport['diagnostics']
}

export function createBuildOutput(report: BuildReport, dryRun: boolean): BuildOutput {
  const { segment, ...rest } = report
  return { pack: segment.pack, database: segment.database, dryRun, ...rest }
}

const MAX_NAMED = 5

export function renderBuild(output: BuildOutput, paint: Paint): string {
  const what = `${counted(output.chunks, 'chunk')} from ${counted(output.documents, 'document')}`
  const changes = (['added', 'changed', 'removed'] as const)
    .filter((kind) => output[kind].length > 0 && output[kind].length < output.documents)
    .map((kind) => `  ${kind}: ${formatPaths(output[kind], paint)}`)
  const repair = output.written ? 'repaired' : 'would repair'
  const repairs = output.repaired.map((it) => `  ${repair}: ${it}`)
  const diagnostics = output.diagnostics.map((it) => `  ${it.path}: ${it.message} (${it.code})`)
  const lines = output.written
    ? [`${paint.good('written')} ${what}`, `  ${output.pack}`, `  ${output.database}`]
    : output.dryRun && output.added.length + output.changed.length + output.removed.length > 0
      ? [`would write ${what}`, `  ${output.pack}`, `  ${output.database}`]
      : [`${paint.good('up to date')} ${what}`]
  const trouble =
    diagnostics.length === 0 ? [] : [paint.bad('left out or repaired:'), ...diagnostics]
  const digest = paint.isVerbose ? renderDigest(output) : []
  return [...lines, ...repairs, ...changes, ...trouble, ...digest, ''].join('\n')
}

/** Without the digest: a program finds it in the pack. */
export function createBuildJson(output: BuildOutput): unknown {
  return { ...output, digest: undefined }
}

function renderDigest({ digest }: BuildOutput): readonly string[] {
  if (digest.length === 0) return []
  return ['', '[verbose] Digest entries:', ...digest.map((it) => `  - ${it.doc}: ${it.summary}`)]
}

function formatPaths(paths: readonly string[], paint: Paint): string {
  const most = paint.isVerbose ? paths.length : MAX_NAMED
  const more = paths.length - most
  return paths.slice(0, most).join(', ') + (more > 0 ? ` and ${more} more` : '')
}
