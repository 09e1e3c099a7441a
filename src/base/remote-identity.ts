/**
 * What a repository is called wherever it is cloned: host and path of a remote's address. Who logs
 * in, with what, by which protocol and port is no part of it.
 */
import { findSecrets } from './secrets.ts'

const WITH_PROTOCOL = /^(?:https?|ssh|git|git\+ssh|ssh\+git|ftps?):\/\/([^/?#]*)\/([^?#]*)/i
/** `git@host:owner/name`; one letter before the colon is a drive, and two colons begin a helper. */
const LIKE_SCP = /^([^/\\:]{2,}):(?!:|\/\/)([^?#]+)/
const IDENTITY = /^(?:[a-z0-9][a-z0-9.-]*|\[[0-9a-f:.]+\])(?:\/[^\s/@:\\\p{C}]+)+$/u
const LONGEST = 256

/** `github.com/owner/name`. Undefined for a path of this machine, and for what may hold a secret. */
export function remoteIdentity(url: string): string | undefined {
  const { authority, path } = splitUrl(url.trim()) ?? {}
  if (authority === undefined || path === undefined) return undefined
  const host = authority.slice(authority.lastIndexOf('@') + 1).replace(/:\d*$/, '')
  const segments = path.split('/').filter((it) => it !== '')
  const name = segments.join('/').replace(/\.git$/i, '')
  const identity = `${host.toLowerCase()}/${name}`
  const isSafe = identity.length <= LONGEST && findSecrets(identity).length === 0
  return IDENTITY.test(identity) && isSafe ? identity : undefined
}

interface Address {
  readonly authority: string
  readonly path: string
}

function splitUrl(url: string): Address | undefined {
  const [, authority, path] = WITH_PROTOCOL.exec(url) ?? LIKE_SCP.exec(url) ?? []
  return authority === undefined || path === undefined ? undefined : { authority, path }
}
