/** A section of documents as evidence: of whichever docs pack of the repository has it. */
import { join } from 'node:path'
import { counted } from '../../base/text.ts'
import { formatFileUri } from '../../evidence/evidence-text.ts'
import type { Selector } from '../../evidence/selector.ts'
import type { DocsIndex, StoredChunk } from '../../model/docs-index.ts'
import { EngineError } from '../../model/engine-error.ts'
import type { World } from '../../platform/world.ts'
import { segmentsBelow } from '../docs/segments-below.ts'
import { withDocsIndex } from '../docs/with-docs-index.ts'
import { cidOf, type Picked, type PickFrom } from './picked.ts'
import { titleOf } from './prompt.ts'
import { refuseUnserved } from './served-files.ts'

export async function pickDocument(
  world: World,
  from: PickFrom,
  selector: Selector,
): Promise<Picked> {
  const segments = segmentsBelow(world, from.flow.root)
  for (const find of from.title === undefined ? [byId] : [byId, byTitle]) {
    for (const segment of segments) {
      const found = await pickSection(world, { ...from, segment, find }, selector)
      if (found !== undefined) return found
    }
  }
  throw segments.length === 0
    ? new EngineError('POC_E_PACK_MISSING', `there is no docs pack in ${from.flow.root}`, {
        hint: 'build one with `dossier ctx build --segment` and its folder of Markdown',
      })
    : new EngineError(
        'POC_E_CHUNK_UNKNOWN',
        `no chunk of ${counted(segments.length, 'docs pack')} is ${selector.name}`,
        { hint: 'see `dossier ctx search`' },
      )
}

interface Documents extends PickFrom {
  /** Native and absolute. */
  readonly segment: string
  readonly find: typeof byId
}

function pickSection(
  world: World,
  from: Documents,
  selector: Selector,
): Promise<Picked | undefined> {
  const { flow, segment } = from
  return withDocsIndex(world, { segment, repoRoot: flow.root }, async (index) => {
    const chunk = await from.find(index, { ...from, id: selector.name })
    const source = chunk && (await index.sourceOf(chunk.doc))
    if (chunk === undefined || source === undefined) return undefined
    const path = join(segment, source.file)
    refuseUnserved(world, flow, path)
    const title = titleOf(flow, path)
    const cid = cidOf(world.files.read(path))
    // The text of the pack would pass for that of the file.
    if (cid !== `sha256:${source.sha256}`) {
      throw new EngineError(
        'POC_E_PACK_STALE',
        `${title} has changed since its docs pack was built`,
        { hint: `run \`dossier ctx sync --segment ${titleOf(flow, segment) || '.'}\`` },
      )
    }
    return {
      title: sectionTitle(title, chunk),
      provenance: {
        sourceUri: formatFileUri(title, `doc=${chunk.id}`),
        cid,
        span: { unit: 'lines' as const, start: chunk.start_line, end: chunk.end_line },
        tags: selector.tags,
      },
      body: chunk.text,
      language: 'md',
      calledAfter: chunk.title_path.at(-1) ?? chunk.id,
      wholeFile: undefined,
    }
  })
}

function sectionTitle(path: string, { title_path }: Pick<StoredChunk, 'title_path'>): string {
  return `${path} (${title_path.join(' → ')})`
}

interface Sought extends Documents {
  readonly id: string
}

async function byId(index: DocsIndex, { id }: Sought): Promise<StoredChunk | undefined> {
  return (await index.chunks([id]))[0]
}

/** The one section of the same document that is called so, if there is one. */
async function byTitle(index: DocsIndex, sought: Sought): Promise<StoredChunk | undefined> {
  const { flow, segment, id, title } = sought
  const doc = id.slice(0, id.lastIndexOf(':'))
  const source = await index.sourceOf(doc)
  if (source === undefined) return undefined
  const path = titleOf(flow, join(segment, source.file))
  const all = (await index.index()).filter((it) => it.doc === doc)
  const [found, another] = all.filter((it) => sectionTitle(path, it) === title)
  return found === undefined || another !== undefined
    ? undefined
    : byId(index, { ...sought, id: found.id })
}
