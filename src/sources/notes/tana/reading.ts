/** What the second reading of an export knows while it makes one note after the other. */
import type { NodeTexts } from './node-texts.ts'
import type { Standing } from './standing.ts'

export interface Reading {
  readonly standing: Standing
  readonly texts: NodeTexts
  /** A text that belongs to this note; whom it refers to is noted as one of its references. */
  text(node: number, html: unknown): string
  /** This note points at an id that is not in the export. */
  unresolved(node: number, id: string): void
}
