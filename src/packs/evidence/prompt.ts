/**
 * From a folder of hand-picked parts to one prompt and the plan of it: read, fit, render, write.
 * A pure function of the folder and of what its links lead to.
 */
import { join, relative, resolve } from 'node:path'
import {
  extractExtraFacts,
  formatFileUri,
  readEvidenceTitle,
  renderEvidence,
} from '../../evidence/evidence-text.ts'
import { finishInterruptedChange, withFlowLock } from '../../evidence/history.ts'
import { BUILD_FOLDER } from '../../evidence/part-names.ts'
import { listParts } from '../../evidence/parts.ts'
import { REMOVED_FOLDER } from '../../evidence/plans.ts'
import { type MdctxPart, mdctxHead, mdctxPart } from '../../format/mdctx.ts'
import { EngineError } from '../../model/engine-error.ts'
import type { ContextPart, ContextPlan, Flow, PlanPart } from '../../model/evidence.ts'
import type { CountTokens } from '../../model/tokens.ts'
import { changeFolder } from '../../platform/folder-change.ts'
import { sha256 } from '../../platform/hash.ts'
import type { World } from '../../platform/world.ts'
import { shownText } from '../redact-output.ts'
import { refuseUnserved } from './served-files.ts'

export const PROMPT_FILE = `${BUILD_FOLDER}/prompt.mdctx`
export const PLAN_FILE = `${BUILD_FOLDER}/ctxplan.json`

export interface PromptWish {
  /** If absent, nothing is left out. */
  readonly maxTokens?: number | undefined
}

export interface Prompt {
  readonly text: string
  readonly plan: ContextPlan
  readonly parts: readonly LoadedPart[]
  readonly strays: readonly string[]
}

/** A part with what it says. */
export interface LoadedPart extends ContextPart {
  readonly title: string
  readonly bytes: number
  readonly cid: string
  /** What stands in the prompt below its heading; of a skipped part what would. */
  readonly text: string
  /** How many likely secrets are redacted in it. */
  readonly redacted: number
  /** Lines of its file that stand before that text. */
  readonly linesBefore: number
}

/** Read and rendered; nothing is written. */
export async function planPrompt(world: World, flow: Flow, wish: PromptWish): Promise<Prompt> {
  await finishInterruptedChange(world, flow)
  const { parts, strays } = listParts(world.files, flow)
  const loaded = parts.map((part) => loadPart(world, flow, part))
  const leftOut =
    wish.maxTokens === undefined
      ? new Map<string, string>()
      : partsThatDoNotFit(flow, loaded, {
          limit: wish.maxTokens,
          countTokens: await world.tokens(),
        })
  const shown = loaded.filter((it) => it.state !== 'skipped' && !leftOut.has(it.path))
  const text = rendered(flow, shown)
  return { text, plan: planOf(flow, loaded, { leftOut, text }), parts: loaded, strays }
}

/** Both files take their places together. */
export function assemblePrompt(world: World, flow: Flow, wish: PromptWish): Promise<Prompt> {
  return withFlowLock(world, flow, async () => {
    const prompt = await planPrompt(world, flow, wish)
    changeFolder(flow.folder, {
      moves: [],
      writes: [
        { path: PROMPT_FILE, text: prompt.text, isRemade: true },
        { path: PLAN_FILE, text: `${JSON.stringify(prompt.plan, null, 2)}\n`, isRemade: true },
      ],
    })
    return prompt
  })
}

/** Of the prompt as it was assembled last; undefined where there is none. */
export function builtDigest(world: World, flow: Flow): string | undefined {
  try {
    return `sha256:${sha256(world.files.read(join(flow.folder, PROMPT_FILE)))}`
  } catch {
    return undefined
  }
}

