/** What the evaluation's own description measured and aims at, to stand beside our figures. */
import type { SetName, Variant } from './tasks.ts'

export interface Mark {
  readonly name: string
  readonly hit1: number
  readonly hit5: number
  readonly hit10: number
  readonly mrr?: number
  /** Gold lines in a pack of 8,000 tokens. */
  readonly lineRec: number
}

export function marksOf(set: SetName, variant: Variant): readonly Mark[] {
  return MARKS[`${set} ${variant}`] ?? []
}

const MARKS: Readonly<Record<string, readonly Mark[]>> = {
  'commit raw': [
    { name: 'BM25, all files', hit1: 0.34, hit5: 0.73, hit10: 0.87, mrr: 0.5, lineRec: 0.59 },
    { name: 'BM25, sources only', hit1: 0.57, hit5: 0.91, hit10: 0.96, mrr: 0.72, lineRec: 0.74 },
    { name: 'aim', hit1: 0.65, hit5: 0.93, hit10: 0.97, lineRec: 0.85 },
  ],
  'commit stripped': [
    { name: 'BM25, all files', hit1: 0.3, hit5: 0.66, hit10: 0.81, mrr: 0.45, lineRec: 0.56 },
    { name: 'BM25, sources only', hit1: 0.5, hit5: 0.85, hit10: 0.92, mrr: 0.65, lineRec: 0.69 },
    { name: 'aim', hit1: 0.58, hit5: 0.9, hit10: 0.95, lineRec: 0.8 },
  ],
  'commit plain': [
    { name: 'BM25, all files', hit1: 0.2, hit5: 0.51, hit10: 0.68, mrr: 0.34, lineRec: 0.38 },
    { name: 'BM25, sources only', hit1: 0.37, hit5: 0.73, hit10: 0.83, mrr: 0.53, lineRec: 0.51 },
    { name: 'aim', hit1: 0.45, hit5: 0.8, hit10: 0.88, lineRec: 0.62 },
  ],
  'issue raw': [
    { name: 'BM25, all files', hit1: 0.2, hit5: 0.45, hit10: 0.61, mrr: 0.32, lineRec: 0.34 },
    { name: 'BM25, sources only', hit1: 0.47, hit5: 0.67, hit10: 0.82, mrr: 0.58, lineRec: 0.53 },
    { name: 'aim', hit1: 0.55, hit5: 0.78, hit10: 0.88, lineRec: 0.62 },
  ],
}
