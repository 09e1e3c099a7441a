import * as store from './store'

interface Source<T = string, Item extends object = object> {
  get(): T
  items: Item[]
}

export function fill(store: store.Missing, Source: Source): Source {
  return Source.get() ? Source : { get: () => store.length, items: [] }
}
