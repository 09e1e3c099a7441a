/**
 * What is asked of a corpus: messages of commits to the repositories in it where such data is
 * given, else what the code itself says: a name and the words of a comment. The same for the same
 * corpus.
 */
import type { CodeIndexReader, StoredChunk } from '../../src/model/code-index.ts'
import { readTasks } from '../quality/packs/tasks.ts'

export function commitMessages(data: string, checkouts: readonly string[]): readonly string[] {
  const repos = new Set(checkouts.map((it) => it.replace('__', '/')))
  const tasks = (readTasks(data, 'commit') ?? []).filter((it) => repos.has(it.repo))
  return tasks.flatMap((it) => it.queries.get('raw') ?? [])
}

const LOOKED_AT = 2000

/** Of so many chunks, evenly spread over the index. */
export async function fromTheCode(
  index: CodeIndexReader,
  count: number,
): Promise<readonly string[]> {
  const { firstHandles, chunkCounts } = await index.layout()
  const all = Array.from(chunkCounts, (own, file) =>
    Array.from({ length: own }, (_, at) => (firstHandles[file] ?? 0) + at),
  ).flat()
  const handles = Uint32Array.from(evenly(all, LOOKED_AT))
  const places = await index.chunkRanges(handles)
  const chunks = await index.chunks(places.map((it) => it.uid))
  const questions = [...new Set(chunks.map(questionOf))].filter((it) => it.includes(' '))
  return evenly(questions, count)
}

/** Of a list in its order, so many at equal distances. */
export function evenly<T>(list: readonly T[], count: number): readonly T[] {
  if (list.length <= count) return list
  return list.filter(
    (_, at) =>
      Math.floor((at * count) / list.length) !== Math.floor(((at - 1) * count) / list.length),
  )
}

const MOST_WORDS = 14

function questionOf({ name, text }: StoredChunk): string {
  const comments = text
    .split('\n')
    .flatMap((line) => /^\s*(?:\/\/|#|\*)\s*(.+)$/.exec(line)?.[1] ?? [])
  const longest = comments.reduce((best, it) => (it.length > best.length ? it : best), '')
  return [name, ...longest.split(/\s+/).slice(0, MOST_WORDS)].join(' ').trim()
}
