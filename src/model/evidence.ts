/**
 * Hand-picked context: a folder of plain files, each with a rank, a kind and a role in its name.
 * What is known of them is read from the names and the texts, and from nowhere else.
 */

export const PART_ROLES = ['system', 'user', 'evidence'] as const

export type PartRole = (typeof PART_ROLES)[number]

/** A linked part is read where it lies, at the moment of assembly, and is always in. */
export type PartState = 'active' | 'skipped' | 'linked'

/** One file of a flow's context. */
export interface ContextPart {
  /** From the flow's folder, with `/`: `ctx/evidence/100_flow_sh.evidence.md`. */
  readonly path: string
  /** Rank and kind, as people call it: `100_flow_sh`. */
  readonly name: string
  /** Three digits of text, never a number: `080`. */
  readonly rank: string
  readonly kind: string
  readonly role: PartRole
  readonly state: PartState
}

/** A folder for one task: `.dossier/flows/<slug>-<time>` with `ctx` and `build`. */
export interface Flow {
  /** The name of its folder. */
  readonly id: string
  /** Native and absolute. */
  readonly folder: string
  /** What paths of sources are relative to: native and absolute. */
  readonly root: string
}

/** A file that gets another name; both from the flow's folder. */
export interface Move {
  readonly from: string
  readonly to: string
}

/** All of it happens, or nothing does. */
export interface FolderChange {
  readonly moves: readonly Move[]
  /** Files that are written after everything has moved. */
  readonly writes: readonly Write[]
}

export type Write =
  | {
      readonly path: string
      readonly text: string
      /** It can be made again, and so need not outlive a power cut. */
      readonly isRemade?: boolean
    }
  /** A symbolic link to a native, absolute path. */
  | { readonly path: string; readonly linkTo: string }

/** Which part of a source was taken. Lines from 1, inclusive; bytes from 0, without the end. */
export type Span =
  | { readonly unit: 'full' }
  | { readonly unit: 'lines' | 'bytes'; readonly start: number; readonly end: number | 'EOF' }

/** Where a piece of evidence came from: what its comment says. */
export interface Provenance {
  /** `file://` and the path from the root, `symbol:…`, `chunk:…`, `doc:…` or `note:…`. */
  readonly sourceUri: string
  /** `sha256:` of all of the source as it was. */
  readonly cid: string
  readonly span: Span
  readonly tags: readonly string[]
}

/** What `build/ctxplan.json` says. */
export interface ContextPlan {
  readonly version: '1.0'
  readonly flow_id: string
  readonly order_rule: 'lexical'
  readonly parts: readonly PlanPart[]
  /** Of the parts that are in the prompt. */
  readonly total_bytes: number
  /** `sha256:` of `build/prompt.mdctx`. */
  readonly ctx_digest: string
  /** How many likely secrets are redacted in the prompt; absent where there are none. */
  readonly redacted?: number
}

export interface PlanPart {
  readonly rank: string
  readonly kind: string
  readonly role: PartRole
  readonly uri: string
  readonly cid: string
  readonly bytes: number
  readonly status: PartState
  /** Why a part that is not switched off is skipped: it does not fit into the limit of tokens. */
  readonly reason?: string
}
