/**
 * The fields of a node: its tuples, each a label and the values. What a briefing puts into one tuple
 * line by line, labels and values told apart by their indent alone, becomes fields as well.
 */
import { collapseSpaces } from '../../../base/text.ts'
import type { NoteField, NoteValue } from '../../../model/note.ts'
import { BUILT_IN_LABELS, BUILT_IN_VALUES, isBuiltIn, TUPLE, TYPE_LABEL } from './doc-types.ts'
import type { Reading } from './reading.ts'
import { childrenOf, NOTE, PLACE, VALUE } from './standing.ts'

/** Fields by name, in the order in which they were met. */
export type FieldMap = Map<string, NoteValue[]>

export interface TupleOf {
  readonly node: number
  readonly tuple: number
}

/** Whether this child of a node is one of its fields. */
export function isField(reading: Reading, { node, tuple }: TupleOf): boolean {
  const { table } = reading.standing
  return table.type[tuple] === TUPLE && table.owner[tuple] === node
}

/** More children than a field has values: the lines of a briefing. */
const MOST_VALUES = 50

export function addFields(reading: Reading, { node, tuple }: TupleOf, fields: FieldMap): void {
  const { table } = reading.standing
  const [label, ...values] = childrenOf(table, tuple)
  if (label === undefined || values.length === 0) return
  const isBriefing = values.length >= MOST_VALUES || isLine(reading, label)
  if (isBriefing) return addBriefing(reading, { node, tuple }, fields)
  const name = labelOf(reading, node, label)
  if (name === undefined) return
  for (const value of values) addValue(fields, name, valueOf(reading, node, value))
}

export function fieldList(fields: FieldMap): readonly NoteField[] {
  return fields.size === 0 ? NO_FIELDS : [...fields].map(([name, values]) => ({ name, values }))
}

const NO_FIELDS: readonly NoteField[] = []

function addValue(fields: FieldMap, name: string, value: NoteValue | undefined): void {
  if (value === undefined) return
  const values = fields.get(name)
  if (values === undefined) fields.set(name, [value])
  else values.push(value)
}

function labelOf(reading: Reading, node: number, label: number): string | undefined {
  const { table } = reading.standing
  if (table.there[label] === 1) return reading.texts.nameOf(label) || undefined
  const id = table.ids.textOf(label)
  if (isBuiltIn(id)) return id === TYPE_LABEL ? undefined : BUILT_IN_LABELS[id]
  reading.unresolved(node, id)
  return undefined
}

function valueOf(reading: Reading, node: number, value: number): NoteValue | undefined {
  const { table, is } = reading.standing
  if (table.there[value] === 0) {
    const id = table.ids.textOf(value)
    const text = BUILT_IN_VALUES[id]
    if (text === undefined && !isBuiltIn(id)) reading.unresolved(node, id)
    return text === undefined ? undefined : { text }
  }
  if (is[value] === NOTE) {
    return { text: reading.texts.nameOf(value), target: table.ids.textOf(value) }
  }
  if (is[value] !== VALUE && is[value] !== PLACE) return undefined
  const text = reading.text(node, reading.texts.rawName(value))
  return text === '' ? undefined : { text }
}

/** `  - Label:` opens a field, `  - Label: value` is one, and what is further in is a value. */
const LINE = /^ {2}- (.*)$/s
const INNER_LINE = /^ {3,}(?:- )?(.*)$/s
const LABEL = /^([^:]{1,80}):\s*(.*)$/s

function isLine(reading: Reading, node: number): boolean {
  const { table, is } = reading.standing
  return table.there[node] === 1 && is[node] === VALUE && LINE.test(reading.texts.rawName(node))
}

function addBriefing(reading: Reading, { node, tuple }: TupleOf, fields: FieldMap): void {
  const { table, is } = reading.standing
  const [first, ...rest] = childrenOf(table, tuple)
  if (first === undefined) return
  const opening = isLine(reading, first) ? undefined : labelOf(reading, node, first)
  let name = opening ?? 'Briefing'
  for (const line of opening === undefined ? [first, ...rest] : rest) {
    if (is[line] !== VALUE) {
      if (line !== first) addValue(fields, name, valueOf(reading, node, line))
      continue
    }
    const raw = reading.texts.rawName(line)
    const labelled = LABEL.exec(LINE.exec(raw)?.[1] ?? '')
    if (labelled !== null) name = collapseSpaces(labelled[1] ?? '')
    const inner = LINE.exec(raw)?.[1] ?? INNER_LINE.exec(raw)?.[1] ?? raw
    const text = reading.text(node, labelled === null ? inner : (labelled[2] ?? ''))
    if (text !== '') addValue(fields, name, { text })
  }
}
