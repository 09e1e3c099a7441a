/** Whether all that is to be seen of a candidate is that one file imports another. */
import type { Candidate } from '../model/candidate.ts'
import type { StoredChunk } from '../model/code-index.ts'

/**
 * Reached by an import, and nothing but the lines of it: where it starts from, the block that names
 * the other file; where it ends, the first lines of a file, which define nothing. Of a test, however
 * it was found: such lines test nothing.
 */
export function isBareImport({ steps, chunk, section, rule }: Candidate): boolean {
  if (chunk.symbol !== '' || rule === 'focus') return false
  const last = steps.at(-1)
  const isByImport = last?.edge.kind === 'import' || last?.edge.kind === 'export'
  if (isByImport && last.isForward) return true
  return (isByImport || section === 'tests') && isOfImports(chunk)
}

/** At the top of a file imports may stand with a pragma, and are then a block like others. */
function isOfImports({ kind, text }: StoredChunk): boolean {
  if (kind !== 'block') return kind === 'imports'
  const lines = text.split('\n').filter((it) => /\w/.test(it))
  return lines.filter((it) => IMPORT.test(it)).length > MOST * lines.length
}

const IMPORT = /\b(?:import|from|require|include|using|use)\b/
const MOST = 0.6
