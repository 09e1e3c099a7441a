/** The parts of a flow, as the files say, in the order in which they are assembled. */
import { join } from 'node:path'
import { ascending, inOrder } from '../base/order.ts'
import type { ContextPart, Flow } from '../model/evidence.ts'
import type { Files } from '../platform/files.ts'
import { CONTEXT_FOLDER, EVIDENCE_FOLDER, orderKey, partOf } from './part-names.ts'

export interface FlowParts {
  readonly parts: readonly ContextPart[]
  /** Files in the folders whose names are none of a part: kept, said, and never assembled. */
  readonly strays: readonly string[]
}

export function partsOf(files: Files, flow: Flow): FlowParts {
  const parts: ContextPart[] = []
  const strays: string[] = []
  for (const folder of [CONTEXT_FOLDER, EVIDENCE_FOLDER]) {
    for (const entry of listed(files, join(flow.folder, folder))) {
      if (entry.isDirectory()) continue
      const part = partOf(folder, entry.name)
      if (part !== undefined) parts.push(part)
      else if (!entry.name.startsWith('.')) strays.push(`${folder}/${entry.name}`)
    }
  }
  return { parts: parts.toSorted(PART_ORDER), strays: strays.toSorted() }
}

/** The state changes no place. */
const PART_ORDER = inOrder<ContextPart>(
  ascending(orderKey),
  ascending((it) => it.path),
)

function listed(files: Files, folder: string): ReturnType<Files['list']> {
  try {
    return files.list(folder)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}
