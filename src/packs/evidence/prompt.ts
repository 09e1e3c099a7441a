/**
 * Assembles a folder of hand-picked parts into one prompt and its plan: read, fit, render, write.
 * The result depends only on the folder and the files that it links to.
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
import { refuseFilesNotServed } from './served-files.ts'

export const PROMPT_FILE = `${BUILD_FOLDER}/prompt.mdctx`
export const PLAN_FILE = `${BUILD_FOLDER}/ctxplan.json`

export interface PromptOptions {
  /** If absent, nothing is left out. */
  readonly maxTokens?: number | undefined
}

export interface Prompt {
  readonly text: string
  readonly plan: ContextPlan
  readonly parts: readonly LoadedPart[]
  readonly strays: readonly string[]
}

/** A part with its content. */
export interface LoadedPart extends ContextPart {
  readonly title: string
  readonly bytes: number
  readonly cid: string
  /** The text below its heading in the prompt, also for a skipped part. */
  readonly text: string
  /** Number of redacted secrets in the text. */
  readonly redacted: number
  /** Number of lines of its file before that text. */
  readonly linesBefore: number
}

/** Reads and renders; writes nothing. */
export async function planPrompt(
  world: World,
  flow: Flow,
  options: PromptOptions,
): Promise<Prompt> {
  await finishInterruptedChange(world, flow)
  const { parts, strays } = listParts(world.files, flow)
  const loaded = parts.map((part) => loadPart(world, flow, part))
  const leftOut =
    options.maxTokens === undefined
      ? new Map<string, string>()
      : findPartsOverLimit(flow, loaded, {
          limit: options.maxTokens,
          countTokens: await world.tokens(),
        })
  const shown = loaded.filter((it) => it.state !== 'skipped' && !leftOut.has(it.path))
  const text = renderPrompt(flow, shown)
  return { text, plan: buildPlan(flow, loaded, { leftOut, text }), parts: loaded, strays }
}

/** Writes both files atomically. */
export function assemblePrompt(world: World, flow: Flow, options: PromptOptions): Promise<Prompt> {
  return withFlowLock(world, flow, async () => {
    const prompt = await planPrompt(world, flow, options)
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

/** The digest of the last assembled prompt; undefined if there is none. */
export function readBuiltDigest(world: World, flow: Flow): string | undefined {
  try {
    return `sha256:${sha256(world.files.read(join(flow.folder, PROMPT_FILE)))}`
  } catch {
    return undefined
  }
}

export function loadPart(world: World, flow: Flow, part: ContextPart): LoadedPart {
  // A cloned repository may contain a flow whose files are links.
  refuseFilesNotServed(world, flow, join(flow.folder, part.path))
  if (part.state === 'linked') return loadLinked(world, flow, part)
  const bytes = readPart(world, flow, part)
  const { text, redacted } = shownText(world, new TextDecoder().decode(bytes))
  const common = { ...part, bytes: bytes.length, cid: `sha256:${sha256(bytes)}`, redacted }
  if (part.role !== 'evidence') return { ...common, title: part.kind, text, linesBefore: 0 }
  const title = readEvidenceTitle(text)
  const linesBefore = title === undefined ? 0 : 1
  return { ...common, title: title ?? part.kind, text: removeHeading(text, title), linesBefore }
}

/** A folder or socket may have the name of a part; only the user can decide what to do with it. */
export function readPart(world: World, flow: Flow, { path, name }: ContextPart): Uint8Array {
  try {
    return world.files.read(join(flow.folder, path))
  } catch (error) {
    const isLink = world.files.linkTarget(join(flow.folder, path)) !== undefined
    const what = isLink ? 'is a link without an existing target' : 'is not a readable file'
    throw new EngineError('POC_E_READ_FAILED', `${path} ${what}`, {
      hint: `remove it with \`dossier evidence remove ${name}\`, or put a file there`,
      cause: error,
    })
  }
}

/** The prompt prints the heading, so it is removed from the text. */
function removeHeading(text: string, title: string | undefined): string {
  return title === undefined ? text : text.slice(text.indexOf('\n') + 1)
}

/** Reads the link target and renders it as if it had just been added. */
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
        hint: `remove it with \`dossier evidence remove ${part.name}\`, or restore the file`,
        cause: error,
      },
    )
  }
  const title = formatSourceTitle(flow, source)
  const cid = `sha256:${sha256(bytes)}`
  const { text: body, redacted } = shownText(world, new TextDecoder().decode(bytes))
  const text = renderEvidence({
    title,
    provenance: { sourceUri: formatFileUri(title), cid, span: { unit: 'full' }, tags: [] },
    body,
    language: fenceLanguage(source),
  })
  const shown = removeHeading(text, title)
  return { ...part, title, bytes: bytes.length, cid, redacted, text: shown, linesBefore: 0 }
}

