/** The inputs that every operation on a docs pack shares. */
import { z } from '../../../platform/schema.ts'
import { optional, withDefault } from '../input.ts'

export const segmentInput = {
  segment: withDefault(
    z.string().check(z.minLength(1)),
    '.',
    'Folder of documents, relative to the repository root.',
  ),
  repoRoot: optional(
    z.string().check(z.minLength(1)),
    'Folder that source paths are relative to (default: the current folder).',
  ),
}

export const packInput = {
  ...segmentInput,
  pack: optional(z.string().check(z.minLength(1)), 'The pack file, if it is not in the segment.'),
}

export const SEGMENT_SHORT = { segment: 's', repoRoot: 'r' } as const
export const PACK_SHORT = { ...SEGMENT_SHORT, pack: 'p' } as const

interface PackInput {
  readonly segment: string
  readonly repoRoot?: string | undefined
  readonly pack?: string | undefined
}

/** A pack to read, as the engine names it. */
export function toSegmentRequest(input: PackInput): {
  readonly segment: string
  readonly repoRoot: string | undefined
  readonly output: string | undefined
} {
  return { segment: input.segment, repoRoot: input.repoRoot, output: input.pack }
}
