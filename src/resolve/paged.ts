/** Something by small numbers of which most are never asked for: quicker than a map, and short. */

const BITS = 6
const SIZE = 1 << BITS

export class Paged<T> {
  readonly #pages: (T | undefined)[][] = []

  get(at: number): T | undefined {
    const page = this.#pages[at >> BITS]
    return page === undefined ? undefined : page[at & (SIZE - 1)]
  }

  set(at: number, value: T | undefined): void {
    const number = at >> BITS
    // Without gaps between pages, which would make the engine keep them as a map after all.
    while (this.#pages.length <= number) this.#pages.push(NO_PAGE)
    let page = this.#pages[number]
    if (page === undefined || page === NO_PAGE) {
      page = BLANK.slice()
      this.#pages[number] = page
    }
    page[at & (SIZE - 1)] = value
  }
}

/** Copying is much quicker than making. */
const BLANK: readonly undefined[] = Array.from({ length: SIZE }, () => undefined)
const NO_PAGE: never[] = []
