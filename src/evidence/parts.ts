/** Lists the parts of a flow in the order in which they are assembled. */
import { join } from 'node:path'
import { ascending, inOrder } from '../base/order.ts'
import type { ContextPart, Flow } from '../model/evidence.ts'
import type { Files } from '../platform/files.ts'
import { CONTEXT_FOLDER, EVIDENCE_FOLDER, orderKey, parsePartName } from './part-names.ts'

export interface FlowParts {
  readonly parts: readonly ContextPart[]
  /** Files whose names are not those of a part: reported and never assembled. */
  readonly strays: readonly string[]
}

export function listParts(files: Files, flow: Flow): FlowParts {
  const parts: ContextPart[] = []
  const strays: string[] = []
  for (const folder of [CONTEXT_FOLDER, EVIDENCE_FOLDER]) {
    for (const entry of listFolder(files, join(flow.folder, folder))) {
      if (entry.isDirectory()) continue
      const part = parsePartName(folder, entry.name)
      if (part !== undefined) parts.push(part)
      else if (!entry.name.startsWith('.')) strays.push(`${folder}/${entry.name}`)
    }
  }
  return { parts: parts.toSorted(PART_ORDER), strays: strays.toSorted() }
}

/** The state of a part does not affect its position. */
const PART_ORDER = inOrder<ContextPart>(
  ascending(orderKey),
  ascending((it) => it.path),
)

function listFolder(files: Files, folder: string): ReturnType<Files['list']> {
  try {
    return files.list(folder)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}
