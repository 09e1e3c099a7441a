/** Keeps items. See `load` and shop.ts. */
export interface Item {
  readonly id: string
  price(): number
}

export type Loader = (id: string) => Promise<Item>

export abstract class Store<T extends Item> {
  protected readonly items = new Map<string, T>()

  constructor(private readonly loader: Loader) {}

  async find(id: string): Promise<T | Item> {
    const known = this.items.get(id)
    return known ?? (await this.loader(id))
  }

  each(action: (item: T) => void): this {
    this.items.forEach((item) => action(item))
    return this
  }
}

export enum Size {
  Small = 1,
  Large,
}

export function load(id: string): Promise<Item> {
  return Promise.resolve({ id, price: () => Size.Small })
}

export default class Shelf extends Store<Item> {
  total(): number {
    let sum = 0
    this.each((item) => {
      sum += item.price()
    })
    return sum
  }
}
