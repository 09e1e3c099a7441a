/** Which lines of which files are in evidence, and where they are in the evidence files. */
import { parseEvidence, parseFileUri } from '../../evidence/evidence-text.ts'
import type { LoadedPart } from './prompt.ts'

export interface EvidenceRange {
  readonly part: LoadedPart
  readonly path: string
  /** The cid of the whole source. */
  readonly cid: string
  /** Lines of the source, inclusive. */
  readonly start: number
  readonly end: number
  /**
   * Difference between line numbers of the evidence file and of the source; undefined for linked
   * parts.
   */
  readonly offset: number | undefined
}

export class EvidenceLines {
  readonly #byPath = new Map<string, EvidenceRange[]>()

  constructor(places: readonly EvidenceRange[]) {
    for (const place of places) {
      const known = this.#byPath.get(place.path)
      if (known === undefined) this.#byPath.set(place.path, [place])
      else known.push(place)
    }
  }

  /** Whether all of these lines are in one piece of evidence. */
  covers(path: string, start: number, end: number): boolean {
    return this.rangesIn(path).some((it) => it.start <= start && end <= it.end)
  }

  rangesIn(path: string): readonly EvidenceRange[] {
    return this.#byPath.get(path) ?? []
  }

  paths(): readonly string[] {
    return [...this.#byPath.keys()].toSorted()
  }
}

export function collectEvidenceLines(parts: readonly LoadedPart[]): EvidenceLines {
  return new EvidenceLines(parts.flatMap((part) => findEvidenceRange(part) ?? []))
}

/** Heading, comment, blank line, fence. */
const LINES_BEFORE_BODY = 4

/** Undefined for notes, byte ranges and text that people wrote. */
export function findEvidenceRange(part: LoadedPart): EvidenceRange | undefined {
  const { provenance } = parseEvidence(part.text)
  const path = provenance && parseFileUri(provenance.sourceUri)?.path
  if (provenance === undefined || path === undefined || provenance.span.unit === 'bytes')
    return undefined
  const { span } = provenance
  const start = span.unit === 'lines' ? span.start : 1
  const end = span.unit === 'lines' && span.end !== 'EOF' ? span.end : Number.POSITIVE_INFINITY
  const offset = part.state === 'linked' ? undefined : LINES_BEFORE_BODY - start + 1
  return { part, path, cid: provenance.cid, start, end, offset }
}
