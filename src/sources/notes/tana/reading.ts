/** The state of the second pass over an export, which builds the notes. */

import type { NodeStatuses } from './node-status.ts'
import type { NodeTexts } from './node-texts.ts'

export interface ExportReading {
  readonly standing: NodeStatuses
  readonly texts: NodeTexts
  /** The plain text of this note; nodes that it refers to are added to its references. */
  text(node: number, html: unknown): string
  /** Reports that this note refers to an id that is not in the export. */
  reportUnresolved(node: number, id: string): void
}
