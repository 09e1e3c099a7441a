/**
 * Reads the fields of a node from its tuples, each a label and its values. A briefing writes all
 * fields as lines of one tuple, distinguished only by indentation; these become fields too.
 */
import { collapseSpaces } from '../../../base/text.ts'
import type { NoteField, NoteValue } from '../../../model/note.ts'
import { BUILT_IN_LABELS, BUILT_IN_VALUES, isBuiltIn, TUPLE, TYPE_LABEL } from './doc-types.ts'
import { listChildren, NOTE, PLACE, VALUE } from './node-status.ts'
import type { ExportReading } from './reading.ts'

/** Fields by name, in order of first occurrence. */
export type FieldMap = Map<string, NoteValue[]>

export interface NodeTuple {
  readonly node: number
  readonly tuple: number
}

/** Whether this child of a node is one of its fields. */
export function isField(reading: ExportReading, { node, tuple }: NodeTuple): boolean {
  const { table } = reading.standing
  return table.type[tuple] === TUPLE && table.owner[tuple] === node
}

/** A tuple with more children than this holds the lines of a briefing. */
const MAX_VALUES = 50

export function addFields(
  reading: ExportReading,
  { node, tuple }: NodeTuple,
  fields: FieldMap,
): void {
  const { table } = reading.standing
  const [label, ...values] = listChildren(table, tuple)
  if (label === undefined || values.length === 0) return
  const isBriefing = values.length >= MAX_VALUES || isBriefingLine(reading, label)
  if (isBriefing) return addBriefing(reading, { node, tuple }, fields)
  const name = readLabel(reading, node, label)
  if (name === undefined) return
  for (const value of values) addValue(fields, name, readValue(reading, node, value))
}

export function listFields(fields: FieldMap): readonly NoteField[] {
  return fields.size === 0 ? NO_FIELDS : [...fields].map(([name, values]) => ({ name, values }))
}

const NO_FIELDS: readonly NoteField[] = []

function addValue(fields: FieldMap, name: string, value: NoteValue | undefined): void {
  if (value === undefined) return
  const values = fields.get(name)
  if (values === undefined) fields.set(name, [value])
  else values.push(value)
}

function readLabel(reading: ExportReading, node: number, label: number): string | undefined {
  const { table } = reading.standing
  if (table.isPresent[label] === 1) return reading.texts.resolveName(label) || undefined
  const id = table.ids.getText(label)
  if (isBuiltIn(id)) return id === TYPE_LABEL ? undefined : BUILT_IN_LABELS[id]
  reading.reportUnresolved(node, id)
  return undefined
}

function readValue(reading: ExportReading, node: number, value: number): NoteValue | undefined {
  const { table, status: is } = reading.standing
  if (table.isPresent[value] === 0) {
    const id = table.ids.getText(value)
    const text = BUILT_IN_VALUES[id]
    if (text === undefined && !isBuiltIn(id)) reading.reportUnresolved(node, id)
    return text === undefined ? undefined : { text }
  }
  if (is[value] === NOTE) {
    return { text: reading.texts.resolveName(value), target: table.ids.getText(value) }
  }
  if (is[value] !== VALUE && is[value] !== PLACE) return undefined
  const text = reading.text(node, reading.texts.rawName(value))
  return text === '' ? undefined : { text }
}

/** `  - Label:` opens a field, `  - Label: value` is one, and what is further in is a value. */
const LINE = /^ {2}- (.*)$/s
const INNER_LINE = /^ {3,}(?:- )?(.*)$/s
const LABEL = /^([^:]{1,80}):\s*(.*)$/s

function isBriefingLine(reading: ExportReading, node: number): boolean {
  const { table, status: is } = reading.standing
  return table.isPresent[node] === 1 && is[node] === VALUE && LINE.test(reading.texts.rawName(node))
}

function addBriefing(reading: ExportReading, { node, tuple }: NodeTuple, fields: FieldMap): void {
  const { table, status: is } = reading.standing
  const [first, ...rest] = listChildren(table, tuple)
  if (first === undefined) return
  const opening = isBriefingLine(reading, first) ? undefined : readLabel(reading, node, first)
  let name = opening ?? 'Briefing'
  for (const line of opening === undefined ? [first, ...rest] : rest) {
    if (is[line] !== VALUE) {
      if (line !== first) addValue(fields, name, readValue(reading, node, line))
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
