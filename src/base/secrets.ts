/**
 * Likely secrets in a text, and files that hold little else. Tokens are recognized by their shape
 * (`secret-tokens.ts`), other values by their name and by how random they look (`named-secrets.ts`),
 * and some by what surrounds them (the rules below). A wrong guess either way does harm, so what is
 * meant as an example is let through. Every pattern takes linear time: what it repeats is bounded, or
 * cannot begin again inside of what it has passed.
 */
import { findKubernetesSecrets, findNamedSecrets } from './named-secrets.ts'
import { ascending, descending, inOrder } from './order.ts'
import { lastPart } from './paths.ts'
import { findTokens, isToken } from './secret-tokens.ts'
import { isBasicCredential, isChosenPassword, looksRandom } from './secret-values.ts'

export interface SecretRange {
  readonly start: number
  readonly end: number
}

/** The text without its likely secrets, and how many there were. */
export function redactSecrets(text: string): { readonly text: string; readonly count: number } {
  const secrets = findSecrets(text)
  return { text: replaceSecrets(text, secrets), count: secrets.length }
}

/** Where likely secrets stand; in order, and none touches another. */
export function findSecrets(text: string): readonly SecretRange[] {
  const found = [keysIn, findTokens, findNamedSecrets, findKubernetesSecrets].flatMap((it) =>
    it(text),
  )
  for (const [at, { pattern, sign, isSecret }] of RULES.entries()) {
    if (!sign.test(text) || SCREENS[at]?.test(text) !== true) continue
    for (const match of text.matchAll(pattern)) {
      const [start, end] = match.indices?.findLast((it) => it !== undefined) ?? [0, 0]
      if (isSecret(text.slice(start, end))) found.push({ start, end })
    }
  }
  return mergeRanges(found)
}

/** The text with fillers in place of these ranges, which are in order. */
export function replaceSecrets(text: string, secrets: readonly SecretRange[]): string {
  let result = ''
  let from = 0
  for (const { start, end } of secrets) {
    result += text.slice(from, start) + filler(end - start)
    from = end
  }
  return result + text.slice(from)
}

/** The same, with as many lines as before: what follows a private key keeps its number. */
export function redactSecretsInLines(text: string): {
  readonly text: string
  readonly count: number
} {
  const secrets = findSecrets(text)
  const pieces = secrets.flatMap(({ start, end }) => linesOfRange(text, start, end))
  return { text: replaceSecrets(text, pieces), count: secrets.length }
}

function linesOfRange(text: string, start: number, end: number): readonly SecretRange[] {
  let from = start
  return text
    .slice(start, end)
    .split('\n')
    .map((line) => {
      const piece = { start: from, end: from + line.length }
      from = piece.end + 1
      return piece
    })
}

const FILLER = '[redacted]'

/** Never longer than what it stands for: a text that fitted still fits. */
function filler(length: number): string {
  return length < FILLER.length ? '*'.repeat(length) : FILLER
}

export function containsRedaction(text: string): boolean {
  return text.includes(FILLER) || text.includes('****')
}

/** Whether a file is there to hold credentials, by its name. */
export function isCredentialPath(path: string): boolean {
  const name = lastPart(path).toLowerCase()
  // `.npmrc` is not among them: most hold settings, and a token inside is found by itself.
  return (CREDENTIAL_NAME.test(name) || CREDENTIAL_PATH.test(path)) && !EXAMPLE_FILE.test(name)
}

const EXAMPLE_FILE = /(?:^|[._-])(?:example|sample|template|dist|defaults?|schema|pub)(?:[._-]|$)/
const CREDENTIAL_NAME = new RegExp(
  [
    String.raw`^\.env(?:\.|$)|\.env$|^\.envrc$`,
    String.raw`\.(?:pem|key|p12|pfx|jks|keystore|kdbx|ppk|ovpn|mobileprovision)$`,
    String.raw`^id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?$`,
    String.raw`^[._]netrc$|^\.pgpass$|^\.my\.cnf$|^\.htpasswd$|^\.git-credentials$|^\.dockercfg$`,
    String.raw`^(?:aws_)?credentials(?:\.(?:json|ya?ml|ini|toml|csv))?$`,
    String.raw`^client_secrets?[\w.-]{0,100}\.json$|^service[-_]?account[\w.-]{0,100}\.json$`,
    String.raw`^secrets?\.(?:json|ya?ml|ini|toml|env)$|^master\.key$|^terraform\.tfstate`,
  ].join('|'),
)
const CREDENTIAL_PATH = /(?:^|\/)\.(?:aws\/config|docker\/config\.json|kube\/config|ssh\/[^/]+)$/