export function loadPart(world: World, flow: Flow, part: ContextPart): LoadedPart {
  // A repository may come with a flow whose files are links to others.
  refuseUnserved(world, flow, join(flow.folder, part.path))
  if (part.state === 'linked') return loadLinked(world, flow, part)
  const bytes = readPart(world, flow, part)
  const { text, redacted } = shownText(world, new TextDecoder().decode(bytes))
  const common = { ...part, bytes: bytes.length, cid: `sha256:${sha256(bytes)}`, redacted }
  if (part.role !== 'evidence') return { ...common, title: part.kind, text, linesBefore: 0 }
  const title = readEvidenceTitle(text)
  const linesBefore = title === undefined ? 0 : 1
  return { ...common, title: title ?? part.kind, text: withoutHeading(text, title), linesBefore }
}

/** People put all sorts of things under the name of a part: what is no file is theirs to move. */
export function readPart(world: World, flow: Flow, { path, name }: ContextPart): Uint8Array {
  try {
    return world.files.read(join(flow.folder, path))
  } catch (error) {
    const isLink = world.files.linkTarget(join(flow.folder, path)) !== undefined
    const what = isLink ? 'is a link that leads to no file' : 'is no file that can be read'
    throw new EngineError('POC_E_READ_FAILED', `${path} ${what}`, {
      hint: `remove it with \`dossier evidence remove ${name}\`, or put a file there`,
      cause: error,
    })
  }
}

/** The heading of a piece of evidence stands above its comment once, not twice. */
function withoutHeading(text: string, title: string | undefined): string {
  return title === undefined ? text : text.slice(text.indexOf('\n') + 1)
}

/** Read where it lies, and shown as if it had been added just now. */
function loadLinked(world: World, flow: Flow, part: ContextPart): LoadedPart {
  const link = join(flow.folder, part.path)
  const target = world.files.linkTarget(link)
  const source = target === undefined ? link : resolve(link, '..', target)
  let bytes: Uint8Array
  try {
    bytes = world.files.read(source)
  } catch (error) {
    throw new EngineError(
      'POC_E_READ_FAILED',
      `${part.name} is a link to ${source}, which cannot be read`,
      {
        hint: `remove it with \`dossier evidence remove ${part.name}\`, or bring the file back`,
        cause: error,
      },
    )
  }
  const title = titleOf(flow, source)
  const cid = `sha256:${sha256(bytes)}`
  const { text: body, redacted } = shownText(world, new TextDecoder().decode(bytes))
  const text = renderEvidence({
    title,
    provenance: { sourceUri: formatFileUri(title), cid, span: { unit: 'full' }, tags: [] },
    body,
    language: languageOf(source),
  })
  const shown = withoutHeading(text, title)
  return { ...part, title, bytes: bytes.length, cid, redacted, text: shown, linesBefore: 0 }
}

/** From the root where it lies inside, else absolute; with `/`. */
export function titleOf(flow: Flow, source: string): string {
  const path = relative(flow.root, source).replaceAll('\\', '/')
  return path.startsWith('../') || path === '' ? source.replaceAll('\\', '/') : path
}

export function languageOf(path: string): string {
  return /\.([a-z0-9+]{1,12})$/i.exec(path)?.[1]?.toLowerCase() ?? ''
}

interface Limit {
  readonly limit: number
  readonly countTokens: CountTokens
}

/**
 * Evidence that is passed over, with the reason: in the order of the ranks each part is taken that
 * still fits, and one that does not leaves its room to those behind it.
 */
function partsThatDoNotFit(
  flow: Flow,
  parts: readonly LoadedPart[],
  limit: Limit,
): ReadonlyMap<string, string> {
  const active = parts.filter((it) => it.state !== 'skipped')
  const room = new Room(flow, active, limit)
  const leftOut = new Map<string, string>()
  for (const part of active.filter((it) => it.role === 'evidence')) {
    const reason = room.take(part)
    if (reason !== undefined) leftOut.set(part.path, reason)
  }
  return leftOut
}

/** Tokens that may join where two parts meet: a sum of parts is off by so many for each. */
const JOINED = 2

