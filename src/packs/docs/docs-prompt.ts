/** Renders digest and index of a docs pack for a system prompt, under a hard token limit. */
import { ascending, inOrder } from '../../base/order.ts'
import { containsRedaction } from '../../base/secrets.ts'
import { largest } from '../../budget/largest.ts'
import { promptBlock } from '../../format/docs-prompt.ts'
import type { DocsIndex } from '../../model/docs-index.ts'
import type { DigestEntry, IndexEntry } from '../../model/docs-pack.ts'
import { EngineError } from '../../model/engine-error.ts'
import type { CountTokens } from '../../model/tokens.ts'
import { shownText, type Viewer } from '../redact-output.ts'
import { redactTitles } from './redact-chunk.ts'

export interface DocsPrompt {
  /** Never over the cap. */
  readonly text: string
  readonly tokens: number
  readonly sections: number
  readonly sectionsLeftOut: number
  /** How many of its lines have likely secrets redacted. */
  readonly redacted: number
}

export interface PromptRequest extends Viewer {
  readonly maxTokens: number
  /** How the reader gets a chunk: a tool call or a command. */
  readonly howToFetch: string
}

const MAX_DIGEST_LINES = 30

/**
 * If not everything fits, the digest gets at most half of the tokens and the index drops its
 * deepest headings first, so that an outline always remains.
 */
export async function buildDocsPrompt(
  index: DocsIndex,
  request: PromptRequest,
  count: CountTokens,
): Promise<DocsPrompt> {
  const shown = new RedactedEntries(request)
  const digest = (await index.digest()).map((it) => shown.digest(it))
  const entries = await index.index()
  const shallowest = entries
    .map((entry, place) => ({ entry, place }))
    .toSorted(
      inOrder(
        ascending((it) => entryDepth(it.entry)),
        ascending((it) => it.place),
      ),
    )
  const render = (sections: number, lines: number): DocsPrompt => {
    const chosen = new Set(shallowest.slice(0, sections).map((it) => it.entry))
    const text = promptBlock({
      segment: index.header.segment,
      digest: selectTopDocuments(digest, entries, lines),
      digestLeftOut: digest.length - Math.min(lines, digest.length),
      index: entries.filter((entry) => chosen.has(entry)).map((it) => shown.entry(it)),
      indexLeftOut: entries.length - chosen.size,
      howToFetch: request.howToFetch,
    })
    return {
      text,
      tokens: count(text),
      sections: chosen.size,
      sectionsLeftOut: entries.length - chosen.size,
      redacted: text.split('\n').filter((it) => shown.hasRedacted && containsRedaction(it)).length,
    }
  }
  const fits = (it: DocsPrompt, cap: number): boolean => it.tokens <= cap
  const lines = Math.min(MAX_DIGEST_LINES, digest.length)
  // No line of the index is under six tokens, so more than this cannot fit anyway.
  const most = Math.min(entries.length, Math.ceil(request.maxTokens / 6))
  if (fits(render(0, 0), request.maxTokens)) {
    const half = largest(lines, (it) => fits(render(0, it), request.maxTokens / 2)) ?? 0
    const sections = largest(most, (it) => fits(render(it, half), request.maxTokens)) ?? 0
    const more =
      largest(lines - half, (it) => fits(render(sections, half + it), request.maxTokens)) ?? 0
    return render(sections, half + more)
  }
  throw new EngineError(
    'POC_E_BUDGET_EXCEEDED',
    `${request.maxTokens} tokens are too few for a digest`,
    { hint: `the smallest prompt takes ${render(0, 0).tokens}: raise --max-tokens` },
  )
}

/** Caches redacted lines, because a prompt is rendered at several sizes. */
class RedactedEntries {
  readonly #viewer: Viewer
  readonly #entries = new Map<IndexEntry, IndexEntry>()
  hasRedacted = false

  constructor(viewer: Viewer) {
    this.#viewer = viewer
  }

  digest(entry: DigestEntry): DigestEntry {
    const { text: summary, redacted } = shownText(this.#viewer, entry.summary)
    if (redacted > 0) this.hasRedacted = true
    return { ...entry, summary }
  }

  entry(entry: IndexEntry): IndexEntry {
    const known = this.#entries.get(entry)
    if (known !== undefined) return known
    const title_path = redactTitles(this.#viewer, entry)
    if (title_path.some((it, at) => it !== entry.title_path[at])) this.hasRedacted = true
    const shown = { ...entry, title_path }
    this.#entries.set(entry, shown)
    return shown
  }
}

/**
 * Later parts of a section and text before the first heading are the least useful in an outline.
 */
function entryDepth(entry: IndexEntry): number {
  if ((entry.part ?? 1) > 1) return 10
  return entry.heading_level === 0 ? 4 : entry.heading_level
}

/** The documents nearest the top of the tree, in the order of the pack. */
function selectTopDocuments(
  digest: readonly DigestEntry[],
  entries: readonly IndexEntry[],
  lines: number,
): readonly DigestEntry[] {
  const paths = new Map(entries.map((entry) => [entry.doc, entry.source_path]))
  const chosen = new Set(
    digest
      .map((entry, place) => ({
        entry,
        place,
        depth: (paths.get(entry.doc) ?? '').split('/').length,
      }))
      .toSorted(
        inOrder(
          ascending((it) => it.depth),
          ascending((it) => it.place),
        ),
      )
      .slice(0, lines)
      .map((it) => it.entry),
  )
  return digest.filter((entry) => chosen.has(entry))
}
