/** Which lines of which files are in evidence, and where they stand there. */
import { parseEvidence, parseFileUri } from '../../evidence/evidence-text.ts'
import type { LoadedPart } from './prompt.ts'

export interface EvidencePlace {
  readonly part: LoadedPart
  readonly path: string
  /** Of the whole source. */
  readonly cid: string
  /** Lines of the source, inclusive. */
  readonly start: number
  readonly end: number
  /** What to add to a line of the source to have it in the evidence file; undefined in linked ones. */
  readonly offset: number | undefined
}

export class EvidenceLines {
  readonly #byPath = new Map<string, EvidencePlace[]>()

  constructor(places: readonly EvidencePlace[]) {
    for (const place of places) {
      const known = this.#byPath.get(place.path)
      if (known === undefined) this.#byPath.set(place.path, [place])
      else known.push(place)
    }
  }

  /** Whether all of these lines are in one piece of evidence. */
  has(path: string, start: number, end: number): boolean {
    return this.at(path).some((it) => it.start <= start && end <= it.end)
  }

  at(path: string): readonly EvidencePlace[] {
    return this.#byPath.get(path) ?? []
  }

  paths(): readonly string[] {
    return [...this.#byPath.keys()].toSorted()
  }
}

export function evidenceLines(parts: readonly LoadedPart[]): EvidenceLines {
  return new EvidenceLines(parts.flatMap((part) => evidencePlace(part) ?? []))
}

/** Heading, comment, blank line, fence. */
const LINES_BEFORE_BODY = 4

/** Undefined for notes, for bytes, and for what people wrote themselves. */
export function evidencePlace(part: LoadedPart): EvidencePlace | undefined {
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
