/** From the files of a flow to one prompt and its plan. */
import { rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mdctxHead, mdctxPart } from '../../src/format/mdctx.ts'
import type { ContextPlan, Flow } from '../../src/model/evidence.ts'
import { readFlowStatus } from '../../src/packs/evidence/evidence-status.ts'
import { assemblePrompt, planPrompt, toMdctxPart } from '../../src/packs/evidence/prompt.ts'
import { sha256 } from '../../src/platform/hash.ts'
import type { World } from '../../src/platform/world.ts'
import { flowWith } from '../support/flow.ts'
import { temporaryFolder, withFolder, writeFile } from '../support/project.ts'
import { runs } from '../support/property.ts'
import { realTokens } from '../support/world.ts'

const evidence = (path: string, body: string): string =>
  `## Evidence: ${path}\n<!-- source_uri=file://${path}; cid=sha256:00; span=full -->\n\n\`\`\`sh\n${body}\n\`\`\`\n`

function read(world: World, flow: Flow, path: string): string {
  return new TextDecoder().decode(world.files.read(join(flow.folder, path)))
}

describe('EV10 the prompt', () => {
  test('as the contract shows it, with one heading for each piece', async () => {
    const { world, flow } = flowWith(temporaryFolder(), [])
    writeFile(flow.folder, 'ctx/evidence/100_flow_sh.evidence.md', evidence('core/flow.sh', 'flow'))
    writeFile(flow.folder, 'ctx/evidence/200_test.evidence.md.skip', evidence('t.sh', 'no'))
    const { text, plan } = await assemblePrompt(world, flow, {})
    const cid = plan.parts[2]?.cid
    expect(text).toBe(
      `<!-- mdctx:version=1.0; flow_id=${flow.id}; assembly=lexical -->

# System

Be exact.

# User Request

Do it.

## Evidence: core/flow.sh
<!-- source_uri=file://ctx/evidence/100_flow_sh.evidence.md; cid=${cid}; span=full -->

\`\`\`sh
flow
\`\`\`
`,
    )
    expect(read(world, flow, 'build/prompt.mdctx')).toBe(text)
    expect(JSON.parse(read(world, flow, 'build/ctxplan.json'))).toEqual(plan)
  })

  test('origin: a linked file is in, as it is at the moment of assembly', async () => {
    const folder = temporaryFolder()
    const { world, flow } = flowWith(folder, [])
    writeFile(folder, 'src/live.ts', 'one\n')
    symlinkSync(
      join(folder, 'src/live.ts'),
      join(flow.folder, 'ctx/evidence/300_live_ts.evidence.link'),
    )
    expect((await planPrompt(world, flow, {})).text).toContain('## Evidence: src/live.ts\n')
    writeFile(folder, 'src/live.ts', 'two\n')
    const { text, plan } = await planPrompt(world, flow, {})
    expect(text).toContain('```ts\ntwo\n```\n')
    expect(plan.parts.at(-1)).toMatchObject({
      status: 'linked',
      bytes: 4,
      cid: `sha256:${sha256('two\n')}`,
      uri: 'file://ctx/evidence/300_live_ts.evidence.link',
    })
    rmSync(join(folder, 'src/live.ts'))
    await expect(planPrompt(world, flow, {})).rejects.toThrow(/300_live_ts is a link/)
  })

  test('origin: the order is by code unit in every locale, and headings of a role stand once', async () => {
    const { world, flow } = flowWith(temporaryFolder(), [
      '100_b.evidence.md',
      '100_B.evidence.md',
      '100_ä.evidence.md',
      '099_z.evidence.md',
      '100_a-b.evidence.md',
      '100_a.evidence.md',
    ])
    writeFile(flow.folder, 'ctx/001_more.system.md', 'And short.')
    const { text, plan } = await planPrompt(world, flow, {})
    expect(plan.parts.map((it) => it.kind)).toEqual([
      'policy',
      'more',
      'request',
      'z',
      'B',
      'a-b',
      'a',
      'b',
      'ä',
    ])
    expect(text.match(/^# System$/gm)).toHaveLength(1)
  })

  test('the same folder gives the same bytes, whatever else was done before', async () => {
    const { world, flow } = flowWith(temporaryFolder(), ['100_a.evidence.md', '110_b.evidence.md'])
    const first = await assemblePrompt(world, flow, {})
    await assemblePrompt(world, flow, { maxTokens: 90 })
    expect(await assemblePrompt(world, flow, {})).toEqual(first)
  })
})

const files = fc.uniqueArray(
  fc.record({
    rank: fc.integer({ min: 0, max: 999 }).map((it) => String(it).padStart(3, '0')),
    kind: fc.constantFrom('a', 'b', 'c', 'd'),
    ending: fc.constantFrom('md', 'md.skip'),
    text: fc.string({ unit: 'grapheme', maxLength: 300 }),
  }),
  { selector: (it) => `${it.rank}_${it.kind}`, maxLength: 12 },
)

interface PlannedText {
  readonly plan: ContextPlan
  readonly text: string
}

/** Digest, sums and statuses, against the files themselves. */
function checkPlan(world: World, flow: Flow, { plan, text }: PlannedText): void {
  expect(plan.ctx_digest).toBe(`sha256:${sha256(text)}`)
  const shown = plan.parts.filter((it) => it.status === 'active' || it.status === 'linked')
  expect(plan.total_bytes).toBe(shown.reduce((sum, it) => sum + it.bytes, 0))
  for (const part of plan.parts) {
    const path = part.uri.slice('file://'.length)
    const isSwitchedOff = part.status === 'skipped' && part.reason === undefined
    const file = isSwitchedOff ? `${path}.skip` : path
    const bytes = world.files.read(join(flow.folder, file))
    expect(part).toMatchObject({ bytes: bytes.length, cid: `sha256:${sha256(bytes)}` })
    expect(path).toContain(`${part.rank}_${part.kind}.${part.role}`)
  }
}

interface Limited {
  readonly maxTokens: number
  readonly plan: ContextPlan
}

/** What is left out does not fit behind those of lower rank that are in. */
async function checkLeftOut(world: World, flow: Flow, { maxTokens, plan }: Limited): Promise<void> {
  const countTokens = await realTokens()
  const { parts, text } = await planPrompt(world, flow, {})
  expect(plan.parts.some((it) => it.reason !== undefined)).toBe(countTokens(text) > maxTokens)
  const texts = parts.map((part, at) => mdctxPart(toMdctxPart(part), parts[at - 1]?.role))
  for (const [at, part] of plan.parts.entries()) {
    if (part.reason === undefined) continue
    const before = texts.filter((_, nth) => nth < at && plan.parts[nth]?.status === 'active')
    // A token or two may join where parts meet.
    const together = mdctxHead(flow.id) + before.join('') + (texts[at] ?? '')
    expect(countTokens(together) + 2 * parts.length).toBeGreaterThan(maxTokens)
  }
}

describe('EV11 the plan', () => {
  test('EV12 agrees with the files, with and without a limit, and the limit holds', async () => {
    const countTokens = await realTokens()
    await fc.assert(
      fc.asyncProperty(files, fc.integer({ min: 60, max: 1200 }), (all, maxTokens) =>
        withFolder(async (folder) => {
          const { world, flow } = flowWith(folder, [])
          for (const it of all) {
            writeFile(
              flow.folder,
              `ctx/evidence/${it.rank}_${it.kind}.evidence.${it.ending}`,
              it.text,
            )
          }
          const whole = await assemblePrompt(world, flow, {})
          checkPlan(world, flow, whole)
          const { text, plan } = await assemblePrompt(world, flow, { maxTokens })
          checkPlan(world, flow, { plan, text })
          expect(countTokens(text)).toBeLessThanOrEqual(maxTokens)
          await checkLeftOut(world, flow, { maxTokens, plan })
          const status = await readFlowStatus(world, flow, { budget: 1000 })
          expect(Math.abs(status.tokens - countTokens(whole.text))).toBeLessThanOrEqual(
            all.length + 3,
          )
          expect(status.bytes).toBe(Buffer.byteLength(whole.text))
        }),
      ),
      runs(40),
    )
  })

  test('EV12 one token less, and one more part goes', async () => {
    const countTokens = await realTokens()
    const { world, flow } = flowWith(temporaryFolder(), [
      '100_a.evidence.md',
      '200_b.evidence.md',
      '300_c.evidence.md',
    ])
    const exact = countTokens((await planPrompt(world, flow, {})).text)
    const trimmed = async (maxTokens: number) =>
      (await planPrompt(world, flow, { maxTokens })).plan.parts
        .filter((it) => it.reason !== undefined)
        .map((it) => it.rank)
    expect(await trimmed(exact + 1)).toEqual([])
    expect(await trimmed(exact)).toEqual([])
    expect(await trimmed(exact - 1)).toEqual(['300'])
    await expect(trimmed(10)).rejects.toThrow(/system and user parts alone/)
  })
})