/** What has been taken into a prompt; the limit holds for the text as it is rendered. */
class Room {
  readonly #flow: Flow
  readonly #active: readonly LoadedPart[]
  readonly #limit: Limit
  readonly #taken: Set<LoadedPart>
  #tokens: number
  /** How many parts are in the sum since the whole text was counted. */
  #summed = 0

  constructor(flow: Flow, active: readonly LoadedPart[], limit: Limit) {
    this.#flow = flow
    this.#active = active
    this.#limit = limit
    this.#taken = new Set(active.filter((it) => it.role !== 'evidence'))
    this.#tokens = this.#count()
    if (this.#tokens > limit.limit) throw tooSmall(this.#tokens, limit.limit)
  }

  /** Why it was not taken; undefined where it was. */
  take(part: LoadedPart): string | undefined {
    const { limit, countTokens } = this.#limit
    const own = countTokens(mdctxPart(mdctxOf(part), 'evidence'))
    const sum = this.#tokens + own
    const inDoubt = JOINED * (this.#summed + 1)
    this.#taken.add(part)
    if (sum + inDoubt <= limit) {
      this.#tokens = sum
      this.#summed += 1
      return undefined
    }
    // Only what comes near to the limit is counted as it will be printed.
    const exact = sum - inDoubt > limit ? sum : this.#count()
    if (exact <= limit) {
      this.#tokens = exact
      this.#summed = 0
      return undefined
    }
    this.#taken.delete(part)
    return `does not fit: ${own} tokens, ${limit - this.#tokens} left of ${limit}`
  }

  #count(): number {
    const shown = this.#active.filter((it) => this.#taken.has(it))
    return this.#limit.countTokens(rendered(this.#flow, shown))
  }
}

function tooSmall(total: number, limit: number): EngineError {
  return new EngineError(
    'POC_E_BUDGET_EXCEEDED',
    `the system and user parts alone are ${total} tokens, over the ${limit} that are allowed`,
    { hint: 'shorten them, or give more with --max-tokens' },
  )
}

function rendered(flow: Flow, shown: readonly LoadedPart[]): string {
  const texts = shown.map((part, at) => mdctxPart(mdctxOf(part), shown[at - 1]?.role))
  return mdctxHead(flow.id) + texts.join('')
}

/** Of its comment, what the heading and the comment of the prompt do not say. */
export function mdctxOf(part: LoadedPart): MdctxPart {
  const { role, title, cid, text } = part
  const common = { role, title, uri: activeUri(part), cid }
  const { facts, rest } =
    role === 'evidence' ? extractExtraFacts(text, title) : { facts: [], rest: text }
  return { ...common, facts, text: rest }
}

const REMOVED = new RegExp(`^${REMOVED_FOLDER}/[^/]+/`)

/** A part that is skipped or removed is called as it will be when it is back. */
function activeUri({ path }: ContextPart): string {
  return formatFileUri(path.replace(REMOVED, '').replace(/\.skip$/, ''))
}

function planOf(
  flow: Flow,
  parts: readonly LoadedPart[],
  { leftOut, text }: { readonly leftOut: ReadonlyMap<string, string>; readonly text: string },
): ContextPlan {
  const listed = parts.map((part): PlanPart => {
    const { rank, kind, role, cid, bytes, state, path } = part
    const reason = leftOut.get(path)
    const status = reason === undefined ? state : 'skipped'
    const uri = activeUri(part)
    const planned = { rank, kind, role, uri, cid, bytes, status }
    return reason === undefined ? planned : { ...planned, reason }
  })
  const shown = listed.filter((it) => it.status === 'active' || it.status === 'linked')
  const redacted = parts
    .filter((it) => it.state !== 'skipped' && !leftOut.has(it.path))
    .reduce((sum, it) => sum + it.redacted, 0)
  return {
    version: '1.0',
    flow_id: flow.id,
    order_rule: 'lexical',
    parts: listed,
    total_bytes: shown.reduce((sum, it) => sum + it.bytes, 0),
    ctx_digest: `sha256:${sha256(text)}`,
    ...(redacted === 0 ? {} : { redacted }),
  }
}
