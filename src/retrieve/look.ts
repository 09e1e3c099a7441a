/** What can be told of chunks and files without reading them: by handle, and by number of the file. */
import { bestPlaces } from '../base/best.ts'
import type { PathRole } from '../base/path-roles.ts'
import type { ScoreTerm } from '../model/search.ts'
import type { Catalogue } from './catalogue.ts'
import { type AnsweringSection, findAnsweringSections, isSaid } from './headings.ts'
import type { NamedPlaces } from './places.ts'
import type { WordScores } from './sparse.ts'
import { CHUNK_TERMS, FILE_TERMS, ROLE_TERMS, term } from './terms.ts'
import type { Understood } from './understand.ts'

const FAR_MORE = 2
const FIRST_LOOK = 16

/**
 * So many chunks of a file are candidates by their scores alone. Each further one loses, in log-odds;
 * those beyond half of all candidates come after everything else.
 */
const SPREAD = { free: 10, lag: 1, beyondMost: 100 } as const

/** What may be among the seeds, and which kinds of files do not stand back. */
export interface Wanted {
  isWanted(file: number): boolean
  readonly roles: ReadonlySet<PathRole>
}

interface LookParts {
  readonly catalogue: Catalogue
  readonly query: Pick<Understood, 'words' | 'isHowTo'>
  readonly request: Wanted
  readonly words: WordScores
  readonly places: NamedPlaces
}

/** Everything that is known without reading a chunk, by handle and by file. */
export class Look {
  readonly parts: LookParts
  /** Of each file: what any of its chunks has most of. */
  readonly best: Float64Array
  readonly named: Float64Array
  readonly covered: Float64Array
  /** Sections of documents whose headings say what a question of how to do something asks. */
  readonly answering: readonly AnsweringSection[]
  /** By handle, how much a chunk is like the first hits: nothing until that is known. */
  learned: ((handle: number) => number) | undefined
  #scores: Float64Array | undefined
  /** The largest share of the question that one chunk of source holds. */
  readonly #mostOfSource: number
  /** The words of the question itself, in all forms, and how many words that is. */
  readonly said: ReadonlySet<string>
  readonly #count: number
  readonly #answeringFiles: ReadonlySet<number>

  constructor(parts: LookParts) {
    const files = parts.catalogue.layout.paths.length
    this.parts = parts
    this.best = new Float64Array(files)
    this.named = new Float64Array(files)
    this.covered = new Float64Array(files)
    const { words, catalogue } = parts
    const { touched } = words
    const { best: ofFile, named, covered } = this
    const { fileOf } = catalogue
    const { chunks, named: allNamed, covered: allCovered } = words
    for (let at = 0; at < touched.length; at += 1) {
      const handle = touched[at] as number
      const file = fileOf[handle] as number
      const score = chunks[handle] as number
      if (score > (ofFile[file] as number)) ofFile[file] = score
      const ownNamed = allNamed[handle] as number
      if (ownNamed > (named[file] as number)) named[file] = ownNamed
      const ownCovered = allCovered[handle] as number
      if (ownCovered > (covered[file] as number)) covered[file] = ownCovered
    }
    this.#mostOfSource = mostOfSource(covered, catalogue)
    this.answering = parts.query.isHowTo
      ? findAnsweringSections(catalogue, words, parts.query.words)
      : []
    this.#answeringFiles = new Set(this.answering.map(({ handle }) => fileOf[handle] as number))
    const own = parts.query.words.filter(isSaid)
    this.said = new Set(own.map((it) => it.word))
    this.#count = new Set(own.map((it) => it.said)).size
  }

  /** 1 for a file whose name is all that the question says, less the more it says besides. */
  #isCalledSo(file: number): number {
    const { words, catalogue } = this.parts
    if ((words.inPath[file] ?? 0) === 0) return 0
    const stem = catalogue.stemOf(file)
    const isWhole = stem.length > 0 && stem.every((forms) => forms.some((it) => this.said.has(it)))
    return isWhole ? Math.min(1, stem.length / this.#count) : 0
  }

