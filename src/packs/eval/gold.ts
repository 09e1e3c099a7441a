/** What a commit changed, as it stood before: files, lines, and how many tokens these have. */
import { isTestPath } from '../../base/test-paths.ts'
import type { CodeIndexReader } from '../../model/code-index.ts'
import type { CountTokens } from '../../model/tokens.ts'
import type { Git } from '../../platform/git.ts'
import { MAX_FILE_BYTES } from '../../sources/classify.ts'
import { changedLines, linesOf, splitLines } from './changed-lines.ts'
import type { GoldLine } from './judge.ts'
import type { RawChange } from './raw-changes.ts'

export const GOLD_KINDS = ['code', 'tests', 'docs'] as const
export type GoldKind = (typeof GOLD_KINDS)[number]

export interface GoldFile {
  readonly path: string
  readonly kind: GoldKind
  /** Weighed by their tokens. */
  readonly lines: readonly GoldLine[]
}

export interface GoldInput {
  readonly git: Git
  /** Of the commit's parent. */
  readonly index: CodeIndexReader
  readonly count: CountTokens
}

/** Of the files that the index has; by path. */
export async function goldOf(
  { git, index, count }: GoldInput,
  changes: readonly RawChange[],
): Promise<readonly GoldFile[]> {
  const indexed = new Set(
    (await index.files(changes.map((it) => it.oldPath))).map((file) => file.path),
  )
  const known = changes.filter((it) => indexed.has(it.oldPath))
  const texts: (string | undefined)[] = []
  await git.objects(
    known.map((it) => it.oldBlob),
    MAX_FILE_BYTES,
    (at, bytes) => {
      texts[at] = bytes === undefined ? undefined : new TextDecoder().decode(bytes)
    },
  )
  const files: GoldFile[] = []
  for (const [at, change] of known.entries()) {
    const lines = splitLines(texts[at] ?? '')
    const numbers = await changedIn(git, change, lines.length)
    const path = change.oldPath
    const weighed = numbers.map((line) => ({
      path,
      line,
      weight: count(`${lines[line - 1] ?? ''}\n`),
    }))
    if (weighed.length > 0) files.push({ path, kind: kindOf(path), lines: weighed })
  }
  return files
}

async function changedIn(
  git: Git,
  { status, oldBlob, newBlob }: RawChange,
  lineCount: number,
): Promise<readonly number[]> {
  if (status === 'D') return linesOf([{ start: 1, end: lineCount }])
  if (oldBlob === newBlob) return []
  const diff = await git.text([...DIFF, oldBlob, newBlob])
  return linesOf(changedLines(diff, lineCount))
}

/** Said in full, as each of these can be set otherwise by somebody. */
const DIFF = [
  'diff',
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
  '--diff-algorithm=myers',
  '--indent-heuristic',
  '--unified=0',
  '--inter-hunk-context=0',
]

const PROSE = /\.(?:md|mdx|markdown|rst|adoc|asciidoc|org|tex|txt)$/i

/** Text about a test is text. */
function kindOf(path: string): GoldKind {
  if (PROSE.test(path)) return 'docs'
  return isTestPath(path) ? 'tests' : 'code'
}
