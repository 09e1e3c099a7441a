/** The files of a checkout as lines, each read once: what a tool printed is looked for in them. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export class CheckoutText {
  readonly #folder: string
  readonly #files = new Map<string, readonly string[]>()

  constructor(folder: string) {
    this.#folder = folder
  }

  /** None for what is no file. */
  lines(path: string): readonly string[] {
    const known = this.#files.get(path)
    if (known !== undefined) return known
    const lines = linesIn(join(this.#folder, path))
    this.#files.set(path, lines)
    return lines
  }
}

function linesIn(file: string): readonly string[] {
  try {
    return readFileSync(file, 'utf8').split(/\r?\n/)
  } catch {
    return []
  }
}