  /** Whether the current file is another one, and the question does not say which it means. */
  #isOldCopy(file: number): boolean {
    const folder = this.parts.catalogue.oldFolderOf(file)
    return folder !== '' && !this.said.has(folder)
  }

  /**
   * What is no source stands back, unless the question speaks of its kind, or says much that no
   * source says: then it is about this.
   */
  standsBack(file: number): boolean {
    const { catalogue, request } = this.parts
    const role = catalogue.roleOf(file)
    if (role === 'source' || request.roles.has(role)) return false
    if (this.#answeringFiles.has(file)) return false
    return (this.covered[file] ?? 0) <= FAR_MORE * this.#mostOfSource
  }

  /** By the words of the question alone, tests and docs like everything else. */
  textScore(handle: number): number {
    const { words, catalogue } = this.parts
    const file = catalogue.fileOf[handle] ?? 0
    return ofText(words.files[file] ?? 0, words.chunks[handle] ?? 0)
  }

  byWords(limit: number): readonly number[] {
    const { touched, chunks, files } = this.parts.words
    const { fileOf } = this.parts.catalogue
    const scores = new Float64Array(touched.length)
    for (let at = 0; at < touched.length; at += 1) {
      const handle = touched[at] ?? 0
      scores[at] = ofText(files[fileOf[handle] ?? 0] ?? 0, chunks[handle] ?? 0)
    }
    return best(touched, scores, limit)
  }

  /** Of those that are wanted, by all that is known so far. */
  likeliest(limit: number): readonly number[] {
    const { touched } = this.parts.words
    this.#scores ??= this.#allScores()
    const { learned } = this
    if (learned === undefined) return this.#bestStanding(this.#scores, limit)
    const weight = CHUNK_TERMS['chunk like the first hits']
    const scores = this.#scores.slice()
    for (let at = 0; at < scores.length; at += 1)
      scores[at] = (scores[at] as number) + weight * learned(touched[at] as number)
    return this.#bestStanding(scores, limit)
  }

  /**
   * Of scores that a file may still lose by what it is for, by not being wanted, and by how many of
   * it come before: that is found out for the best alone, of as many as it takes until none of the
   * others could be among them.
   */
  #bestStanding(scores: Float64Array, limit: number): readonly number[] {
    const { touched } = this.parts.words
    const { fileOf } = this.parts.catalogue
    for (let count = 2 * limit; ; count *= 2) {
      const highest = bestPlaces(scores, count)
      const next = highest.length < scores.length ? (scores[highest.at(-1) ?? 0] ?? 0) : -Infinity
      const places = highest.toSorted()
      const behind = this.#lagOfFurther(highest, limit / 2)
      const standing = Float64Array.from(places, (at) => {
        const file = fileOf[touched[at] ?? 0] ?? 0
        return (scores[at] ?? 0) + this.#standing(file) - (behind.get(at) ?? 0)
      })
      const chosen = bestPlaces(standing, limit)
      const least = chosen.length < limit ? -Infinity : (standing[chosen.at(-1) ?? 0] ?? 0)
      if (least > next || next === -Infinity) {
        return Array.from(chosen, (at) => touched[places[at] ?? 0] ?? 0)
      }
    }
  }

  /**
   * By place: what further chunks of a file lose, so that one large file does not take most of the
   * candidates. The places are given best first.
   */
  #lagOfFurther(places: Iterable<number>, most: number): ReadonlyMap<number, number> {
    const { fileOf } = this.parts.catalogue
    const { touched } = this.parts.words
    const counts = new Map<number, number>()
    const lags = new Map<number, number>()
    for (const at of places) {
      const file = fileOf[touched[at] ?? 0] ?? 0
      const count = (counts.get(file) ?? 0) + 1
      counts.set(file, count)
      const excess = count > most ? SPREAD.beyondMost : 0
      if (count > SPREAD.free) lags.set(at, SPREAD.lag * Math.log(count / SPREAD.free) + excess)
    }
    return lags
  }

  /**
   * In the order of those that are touched, of what the words alone tell; asked for twice. The sum
   * of `chunkTerms` but for what is learned, in one loop: there are very many.
   */
  #allScores(): Float64Array {
    const { catalogue, words } = this.parts
    const { fileOf } = catalogue
    const { touched, chunks, covered, named, signed } = words
    const inChunk = CHUNK_TERMS['words in chunk']
    const share = CHUNK_TERMS['share of the question']
    const inNames = CHUNK_TERMS['in its names']
    const inSignature = CHUNK_TERMS['in its signature']
    const besideHit = CHUNK_TERMS['beside a hit']
    const files = new Float64Array(catalogue.layout.paths.length).fill(Number.NaN)
    const scores = new Float64Array(touched.length)
    for (let at = 0; at < touched.length; at += 1) {
      const handle = touched[at] as number
      const file = fileOf[handle] as number
      let ofFile = files[file] as number
      if (Number.isNaN(ofFile)) {
        ofFile = this.#fileScore(file)
        files[file] = ofFile
      }
      const before = fileOf[handle - 1] === file ? (chunks[handle - 1] as number) : 0
      const after = fileOf[handle + 1] === file ? (chunks[handle + 1] as number) : 0
      scores[at] =
        ofFile +
        (inChunk * (chunks[handle] as number) +
          share * (covered[handle] as number) +
          inNames * (named[handle] as number) +
          inSignature * (signed[handle] as number) +
          besideHit * (before > after ? before : after))
    }
    return scores
  }

  fileTerms(file: number): readonly ScoreTerm[] {
    const { words, places, catalogue } = this.parts
    const role = catalogue.roleOf(file)
    return [
      term(FILE_TERMS, 'words in file', words.files[file] ?? 0),
      term(FILE_TERMS, 'best chunk of file', this.best[file] ?? 0),
      term(FILE_TERMS, 'words in a name', this.named[file] ?? 0),
      term(FILE_TERMS, 'much of the question at once', this.covered[file] ?? 0),
      term(FILE_TERMS, 'file is named', places.files.get(file) ?? 0),
      term(FILE_TERMS, 'is called so', this.#isCalledSo(file)),
      term(FILE_TERMS, 'is an old copy', this.#isOldCopy(file) ? 1 : 0),
      { name: role, value: this.standsBack(file) ? ROLE_TERMS[role] : 0 },
    ]
  }

  /** The sum of `fileTerms` but for how it stands, for the many that are not looked at closely. */
  #fileScore(file: number): number {
    const { words, places } = this.parts
    return (
      FILE_TERMS['words in file'] * (words.files[file] ?? 0) +
      FILE_TERMS['best chunk of file'] * (this.best[file] ?? 0) +
      FILE_TERMS['words in a name'] * (this.named[file] ?? 0) +
      FILE_TERMS['much of the question at once'] * (this.covered[file] ?? 0) +
      FILE_TERMS['file is named'] * (places.files.get(file) ?? 0) +
      FILE_TERMS['is called so'] * this.#isCalledSo(file)
    )
  }

  /** Never more than 0. */
  #standing(file: number): number {
    const { request, catalogue } = this.parts
    if (!request.isWanted(file)) return -Infinity
    const old = this.#isOldCopy(file) ? FILE_TERMS['is an old copy'] : 0
    return old + (this.standsBack(file) ? ROLE_TERMS[catalogue.roleOf(file)] : 0)
  }

  chunkTerms(handle: number): readonly ScoreTerm[] {
    const { words } = this.parts
    return [
      term(CHUNK_TERMS, 'words in chunk', words.chunks[handle] ?? 0),
      term(CHUNK_TERMS, 'share of the question', words.covered[handle] ?? 0),
      term(CHUNK_TERMS, 'in its names', words.named[handle] ?? 0),
      term(CHUNK_TERMS, 'in its signature', words.signed[handle] ?? 0),
      term(CHUNK_TERMS, 'beside a hit', this.#beside(handle)),
      term(CHUNK_TERMS, 'chunk like the first hits', this.learned?.(handle) ?? 0),
    ]
  }

  #beside(handle: number): number {
    const { words, catalogue } = this.parts
    const { fileOf, handles } = catalogue
    const file = fileOf[handle]
    const before = handle > 0 && fileOf[handle - 1] === file ? (words.chunks[handle - 1] ?? 0) : 0
    const after =
      handle + 1 < handles && fileOf[handle + 1] === file ? (words.chunks[handle + 1] ?? 0) : 0
    return Math.max(before, after)
  }
}

/** The first of those that cover most that is a source: what the others are for need not be known. */
function mostOfSource(covered: Float64Array, { roleOf }: Catalogue): number {
  for (let count = FIRST_LOOK; ; count *= 4) {
    const highest = bestPlaces(covered, count)
    const source = highest.find((file) => roleOf(file) === 'source')
    if (source !== undefined) return covered[source] ?? 0
    if (highest.length < count) return 0
  }
}

function ofText(ofFile: number, ofChunk: number): number {
  return (0.3 * ofFile + ofChunk) / 1.3
}

/** Of equals the one that stands first, by path and place, as the handles do that are given. */
function best(handles: Uint32Array, scores: Float64Array, limit: number): readonly number[] {
  return Array.from(bestPlaces(scores, limit), (at) => handles[at] ?? 0)
}
