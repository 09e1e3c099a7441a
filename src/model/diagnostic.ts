/** The world is imperfect: what could not be read as hoped, beside the value that could. */
export interface Diagnostic {
  readonly code: DiagnosticCode
  /** Relative to the repository root. */
  readonly path: string
  readonly message: string
}

export type DiagnosticCode =
  | 'unreadable'
  | 'binary'
  | 'too-large'
  | 'invalid-utf8'
  | 'not-a-file'
  | 'link'
  | 'minified'
  | 'generated'
  | 'unparsable'
  /** Its names could not be followed: it has no edges. */
  | 'unresolvable'
  /** A link or a reference to what is not there. */
  | 'unresolved'
  /** Something that contains or owns itself, over however many steps. */
  | 'cycle'
