/**
 * The document types of Tana: which are notes, which are parts of notes, and which are internal.
 * Types are stored as small numbers, because there are millions of nodes.
 */
import type { NoteKind } from '../../../model/note.ts'

export interface DocType {
  readonly kind: NoteKind
  /**
   * `note`: given. `part`: what holds a field together. `inner`: the program's own, with all that
   * is below it. `talk`: given, even below what is not.
   */
  readonly role: 'note' | 'part' | 'inner' | 'talk'
}

export const PLAIN = 0
export const TUPLE = 1
export const METANODE = 2

/** By number. The first three have constants. */
const NAMES = [
  '',
  'tuple',
  'metanode',
  'tagDef',
  'attrDef',
  'search',
  'journal',
  'journalPart',
  'codeblock',
  'url',
  'visual',
  'chat',
  'transcript',
  'transcriptLine',
  'workspace',
  'home',
  'settings',
  'viewDef',
  'associatedData',
  'hotkey',
  'command',
  'chatbot',
  'group',
] as const

type TypeName = (typeof NAMES)[number]

const TYPES: Readonly<Record<TypeName, DocType>> = {
  '': { kind: 'note', role: 'note' },
  tuple: { kind: 'system', role: 'part' },
  metanode: { kind: 'system', role: 'inner' },
  tagDef: { kind: 'tag', role: 'note' },
  attrDef: { kind: 'field', role: 'note' },
  search: { kind: 'search', role: 'note' },
  journal: { kind: 'day', role: 'note' },
  journalPart: { kind: 'day', role: 'note' },
  codeblock: { kind: 'code', role: 'note' },
  url: { kind: 'link', role: 'note' },
  visual: { kind: 'media', role: 'note' },
  chat: { kind: 'chat', role: 'talk' },
  transcript: { kind: 'chat', role: 'talk' },
  transcriptLine: { kind: 'chat', role: 'talk' },
  workspace: { kind: 'system', role: 'note' },
  home: { kind: 'system', role: 'note' },
  settings: { kind: 'system', role: 'note' },
  viewDef: { kind: 'system', role: 'inner' },
  associatedData: { kind: 'system', role: 'inner' },
  hotkey: { kind: 'system', role: 'inner' },
  command: { kind: 'system', role: 'inner' },
  chatbot: { kind: 'system', role: 'inner' },
  group: { kind: 'system', role: 'inner' },
}

const NUMBERS: ReadonlyMap<string, number> = new Map(NAMES.map((name, at) => [name, at]))

/** An unknown type is a plain note, so that notes of newer versions of Tana are not lost. */
export function typeNumber(name: unknown): number {
  return typeof name === 'string' ? (NUMBERS.get(name) ?? PLAIN) : PLAIN
}

export function getDocType(number: number): DocType {
  return TYPES[NAMES[number] ?? '']
}

export const TAG_DEFINITION = typeNumber('tagDef')
export const FIELD_DEFINITION = typeNumber('attrDef')
export const LINK = typeNumber('url')
export const CODE = typeNumber('codeblock')

/** `<workspace>_<name>`: system nodes of every workspace. */
const SYSTEM_NODE_ID =
  /^.+_(SCHEMA|STASH|TRASH|CAPTURE_INBOX|SEARCHES|USERS|WORKSPACE|QUICK_ADD|MOVETO|AVATAR|CHATDRAFTS|SIDEBAR_AREAS)$/

/** Layouts, pictures and message drafts: internal data of the program. */
const INTERNAL_NODES: ReadonlySet<string> = new Set([
  'WORKSPACE',
  'MOVETO',
  'AVATAR',
  'CHATDRAFTS',
  'SIDEBAR_AREAS',
])

export type SystemNodeRole = 'place' | 'inner' | 'trash'

/** The role of a system node; undefined for other nodes. */
export function systemNodeRole(id: string): SystemNodeRole | undefined {
  const place = SYSTEM_NODE_ID.exec(id)?.[1]
  if (place === undefined) return undefined
  if (place === 'TRASH') return 'trash'
  return INTERNAL_NODES.has(place) ? 'inner' : 'place'
}

/** Ids of built-in nodes have this form and are never in an export. */
export function isBuiltIn(id: string): boolean {
  return id.startsWith('SYS_')
}

export const TYPE_LABEL = 'SYS_A13'

/** Names of built-in fields. Other built-in fields are internal and not shown. */
export const BUILT_IN_LABELS: Readonly<Record<string, string>> = {
  SYS_A12: 'System reference',
  SYS_A15: 'Search expression',
  SYS_A16: 'Default value',
  SYS_A20: 'Field reference',
  SYS_A61: 'Due date',
  SYS_A90: 'Date',
  SYS_A130: 'Entity type',
  SYS_A142: 'Attendees',
  SYS_A144: 'Search title',
  SYS_A150: 'Speaker',
  SYS_A199: 'Transcript',
  SYS_A252: 'Transcript speaker',
  SYS_A253: 'Transcript start',
  SYS_A254: 'Transcript end',
  SYS_T03: 'Option value',
  SYS_T06: 'Type',
}

export const BUILT_IN_VALUES: Readonly<Record<string, string>> = {
  SYS_V03: 'yes',
  SYS_V04: 'no',
  SYS_D01: 'checkbox',
  SYS_D03: 'date',
  SYS_D05: 'reference',
  SYS_D06: 'text',
  SYS_D08: 'number',
  SYS_D10: 'url',
  SYS_D11: 'email',
  SYS_D12: 'options',
  SYS_D13: 'user',
}
