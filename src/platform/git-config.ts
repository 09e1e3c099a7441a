/** The addresses of a repository's remotes, read off the text of its `config`; nothing is run for that. */
import { ascending } from '../base/order.ts'

/** That of `origin` first, then by the remotes' names. Files that it includes are not looked at. */
export function parseRemoteUrls(config: string): readonly string[] {
  const urls = new Map<string, string>()
  let remote: string | undefined
  const lines = config.replace(/^\uFEFF/, '').replaceAll(/\\\r?\n/g, '')
  for (const line of lines.split(/\r?\n/)) {
    const section = SECTION.exec(line)
    if (section !== null) remote = parseRemoteName(section)
    const value = URL_KEY.exec(line.slice(section?.[0].length ?? 0))?.[1]
    if (remote !== undefined && value !== undefined && !urls.has(remote))
      urls.set(remote, parseValue(value))
  }
  const names = [...urls.keys()].toSorted(ascending((it) => (it === 'origin' ? '' : `-${it}`)))
  return names.map((it) => urls.get(it) ?? '')
}

/** `[remote "origin"]`, or as it was once written, `[remote.origin]`. */
const SECTION = /^\s*\[\s*([\w.-]+)\s*(?:"((?:[^"\\]|\\.)*)")?\s*\]/
const URL_KEY = /^\s*url\s*=\s*(.*)$/i

function parseRemoteName([, name = '', quoted]: RegExpExecArray): string | undefined {
  if (quoted !== undefined)
    return name.toLowerCase() === 'remote' ? quoted.replaceAll(/\\(.)/g, '$1') : undefined
  return /^remote\.(.+)$/i.exec(name)?.[1]?.toLowerCase()
}

/** Without quotes, escapes, and what a comment says. */
function parseValue(value: string): string {
  let text = ''
  let isQuoted = false
  for (const [part] of value.matchAll(/\\.|[^\\]/g)) {
    if (part === '"') isQuoted = !isQuoted
    else if (!isQuoted && (part === '#' || part === ';')) break
    else text += part.length === 2 ? part.slice(1) : part
  }
  return text.trim()
}
