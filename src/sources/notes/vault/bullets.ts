/** Every bullet of an outline program's page as a note, below the page or the heading above it. */

import { type OutlineBullet, parseOutline, splitBulletText } from './outline.ts'
import type { PropertyField, Span } from './page-draft.ts'
import type { StructureBuilder } from './page-structure.ts'
import { isBlank } from './spans.ts'

/** Bullets are numbered through the whole page, so that a heading between them changes no id. */
export function cutAtBullets(building: StructureBuilder): void {
  const { page, notes, fields } = building
  const fieldAt = new Map(fields.map((it) => [it.start, it.field]))
  let count = 0
  for (const [note, section] of notes.slice().entries()) {
    const rest: Span[] = []
    for (const stretch of section.content) {
      const outline = parseOutline(page.body, { ...stretch, first: count }, page.marks.literal)
      const isTop = note === 0 && count === 0 && outline.rest.every((it) => isBlank(page.body, it))
      rest.push(...outline.rest)
      addBullets(building, outline.bullets, { note, isTop, fieldAt })
      count += outline.bullets.filter((it) => it.parent === undefined).length
    }
    section.content = rest.filter((line) => {
      const field = fieldAt.get(line.start)
      if (field !== undefined) section.fields.push(field)
      return field === undefined
    })
  }
}

interface BulletSection {
  readonly note: number
  /** Whether no text precedes the first bullet; its properties may then be those of the page. */
  readonly isTop: boolean
  readonly fieldAt: ReadonlyMap<number, PropertyField>
}

function addBullets(
  building: StructureBuilder,
  bullets: readonly OutlineBullet[],
  section: BulletSection,
): void {
  const { page, notes, regions, claimId: claim } = building
  const parents = new Set(bullets.map((it) => it.parent))
  const noteOf: number[] = []
  for (const [at, bullet] of bullets.entries()) {
    const own = bullet.lines.filter((it) => !section.fieldAt.has(it.lineStart))
    const fields = bullet.lines.flatMap((it) => section.fieldAt.get(it.lineStart) ?? [])
    const says = own.some((it) => !isBlank(page.body, it))
    const isPages = section.isTop && at === 0 && !says && !parents.has(at)
    const above = bullet.parent === undefined ? section.note : (noteOf[bullet.parent] ?? 0)
    if (isPages || (!says && fields.length === 0 && !parents.has(at))) {
      noteOf.push(section.note)
      if (isPages) notes[section.note]?.fields.push(...fields)
      regions.push({ ...bullet.region, note: section.note })
      continue
    }
    const uuid = fields.find((it) => it.name === 'id')?.values[0]
    const { name, content, isCode } = splitBulletText(page.body, trimBlankLines(page.body, own))
    noteOf.push(notes.length)
    regions.push({ ...bullet.region, note: notes.length })
    notes.push({
      id: claim(`${page.file.id}#${uuid === undefined ? bullet.ordinal : `^${uuid}`}`),
      kind: isCode ? 'code' : uuid === undefined ? 'note' : 'block',
      parent: above,
      start: bullet.region.start,
      name,
      content,
      fields,
      blockIds: uuid === undefined ? [] : [uuid],
    })
  }
}

/** A bullet may start with its properties, followed by its text. */
function trimBlankLines(body: string, lines: readonly Span[]): readonly Span[] {
  const first = lines.findIndex((it) => !isBlank(body, it))
  return first < 0 ? [] : lines.slice(first)
}
