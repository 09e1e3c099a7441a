/**
 * Picks a section of documents as evidence, from the docs pack of the repository that contains it.
 */
import { join } from 'node:path'
import { counted } from '../../base/text.ts'
import { formatFileUri } from '../../evidence/evidence-text.ts'
import type { Selector } from '../../evidence/selector.ts'
import type { DocsIndex, StoredChunk } from '../../model/docs-index.ts'
import { EngineError } from '../../model/engine-error.ts'
import type { World } from '../../platform/world.ts'
import { findSegments } from '../docs/find-segments.ts'
import { withDocsIndex } from '../docs/with-docs-index.ts'
import { computeCid, type PickContext, type PickedPiece } from './picked-piece.ts'
import { formatSourceTitle } from './prompt.ts'
import { refuseFilesNotServed } from './served-files.ts'

export async function pickDocument(
  world: World,
  from: PickContext,
  selector: Selector,
): Promise<PickedPiece> {
  const segments = findSegments(world, from.flow.root)
  for (const find of from.title === undefined ? [findById] : [findById, findByTitle]) {
    for (const segment of segments) {
      const found = await pickSection(world, { ...from, segment, find }, selector)
      if (found !== undefined) return found
    }
  }
  throw segments.length === 0
    ? new EngineError('POC_E_PACK_MISSING', `no docs pack found in ${from.flow.root}`, {
        hint: 'build one with `dossier ctx build --segment` and its folder of Markdown',
      })
    : new EngineError(
        'POC_E_CHUNK_UNKNOWN',
        `no chunk of ${counted(segments.length, 'docs pack')} is ${selector.name}`,
        { hint: 'see `dossier ctx search`' },
      )
}

interface DocsPackSource extends PickContext {
  /** Native and absolute. */
  readonly segment: string
  readonly find: typeof findById
}

function pickSection(
  world: World,
  from: DocsPackSource,
  selector: Selector,
): Promise<PickedPiece | undefined> {
  const { flow, segment } = from
  return withDocsIndex(world, { segment, repoRoot: flow.root }, async (index) => {
    const chunk = await from.find(index, { ...from, id: selector.name })
    const source = chunk && (await index.sourceOf(chunk.doc))
    if (chunk === undefined || source === undefined) return undefined
    const path = join(segment, source.file)
    refuseFilesNotServed(world, flow, path)
    const title = formatSourceTitle(flow, path)
    const cid = computeCid(world.files.read(path))
    // The pack would return text that differs from the file.
    if (cid !== `sha256:${source.sha256}`) {
      throw new EngineError(
        'POC_E_PACK_STALE',
        `${title} has changed since its docs pack was built`,
        { hint: `run \`dossier ctx sync --segment ${formatSourceTitle(flow, segment) || '.'}\`` },
      )
    }
    return {
      title: formatSectionTitle(title, chunk),
      provenance: {
        sourceUri: formatFileUri(title, `doc=${chunk.id}`),
        cid,
        span: { unit: 'lines' as const, start: chunk.start_line, end: chunk.end_line },
        tags: selector.tags,
      },
      body: chunk.text,
      language: 'md',
      nameSource: chunk.title_path.at(-1) ?? chunk.id,
      wholeFile: undefined,
    }
  })
}

function formatSectionTitle(path: string, { title_path }: Pick<StoredChunk, 'title_path'>): string {
  return `${path} (${title_path.join(' → ')})`
}

interface SectionQuery extends DocsPackSource {
  readonly id: string
}

async function findById(index: DocsIndex, { id }: SectionQuery): Promise<StoredChunk | undefined> {
  return (await index.chunks([id]))[0]
}

/** The only section of the same document with this title, if there is exactly one. */
async function findByTitle(
  index: DocsIndex,
  sought: SectionQuery,
): Promise<StoredChunk | undefined> {
  const { flow, segment, id, title } = sought
  const doc = id.slice(0, id.lastIndexOf(':'))
  const source = await index.sourceOf(doc)
  if (source === undefined) return undefined
  const path = formatSourceTitle(flow, join(segment, source.file))
  const all = (await index.index()).filter((it) => it.doc === doc)
  const [found, another] = all.filter((it) => formatSectionTitle(path, it) === title)
  return found === undefined || another !== undefined
    ? undefined
    : findById(index, { ...sought, id: found.id })
}