/** Relative to the root if inside of it, else absolute; with `/`. */
export function formatSourceTitle(flow: Flow, source: string): string {
  const path = relative(flow.root, source).replaceAll('\\', '/')
  return path.startsWith('../') || path === '' ? source.replaceAll('\\', '/') : path
}

export function fenceLanguage(path: string): string {
  return /\.([a-z0-9+]{1,12})$/i.exec(path)?.[1]?.toLowerCase() ?? ''
}

interface TokenLimit {
  readonly limit: number
  readonly countTokens: CountTokens
}

/**
 * Evidence that is left out, with the reason. Parts are added by rank while they fit; a part that
 * does not fit is skipped and smaller ones after it may still be added.
 */
function findPartsOverLimit(
  flow: Flow,
  parts: readonly LoadedPart[],
  limit: TokenLimit,
): ReadonlyMap<string, string> {
  const active = parts.filter((it) => it.state !== 'skipped')
  const room = new PromptFitter(flow, active, limit)
  const leftOut = new Map<string, string>()
  for (const part of active.filter((it) => it.role === 'evidence')) {
    const reason = room.take(part)
    if (reason !== undefined) leftOut.set(part.path, reason)
  }
  return leftOut
}

/** Tokens that may merge where two parts meet: the error per part when counts are summed. */
const JOIN_TOLERANCE = 2

/** Adds parts to a prompt while they fit; the limit applies to the rendered text. */
class PromptFitter {
  readonly #flow: Flow
  readonly #active: readonly LoadedPart[]
  readonly #limit: TokenLimit
  readonly #taken: Set<LoadedPart>
  #tokens: number
  /** Number of parts added since the whole text was last counted. */
  #summed = 0

  constructor(flow: Flow, active: readonly LoadedPart[], limit: TokenLimit) {
    this.#flow = flow
    this.#active = active
    this.#limit = limit
    this.#taken = new Set(active.filter((it) => it.role !== 'evidence'))
    this.#tokens = this.#count()
    if (this.#tokens > limit.limit) throw createTooSmallError(this.#tokens, limit.limit)
  }

  /** The reason why the part does not fit; undefined if it was added. */
  take(part: LoadedPart): string | undefined {
    const { limit, countTokens } = this.#limit
    const own = countTokens(mdctxPart(toMdctxPart(part), 'evidence'))
    const sum = this.#tokens + own
    const inDoubt = JOIN_TOLERANCE * (this.#summed + 1)
    this.#taken.add(part)
    if (sum + inDoubt <= limit) {
      this.#tokens = sum
      this.#summed += 1
      return undefined
    }
    // The rendered text is counted only near the limit.
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
    return this.#limit.countTokens(renderPrompt(this.#flow, shown))
  }
}

function createTooSmallError(total: number, limit: number): EngineError {
  return new EngineError(
    'POC_E_BUDGET_EXCEEDED',
    `the system and user parts alone are ${total} tokens, over the ${limit} that are allowed`,
    { hint: 'shorten them, or give more with --max-tokens' },
  )
}

function renderPrompt(flow: Flow, shown: readonly LoadedPart[]): string {
  const texts = shown.map((part, at) => mdctxPart(toMdctxPart(part), shown[at - 1]?.role))
  return mdctxHead(flow.id) + texts.join('')
}

/** Keeps the facts of its comment that the heading does not already state. */
export function toMdctxPart(part: LoadedPart): MdctxPart {
  const { role, title, cid, text } = part
  const common = { role, title, uri: formatActiveUri(part), cid }
  const { facts, rest } =
    role === 'evidence' ? extractExtraFacts(text, title) : { facts: [], rest: text }
  return { ...common, facts, text: rest }
}

const REMOVED = new RegExp(`^${REMOVED_FOLDER}/[^/]+/`)

/** Skipped and removed parts use the name that they have when active. */
function formatActiveUri({ path }: ContextPart): string {
  return formatFileUri(path.replace(REMOVED, '').replace(/\.skip$/, ''))
}

function buildPlan(
  flow: Flow,
  parts: readonly LoadedPart[],
  { leftOut, text }: { readonly leftOut: ReadonlyMap<string, string>; readonly text: string },
): ContextPlan {
  const listed = parts.map((part): PlanPart => {
    const { rank, kind, role, cid, bytes, state, path } = part
    const reason = leftOut.get(path)
    const status = reason === undefined ? state : 'skipped'
    const uri = formatActiveUri(part)
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
