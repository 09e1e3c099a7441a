/** What a node of the Local API is, by its type of document and, for places of the program, its id. */
import type { NoteKind } from '../../../model/note.ts'
import { isBuiltIn, placeOf, typeNumber, typeOf } from '../tana/doc-types.ts'

/** Undefined for what is no note: the parts that hold fields, views and settings together. */
export function kindOf(id: string, docType: string): NoteKind | undefined {
  const { kind, role } = typeOf(typeNumber(docType))
  if (role === 'part' || role === 'inner') return undefined
  return isBuiltIn(id) || placeOf(id) !== undefined ? 'system' : kind
}

/** A name that the program gives to a place of its own, as it stands at the top of a breadcrumb. */
export function isPlaceName(name: string): boolean {
  return PLACE_NAMES.has(name)
}

/** Where the notes of a workspace hang besides its home: these ids are promised by the API. */
export function placesOf(workspaceId: string): readonly string[] {
  return ['STASH', 'CAPTURE_INBOX', 'SCHEMA'].map((it) => `${workspaceId}_${it}`)
}

const PLACE_NAMES: ReadonlySet<string> = new Set([
  'Home',
  'Library',
  'Inbox',
  'Schema',
  'Deleted Nodes',
])
