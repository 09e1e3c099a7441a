/** The chunks that a request puts into the middle. */
import { ascending, inOrder } from '../../base/order.ts'
import type { CodeIndexReader, StoredChunk } from '../../model/code-index.ts'
import { EngineError } from '../../model/engine-error.ts'
import type { Focus } from '../../model/pack-request.ts'

/** Of a whole file; the rest of it is found by the question, or in the same file. */
const MOST_OF_FILE = 40

export async function focusChunks(
  index: CodeIndexReader,
  focus: Focus,
): Promise<readonly StoredChunk[]> {
  const { symbolId, chunkUid, fileRelPath, line } = focus
  const given = [symbolId, chunkUid, fileRelPath].filter((it) => it !== undefined)
  if (line !== undefined && fileRelPath === undefined) {
    throw invalid('the focus names a line without a file', 'name the file as well')
  }
  if (given.length === 0) return []
  if (given.length > 1) throw invalid('the focus names more than one thing', 'name one of them')
  const found =
    symbolId !== undefined
      ? await ofSymbol(index, symbolId)
      : chunkUid !== undefined
        ? await index.chunks([chunkUid])
        : await ofFile(index, fileRelPath ?? '', line)
  if (found.length > 0) return found
  throw invalid(
    `nothing in the index is ${given[0] ?? ''}${line === undefined ? '' : `:${line}`}`,
    'the index may be older than what you look at; `dossier index` brings it up to date',
  )
}

async function ofSymbol(index: CodeIndexReader, symbolId: string): Promise<readonly StoredChunk[]> {
  const definitions = await index.definitions([symbolId])
  return index.chunks(definitions.map((it) => it.chunkUid).filter((uid) => uid !== ''))
}

async function ofFile(
  index: CodeIndexReader,
  path: string,
  line: number | undefined,
): Promise<readonly StoredChunk[]> {
  const chunks = await index.chunksInFiles([path])
  if (line === undefined) return chunks.slice(0, MOST_OF_FILE)
  const [file] = await index.files([path])
  if (!Number.isInteger(line) || line < 1 || line > (file?.lines ?? 0)) return []
  // Between two chunks lie blank lines, and a cursor may stand there.
  const away = (it: StoredChunk): number => Math.max(0, it.startLine - line, line - it.endLine)
  const around = chunks.toSorted(
    inOrder(
      ascending(away),
      ascending((it) => it.end - it.start),
      ascending((it) => it.start),
      ascending((it) => it.uid),
    ),
  )
  return around.slice(0, 1)
}

function invalid(message: string, hint: string): EngineError {
  return new EngineError('POC_E_REQUEST_INVALID', message, { hint })
}
