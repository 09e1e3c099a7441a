/** What the engine has to be told of a language. One such table per file of `languages/`. */
import type { Builder, Patterns, Rules } from './builder.ts'

export interface Language {
  readonly id: string
  /** Name of its grammar; none for text that is only cut, not understood. */
  readonly grammar?: string
  /** A longer text is not parsed; `finish` reads what it can from the text alone. */
  readonly longest?: number
  /** With the dot: `.py`. */
  readonly extensions: readonly string[]
  /** Whole names of files: `Makefile`. */
  readonly fileNames?: readonly string[]
  /** Programs named in a `#!` line. */
  readonly interpreters?: readonly string[]
  /** What the grammar is to see of a text, where that is not all of it. */
  readonly see?: (text: string) => Visible
  /** What to try where the grammar stumbles: another text of the same length. */
  readonly mend?: (text: string) => string
  readonly rules?: Rules
  readonly patterns?: Patterns
  /** Runs when the whole tree has been visited. */
  readonly finish?: (build: Builder, path: string) => void
  /** Parts of the file that are written in another language: `<script>` in HTML. */
  readonly embeds?: (build: Builder) => readonly Embedded[]
}

/** A text of the same length in which some places are blank. */
export interface Visible {
  readonly text: string
  /** Starts and ends of these places, in order. */
  readonly hidden: readonly number[]
}

export interface Embedded {
  readonly language: string
  readonly start: number
  readonly end: number
}
