/** What reading a file of Python remembers. */
import { defineState } from '../language-state.ts'

/** By function scope and name: the scope that `global` or `nonlocal` leads to. */
export const outerNames = defineState(() => new Map<string, number>())

export function outerKey(functionScope: number, name: string): string {
  return `${functionScope}:${name}`
}
