/** The result of resolving a selector. */
import type { Diagnostic } from '../../model/diagnostic.ts'
import type { Flow, Provenance } from '../../model/evidence.ts'
import { sha256 } from '../../platform/hash.ts'

/** One piece of evidence before it is named. */
export interface PickedPiece {
  readonly title: string
  readonly provenance: Provenance
  readonly body: string
  readonly language: string
  /** The name from which the name of the part is derived: `flow.sh`. */
  readonly nameSource: string
  /** The path of the file, native and absolute, if the piece is a whole file. */
  readonly wholeFile: string | undefined
  /** Hashes of all lines of the file, if a range of lines was picked. */
  readonly sourceLines?: readonly string[]
  /** A message for the user: a range was widened. */
  readonly note?: string
}

export interface PickResult {
  readonly pieces: readonly PickedPiece[]
  /** Files that a pattern matches and that cannot be evidence. */
  readonly diagnostics: readonly Diagnostic[]
}

export interface PickContext {
  readonly flow: Flow
  /** The workspace of notes, if it is not the default one. */
  readonly workspace?: string | undefined
  /** Title of the evidence that is refreshed: the id of a section changes with its text. */
  readonly title?: string | undefined
}

export function computeCid(data: string | Uint8Array): string {
  return `sha256:${sha256(data)}`
}
