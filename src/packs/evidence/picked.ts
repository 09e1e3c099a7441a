/** What picking gives, wherever something was picked from. */
import type { Diagnostic } from '../../model/diagnostic.ts'
import type { Flow, Provenance } from '../../model/evidence.ts'
import { sha256 } from '../../platform/hash.ts'

/** One piece of evidence before it has a name. */
export interface Picked {
  readonly title: string
  readonly provenance: Provenance
  readonly body: string
  readonly language: string
  /** What its file is called after: `flow.sh`. */
  readonly calledAfter: string
  /** The file that it is the whole of, native and absolute, where it is. */
  readonly wholeFile: string | undefined
  /** Hashes of all lines of the file, where a range of them was picked. */
  readonly sourceLines?: readonly string[]
  /** Something that the person should know: a range that had to be widened. */
  readonly note?: string
}

export interface Picking {
  readonly pieces: readonly Picked[]
  /** Files that a pattern matches and that cannot be evidence. */
  readonly diagnostics: readonly Diagnostic[]
}

export interface PickFrom {
  readonly flow: Flow
  /** The workspace of notes, where not the usual one. */
  readonly workspace?: string | undefined
  /** What the evidence that is picked again is called: a section that has changed has another id. */
  readonly title?: string | undefined
}

export function cidOf(data: string | Uint8Array): string {
  return `sha256:${sha256(data)}`
}
