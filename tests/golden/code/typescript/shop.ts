import Shelf, { type Item, load, Size as Sizes } from './store.js'
import * as store from './store.js'
export { load as fetch } from './store.js'

const shelf = new Shelf(load)

export async function price(id: string): Promise<number> {
  const item = await shelf.find(id)
  return item.price() + Sizes.Large
}

function show({ id }: Item, total = shelf.total()): string {
  return `${id}: ${total}`
}

export const run = async (): Promise<void> => {
  const found = await store.load('a')
  console.log(show(found))
  const helper = (load: number) => load + 1
  helper(2)
}
