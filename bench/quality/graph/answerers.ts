/** Who can be asked: the index, and the baseline that it has to beat. */
import type { Answer } from './answers.ts'
import { answerByIndex } from './engine.ts'
import { answerByNames } from './names.ts'

export const BASELINE = 'names'

export const ANSWERERS: ReadonlyMap<string, Answer> = new Map([
  [BASELINE, answerByNames],
  ['index', answerByIndex],
])
