import { load as fetchItem } from './store.js'
import type * as types from './store.js'
export * as shelves from './store.js'
export { fetchItem as again }

interface Options {
  readonly size: number
  readonly hooks?: { before?: Hook[] }
}

type Hook = (state: { item: types.Item; count: number }) => void

type Size = Options['size']

export class View {
  static create(options: Options) {
    return new this(options)
  }

  constructor(readonly options: Options) {}

  draw() {
    const shown = { size: this.options.size, label: () => this.options['size'] }
    return shown.label()
  }
}

class Wide extends View {}

function open({ size, hooks }: Options): View {
  let chosen: Options
  chosen = { size, hooks }
  return new Wide(chosen)
}

export function check(value: unknown): Size {
  if (value instanceof Wide) value.draw()
  open({ size: 1, hooks: { before: [({ item, count }) => item.price() + count] } })
  return View.create({ size: 2 }).options.size
}

type Copy<T> = { readonly [K in keyof T]: T[K] | undefined }

interface Box<T> {
  readonly held: T
  map<U>(change: (value: T) => U): Box<U>
}

declare function box<T>(value: T): Box<T>
declare function boxOf<T>(make: (seen: T) => void): Box<T>

export function boxes(view: View, options: Copy<Options>): number {
  const drawn: Box<View> = boxOf((seen) => seen.draw())
  box<View>(view).map((it) => it.options).held.size
  box(view).map((it) => it.draw())
  Object.values({} as Record<string, View>).forEach((it) => it.draw())
  return options.size ?? drawn.held.options.size
}
