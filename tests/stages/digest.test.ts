/** Digest and previews: G1–G3, with the origin's known answers as D6 corrects them. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { preview } from '../../src/format/preview.ts'
import { packDocument } from '../../src/packs/docs/pack-document.ts'
import { chooseDigest, scoreChunk } from '../../src/score/digest.ts'
import { runs } from '../support/property.ts'

describe('G1 the score of a chunk', () => {
  test.each([
    ['Core Rules', 2, 5],
    ['Overview', 2, 0],
    ['INTRO', 0, 0],
    ['API Overview', 3, 1],
    ['Commands', 2, 5],
    ['Deep Nested Section', 4, 0],
    ['Introduction', 6, -2],
    // The origin finds `api` in these and gives 3; words count whole here.
    ['Capital', 3, 0],
    ['Therapist', 3, 0],
    ['Scores', 3, 0],
    ['Hardcore', 3, 0],
    ['The API: usage', 3, 3],
    ['the-core', 3, 3],
  ])('G1 %s at level %i scores %i when short', (title, level, score) => {
    expect(scoreChunk(title, level, 'short')).toBe(score)
  })

  test('G1 an opening of 300 characters is no longer short, counted in code points', () => {
    expect(scoreChunk('Overview', 2, 'x'.repeat(299))).toBe(0)
    expect(scoreChunk('Overview', 2, 'x'.repeat(300))).toBe(2)
    expect(scoreChunk('Overview', 2, '🎉'.repeat(299))).toBe(0)
  })

  test('G1 every word of the list counts, whatever its case', () => {
    const relevant = ['core', 'rules', 'workflow', 'commands', 'usage', 'setup', 'api']
    for (const word of [...relevant, 'architecture', 'critical', 'mandatory', 'protocol']) {
      expect(scoreChunk(word.toUpperCase(), 3, '')).toBe(3)
      expect(scoreChunk(`${word}x`, 3, '')).toBe(0)
    }
  })
})

function candidate(
  id: string,
  title: string,
  text: string,
): Parameters<typeof chooseDigest>[0][number] {
  return { id, title_path: [title], heading_level: 2, char_count: [...text].length, text }
}

describe('G2 the digest of a document', () => {
  test('G2 cites the best two, ties in the order of the document', () => {
    const chunks = [
      candidate('a', 'Plain', 'x'),
      candidate('b', 'Usage', 'x'),
      candidate('c', 'Other', 'x'),
      candidate('d', 'Setup', 'x'),
    ]
    expect(chooseDigest(chunks)).toEqual({
      summary: 'Usage | Setup',
      source_chunk_ids: ['b', 'd'],
    })
    expect(chooseDigest(chunks.slice(0, 1)).source_chunk_ids).toEqual(['a'])
  })

  test('G2 passes over what does not fit in 1200 characters, and goes on', () => {
    const chunks = [
      candidate('best', 'Core Rules', 'x'.repeat(1000)),
      candidate('large', 'Usage', 'x'.repeat(201)),
      candidate('small', 'Plain', 'x'.repeat(200)),
    ]
    expect(chooseDigest(chunks).source_chunk_ids).toEqual(['best', 'small'])
  })

  test('G2 names the best but cites nothing where nothing fits', () => {
    const chunks = [
      candidate('a', 'Plain', 'x'.repeat(1201)),
      candidate('b', 'Usage', 'x'.repeat(1300)),
    ]
    expect(chooseDigest(chunks)).toEqual({ summary: 'Usage', source_chunk_ids: [] })
  })

  test('G2 the summary is title paths', () => {
    const path = { ...candidate('a', '', 'x'), title_path: ['Debug', 'Setup'] }
    const intro = { ...candidate('b', '', 'x'), title_path: [], heading_level: 0 }
    expect(chooseDigest([path, intro]).summary).toBe('Debug → Setup | Introduction')
  })

  test('G2 never more than two, never over 1200 characters, always from the document', () => {
    const some = fc.array(fc.tuple(fc.constantFrom('Core', 'Plain', 'Overview'), fc.nat(1500)), {
      minLength: 1,
      maxLength: 8,
    })
    fc.assert(
      fc.property(some, (list) => {
        const chunks = list.map(([title, size], at) => candidate(`c${at}`, title, 'x'.repeat(size)))
        const cited = chooseDigest(chunks).source_chunk_ids
        const sizes = cited.map((id) => chunks.find((it) => it.id === id)?.char_count ?? Infinity)
        expect(cited.length).toBeLessThanOrEqual(2)
        expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(1200)
        const isRoom = chunks.some((it) => it.char_count <= 1200)
        expect(cited.length > 0).toBe(isRoom)
      }),
      runs(300),
    )
  })
})

describe('G3 previews', () => {
  test('G3 one line, white space collapsed', () => {
    expect(preview('## Commands\n\n- pytest -v\n- ruff check\n')).toBe(
      '## Commands - pytest -v - ruff check',
    )
  })

  test('G3 the first 180 code points, and a mark where there are more', () => {
    expect(preview('x'.repeat(180))).toBe('x'.repeat(180))
    expect(preview('x'.repeat(181))).toBe(`${'x'.repeat(180)}…`)
    expect(preview('🎉'.repeat(181))).toBe(`${'🎉'.repeat(180)}…`)
  })

  test('G3 what the simplest implementation gives, for any text', () => {
    const text = fc.string({ unit: fc.constantFrom('a', ' ', '\n', '🎉', '\t'), maxLength: 1500 })
    fc.assert(
      fc.property(text, (it) => {
        const line = [...it.trim().replace(/\s+/g, ' ')]
        const expected = line.slice(0, 180).join('') + (line.length > 180 ? '…' : '')
        expect(preview(it)).toBe(expected)
      }),
      runs(300),
    )
  })

  test('G3 of the body, not of the heading', () => {
    expect(packed('# Title\n\nThe body.\n').index[0]?.preview).toBe('The body.')
  })
})

describe('K4 D7 sizes', () => {
  test('D7 four emoji are an estimated token: code points count, not UTF-16 units', () => {
    const [entry] = packed('🎉🎉🎉🎉').index
    expect(entry).toMatchObject({ char_count: 4, token_est: 1 })
    expect(packed('🎉🎉🎉').index[0]?.token_est).toBe(0)
  })
})

function packed(text: string): ReturnType<typeof packDocument> {
  const file = { doc: 'd', file: 'd.md', sourcePath: 'd.md', sha256: '', size: 0, mtime: 0 }
  return packDocument({ ...file, text }, 6000)
}
