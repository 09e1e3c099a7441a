/** Diagnostics of unresolved links, with the most similar page name. */
import { nearest } from '../../../base/nearest.ts'
import { lastPart } from '../../../base/paths.ts'
import type { Diagnostic } from '../../../model/diagnostic.ts'

/** Links beyond this are only counted. */
const MAX_REPORTED = 20
/** Above so many names only those with the same first letter are compared. */
const MANY_NAMES = 5000

export function createUnresolvedDiagnostics(
  links: readonly { readonly path: string; readonly target: string }[],
  names: readonly string[],
): readonly Diagnostic[] {
  const told = new Map<string, Diagnostic>()
  for (const { path, target } of links) {
    const key = `${path}\n${target}`
    if (told.has(key)) continue
    if (told.size === MAX_REPORTED) break
    told.set(key, { code: 'unresolved', path, message: formatMessage(target, names) })
  }
  return [...told.values()]
}

function formatMessage(target: string, names: readonly string[]): string {
  const page = (target.split(/[#|]/)[0] ?? '').replace(/\.(?:md|markdown)$/i, '')
  const wanted = lastPart(page) || target
  const first = wanted.slice(0, 1).toLowerCase()
  const likely =
    names.length > MANY_NAMES ? names.filter((it) => it.slice(0, 1).toLowerCase() === first) : names
  const [best] = nearest(wanted, [...new Set(likely)], 1)
  const help = best === undefined ? '' : `; the nearest is \`${best}\``
  return `the link to \`${target}\` has no matching note${help}`
}
