/** Positions as keys, and answers looked up by position. */
import type { Answers, Definition, Reference } from './answers.ts'

export interface Place {
  readonly path: string
  readonly line: number
  readonly column: number
}

export type AtPlace<T> = ReadonlyMap<string, readonly T[]>

export function placeKey({ path, line, column }: Place): string {
  return `${path}:${line}:${column}`
}

export function referencesAt(answers: Answers): AtPlace<Reference> {
  return atPlace([...answers.files].map(([path, file]) => [path, file.references]))
}

export function definitionsAt(answers: Answers): AtPlace<Definition> {
  return atPlace([...answers.files].map(([path, file]) => [path, file.definitions]))
}

function atPlace<T extends Omit<Place, 'path'>>(
  files: readonly (readonly [string, readonly T[]])[],
): AtPlace<T> {
  const found = new Map<string, T[]>()
  for (const [path, items] of files) {
    for (const item of items) {
      const key = placeKey({ path, line: item.line, column: item.column })
      const same = found.get(key)
      if (same === undefined) found.set(key, [item])
      else same.push(item)
    }
  }
  return found
}
