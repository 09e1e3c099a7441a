/**
 * A Markdown text becomes chunks: a pure function of name and text that never throws.
 *
 *     front matter ─ headings ─ sections ─ parts where a section is over the limit ─ ids
 */
import { lineTable } from '../../base/line-table.ts'
import { codePointLength } from '../../base/text.ts'
import type { DocChunk, DocReading } from '../../model/doc-chunk.ts'
import { sha256 } from '../../platform/hash.ts'
import { parseBlocks } from './blocks.ts'
import { createChunkIdGenerator } from './chunk-id.ts'
import { type FrontMatter, parseFrontMatter } from './front-matter.ts'
import { normalizeBody, normalizeMarkdown } from './normalize.ts'
import { type Section, splitSections } from './sections.ts'
import { codePointLimit, type SectionPart, type SizeLimit, splitSection } from './split.ts'

export function readDocument(doc: string, text: string, maxChars: number): DocReading {
  const matter = parseFrontMatter(text)
  const content = normalizeMarkdown(text.slice(matter?.end ?? 0))
  const idOf = createChunkIdGenerator(doc)
  return {
    chunks: createChunks(text, matter, codePointLimit(maxChars)).map((it) => ({
      ...it,
      id: idOf(it.titlePath, normalizeBody(it.body)),
    })),
    contentSha256: sha256(content),
    contentChars: codePointLength(content),
  }
}

/** The chunks of a Markdown text, none of them over the limit. */
export function chunkMarkdown(text: string, limit: SizeLimit): readonly Omit<DocChunk, 'id'>[] {
  return createChunks(text, parseFrontMatter(text), limit)
}

function createChunks(
  text: string,
  matter: FrontMatter | undefined,
  limit: SizeLimit,
): readonly Omit<DocChunk, 'id'>[] {
  const bodyStart = matter?.end ?? 0
  const lines = lineTable(text)
  // Blanked, not cut away, so that every line keeps its number.
  const blocks = parseBlocks(bodyStart === 0 ? text : blankOut(text, bodyStart))
  const outline = {
    text,
    lines,
    blocks,
    firstLine: bodyStart === 0 ? 1 : lines.lineAt(bodyStart - 1) + 1,
    documentTitle: matter?.title,
  }
  return splitSections(outline).flatMap((section) => {
    const whole = text.slice(lines.start(section.startLine), lines.end(section.endLine))
    if (limit.size(whole) <= limit.max) {
      return [createChunk(section, { ...section, text: whole }, 0)]
    }
    return splitSection({ ...section, text, lines }, limit).map((part, at) =>
      createChunk(section, part, at + 1),
    )
  })

  function createChunk(section: Section, part: SectionPart, ordinal: number): Omit<DocChunk, 'id'> {
    const headingEnd = lines.start(section.bodyLine) - lines.start(section.startLine)
    const hasHeading = section.level > 0 && part.startLine === section.startLine && ordinal <= 1
    return {
      titlePath: section.titlePath,
      headingLevel: section.level,
      text: part.text,
      body: hasHeading ? part.text.slice(headingEnd) : part.text,
      startLine: part.startLine,
      endLine: part.endLine,
      ...(ordinal === 0 ? {} : { part: ordinal }),
    }
  }
}

function blankOut(text: string, end: number): string {
  return text.slice(0, end).replace(/[^\r\n]/g, ' ') + text.slice(end)
}