interface Rule {
  /** Groups hold the secrets. */
  readonly pattern: RegExp
  /** Part of every match: a pattern that takes next to no time. */
  readonly sign: RegExp
  isSecret(value: string): boolean
}

/** No value ends at `[`: a filler may begin there, and what is before it was judged with it. */
const RULES: readonly Rule[] = [
  {
    pattern: /Bearer ([A-Za-z0-9._~+/-]{20,512}={0,2})(?![A-Za-z0-9._~+/=[-])/dg,
    sign: /Bearer /,
    isSecret: looksRandom,
  },
  {
    pattern:
      /(?:Basic |"auth"\s?:\s?"|_auth\s?=\s?"?)([A-Za-z0-9+/]{8,512}={0,2})(?![A-Za-z0-9+/=[])/dg,
    sign: /Basic |"auth"|_auth/,
    isSecret: isBasicCredential,
  },
  {
    pattern:
      /Authorization["']?\s?[:=,]\s?["'`]?(?:token|apikey|api-key|key) ([A-Za-z0-9._~+/=-]{16,512})(?![A-Za-z0-9._~+/=[-])/dgi,
    sign: /uthorization|AUTHORIZATION/,
    isSecret: looksRandom,
  },
  {
    pattern: /:\/\/[^\s/:@"'`<>{}$]{0,64}:([^\s/:@"'`<>{}$()[\]]{6,128})@[A-Za-z0-9[]/dg,
    sign: /:\/\//,
    isSecret: isChosenPassword,
  },
  {
    pattern:
      /(?:hooks\.slack\.com\/(?:services|workflows|triggers)\/|discord(?:app)?\.com\/api\/webhooks\/[0-9]{15,21}\/|\.webhook\.office\.com\/webhookb2\/[0-9a-f@-]{60,90}\/IncomingWebhook\/)([A-Za-z0-9_/-]{32,120})(?![A-Za-z0-9_/[-])/dg,
    sign: /hooks\.slack|\/webhooks\/|\.webhook\./,
    isSecret: isToken,
  },
  {
    pattern:
      /\bcurl\b(?:[^\n\\]|\\[^]){0,300}?\s(?:-u|--user)[ =]{0,2}["']?[^\s:"'$]{1,64}:([^\s"'$][^\s"']{3,127})(?![^\s"'])/dg,
    sign: /\bcurl\b/,
    isSecret: isChosenPassword,
  },
  {
    pattern:
      /\bsshpass -p ?["']?([^\s"'$]{4,128})(?![^\s"'])|\bmysql(?:dump|admin)?\b[^\n\\|;]{0,200}? -p["']?([^\s"'$]{4,128})(?![^\s"'])/dg,
    sign: /\bsshpass|\bmysql/,
    isSecret: isChosenPassword,
  },
  {
    // Of PuTTY.
    pattern:
      /^Private-Lines: [0-9]{1,4}\r?\n((?:[A-Za-z0-9+/=]{1,80}\r?\n){0,200}[A-Za-z0-9+/=]{1,80})(?=\r?$)/dgm,
    sign: /Private-Lines/,
    isSecret: isToken,
  },
]

/** The same patterns, to be asked whether there is anything at all: mostly there is not. */
const SCREENS = RULES.map(
  ({ pattern }) => new RegExp(pattern.source, pattern.flags.replace(/[dg]/g, '')),
)

const KEY_BEGIN = /-----BEGIN (?:[A-Z0-9]{1,16} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g

/** What stands between the marks of a private key, or after the first where a cut has taken the second. */
function keysIn(text: string): readonly SecretRange[] {
  const found: SecretRange[] = []
  if (!text.includes('-----BEGIN ')) return found
  for (const match of text.matchAll(KEY_BEGIN)) {
    const start = match.index + match[0].length
    const next = text.indexOf('-----', start)
    const end = next < 0 ? text.length : next
    const body = text.slice(start, end)
    if (!/[A-Za-z0-9+/=]{40}/.test(body)) continue
    const blanks = body.length - body.trimStart().length
    found.push({ start: start + blanks, end: start + body.trimEnd().length })
  }
  return found
}

const byPlace = inOrder<SecretRange>(
  ascending((it) => it.start),
  descending((it) => it.end),
)

function mergeRanges(ranges: readonly SecretRange[]): readonly SecretRange[] {
  const result: SecretRange[] = []
  for (const range of ranges.toSorted(byPlace)) {
    const before = result.at(-1)
    if (before === undefined || range.start > before.end) result.push(range)
    else if (range.end > before.end) {
      result[result.length - 1] = { start: before.start, end: range.end }
    }
  }
  return result
}
