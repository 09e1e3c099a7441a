/** Every bullet of an outline program's page as a note, below the page or the heading above it. */
import type { Building } from './building.ts'
import type { RawField, Span } from './draft.ts'
import { type Bullet, bulletText, outlineOf } from './outline.ts'
import { isBlank } from './spans.ts'

/** Bullets are counted through the page, so that a heading between them changes no id. */
export function cutAtBullets(building: Building): void {
  const { page, notes, fields } = building
  const fieldAt = new Map(fields.map((it) => [it.start, it.field]))
  let count = 0
  for (const [note, section] of notes.slice().entries()) {
    const rest: Span[] = []
    for (const stretch of section.content) {
      const outline = outlineOf(page.body, { ...stretch, first: count }, page.marks.literal)
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

interface Section {
  readonly note: number
  /** Whether nothing stands before its first bullet, whose properties may then be the page's. */
  readonly isTop: boolean
  readonly fieldAt: ReadonlyMap<number, RawField>
}

function addBullets(building: Building, bullets: readonly Bullet[], section: Section): void {
  const { page, notes, regions, claim } = building
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
    const { name, content, isCode } = bulletText(page.body, trimmedLines(page.body, own))
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

/** A bullet may begin with its properties, and its words below them. */
function trimmedLines(body: string, lines: readonly Span[]): readonly Span[] {
  const first = lines.findIndex((it) => !isBlank(body, it))
  return first < 0 ? [] : lines.slice(first)
}
