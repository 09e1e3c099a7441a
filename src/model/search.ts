/** What a search asks for and what it answers, whatever is searched. */

/** One thing to look for. */
export interface QueryTerm {
  /** As the store's own tokenizer should see it. */
  readonly word: string
  readonly stem: string
  /** How much of the query it is: 1 for a word that was written, less for a part of one. */
  readonly weight: number
}

/** One named reason for a score; a score is the sum of its terms. */
export interface ScoreTerm {
  readonly name: string
  readonly value: number
}

/** What is known of the collection as a whole. */
export interface CollectionStats {
  readonly chunks: number
  /** Mean length of a chunk, in characters. */
  readonly meanChars: number
  /** In how many chunks each term of the query occurs, in the query's order. */
  readonly frequencies: readonly number[]
}
