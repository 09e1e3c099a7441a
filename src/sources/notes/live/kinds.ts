/** Classifies a node of the Local API by its document type and, for system nodes, by its id. */
import type { NoteKind } from '../../../model/note.ts'
import { getDocType, isBuiltIn, systemNodeRole, typeNumber } from '../tana/doc-types.ts'

/** Undefined for nodes that are not notes: parts of fields, views and settings. */
export function noteKind(id: string, docType: string): NoteKind | undefined {
  const { kind, role } = getDocType(typeNumber(docType))
  if (role === 'part' || role === 'inner') return undefined
  return isBuiltIn(id) || systemNodeRole(id) !== undefined ? 'system' : kind
}

/** Whether this is the name of a system node, as at the top of a breadcrumb. */
export function isSystemNodeName(name: string): boolean {
  return SYSTEM_NODE_NAMES.has(name)
}

/** System nodes that own notes, besides the home node. The API documents these ids. */
export function systemNodeIds(workspaceId: string): readonly string[] {
  return ['STASH', 'CAPTURE_INBOX', 'SCHEMA'].map((it) => `${workspaceId}_${it}`)
}

const SYSTEM_NODE_NAMES: ReadonlySet<string> = new Set([
  'Home',
  'Library',
  'Inbox',
  'Schema',
  'Deleted Nodes',
])
