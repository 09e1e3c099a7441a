/**
 * One pack, word for word: CP13. When it has to change, `npx vitest run <this file> --update` writes
 * the new one, and the rationale beside it must then say why, under the new hash.
 */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { canonicalPack } from '../../src/packs/context/pack-id.ts'
import { sha256 } from '../../src/platform/hash.ts'
import { HARBOR, indexedProject, packIn } from '../support/packed.ts'

const GOLDEN = '../golden/context_pack_v1.json'
const RATIONALE = '../golden/context_pack_v1.rationale.md'

function read(path: string): string {
  return readFileSync(new URL(path, import.meta.url), 'utf8')
}

test('CP13 the pack of a small harbor is the one that was agreed on', async () => {
  const folder = await indexedProject(HARBOR)
  const pack = await packIn(folder, {
    query: 'which berth is deep enough for a ship',
    intent: 'impact',
    budgets: { maxTotalTokens: 600 },
  })
  expect(pack.sections.length).toBeGreaterThan(2)
  const shown = JSON.stringify(JSON.parse(canonicalPack(pack)), null, 2)
  await expect(`${shown}\n`).toMatchFileSnapshot(GOLDEN)
})

test('CP13 why it last changed is written down', () => {
  expect(read(RATIONALE)).toContain(sha256(read(GOLDEN)))
})
