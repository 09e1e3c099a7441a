/** Real tokens of a text. Everything that enforces a budget counts with one of these. */
export type CountTokens = (text: string) => number
