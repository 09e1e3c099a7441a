/** What stands around a seed in its file. */
import { describe, expect, test } from 'vitest'
import type { Neighbour } from '../../src/model/candidate.ts'
import { collectSameFileChunks } from '../../src/traverse/same-file.ts'
import { chunksIn, fileOf, memoryIndex } from '../support/graph-index.ts'

describe('TR7 chunks of the same file', () => {
  const graph = { files: [fileOf(0, ['own', 'plain', 'own', 'own', 'own', 'plain'])], resolved: [] }
  const chunks = chunksIn(graph)
  const at = (...numbers: readonly number[]) => numbers.flatMap((it) => chunks[it] ?? [])
  const numberOf = ({ chunk }: Neighbour) => chunks.findIndex((it) => it.uid === chunk.uid)

  test('TR7 the nearest first, the one before it first, and no start among them', async () => {
    const found = await collectSameFileChunks(memoryIndex(graph), at(2), 3)
    expect(found.map((it) => [numberOf(it), it.distance])).toEqual([
      [1, 1],
      [3, 1],
      [0, 2],
    ])
    expect(found.every((it) => it.steps.length === 0 && it.start === 0)).toBe(true)
  })

  test('TR7 each hangs on its nearest start, then on the earliest', async () => {
    const found = await collectSameFileChunks(memoryIndex(graph), at(5, 1, 3), 2)
    expect(found.map((it) => [numberOf(it), it.start])).toEqual([
      [4, 0],
      [0, 1],
      [2, 1],
    ])
  })

  test('TR7 nothing for no starts, no room, or a chunk that is gone', async () => {
    const index = memoryIndex(graph)
    expect(await collectSameFileChunks(index, [], 3)).toEqual([])
    expect(await collectSameFileChunks(index, at(2), 0)).toEqual([])
    const gone = at(2).map((it) => ({ ...it, uid: 'xxh64:gone' }))
    expect(await collectSameFileChunks(index, gone, 3)).toEqual([])
  })
})
