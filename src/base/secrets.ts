/**
 * Likely secrets in a text, and files that hold little else. Tokens are told by the prefixes that
 * their makers gave them for this purpose, other literals by the name that they are assigned to and
 * by how random they look. A wrong guess either way does harm, so what is meant as an example is
 * let through. Every pattern takes linear time: what it repeats is bounded, or cannot begin again
 * inside of what it has passed.
 */
import { ascending, descending, inOrder } from './order.ts'
import { lastPart } from './paths.ts'

export interface SecretRange {
  readonly start: number
  readonly end: number
}

/** The text without its likely secrets, and how many there were. */
export function redacted(text: string): { readonly text: string; readonly count: number } {
  const secrets = secretsIn(text)
  return { text: withoutSecrets(text, secrets), count: secrets.length }
}

/** Where likely secrets stand; in order, and none touches another. */
export function secretsIn(text: string): readonly SecretRange[] {
  const found = [...keysIn(text)]
  for (const [at, { pattern, sign, isSecret }] of RULES.entries()) {
    if (!sign.test(text) || SCREENS[at]?.test(text) !== true) continue
    for (const match of text.matchAll(pattern)) {
      const [start, end] = match.indices?.[1] ?? [0, 0]
      if (isSecret(text.slice(start, end))) found.push({ start, end })
    }
  }
  return united(found)
}

/** The text with fillers in place of these ranges, which are in order. */
export function withoutSecrets(text: string, secrets: readonly SecretRange[]): string {
  let result = ''
  let from = 0
  for (const { start, end } of secrets) {
    result += text.slice(from, start) + filler(end - start)
    from = end
  }
  return result + text.slice(from)
}

const FILLER = '[redacted]'

/** Never longer than what it stands for: a text that fitted still fits. */
function filler(length: number): string {
  return length < FILLER.length ? '*'.repeat(length) : FILLER
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
  /** The first group is the secret. */
  readonly pattern: RegExp
  /** Stands in whatever matches, if anything does: a pattern that takes next to no time. */
  readonly sign: RegExp
  isSecret(value: string): boolean
}

const WORD = 'A-Za-z0-9_-'

/** What the makers of tokens let them begin with, and how they go on. */
const TOKENS: readonly string[] = [
  '(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}',
  'gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{60,}',
  `gl(?:pat|dt|rt|cbt|ptt|ft|soat|imt|agent)-[${WORD}]{20,}`,
  'xox[abeoprs]-(?=[A-Za-z0-9-]{0,20}[0-9])[A-Za-z0-9-]{16,}|xapp-[0-9]-[A-Za-z0-9-]{20,}',
  '[rs]k_(?:live|test)_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9]{24,}',
  'npm_[A-Za-z0-9]{36,}',
  `AIza[${WORD}]{35,}|GOCSPX-[${WORD}]{28,}|ya29\\.[${WORD}]{20,}`,
  `sk-(?:ant|proj|svcacct|admin|or)-[${WORD}]{20,}|sk-[A-Za-z0-9]{40,}`,
  'hf_[A-Za-z0-9]{34,}|r8_[A-Za-z0-9]{37,}|gsk_[A-Za-z0-9]{50,}',
  `pypi-AgEI[${WORD}]{50,}|dckr_pat_[${WORD}]{27,}|do[opr]_v1_[0-9a-f]{64,}`,
  `SG\\.[${WORD}]{22}\\.[${WORD}]{43,}|hvs\\.[${WORD}]{24,}|shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32,}`,
  'AGE-SECRET-KEY-1[0-9A-Z]{58,}',
  `eyJ[${WORD}]{10,}\\.eyJ[${WORD}]{10,}\\.[${WORD}]{16,}`,
]

const NAMES =
  'pass(?:word|wd|phrase)|pwd|secret|token|credentials?|(?:api|access|auth|private|secret|signing|encryption|account)[_-]?key'
/** No `=` but at the end: it would let a match begin inside of another. */
const LITERAL = '[A-Za-z0-9+/_.~!@#%^&*-]{16,256}={0,2}'

const RULES: readonly Rule[] = [
  {
    pattern: new RegExp(`(?<![${WORD}])(${TOKENS.join('|')})(?![${WORD}])`, 'dg'),
    sign: /[A-Za-z0-9_-]{16}/,
    isSecret: (value) => !EXAMPLE_TOKEN.test(value) && new Set(value).size >= FEWEST_CHARACTERS,
  },
  {
    pattern: new RegExp(
      `(?:${NAMES})(?:[_-]?(?:key|base|value))?(?:["'\\]]{0,2}|\\s?:\\s?&?[A-Za-z]{1,12})\\s{0,4}(?::=|=>|[:=])\\s{0,4}["'\`](${LITERAL})["'\`]`,
      'dgi',
    ),
    sign: /["'`][^\s"'`]{16}/,
    isSecret: looksRandom,
  },
  {
    // Files of settings for shells and package managers have no quotes.
    pattern: new RegExp(
      `(?:(?:PASSWORD|PASSWD|SECRET|TOKEN|KEY)(?:_BASE)?=|_authToken=|_password=|AccountKey=)(${LITERAL})(?![^\\s;"'])`,
      'dg',
    ),
    sign: /=/,
    isSecret: looksRandom,
  },
  {
    pattern: /Bearer ([A-Za-z0-9._~+/-]{20,512}={0,2})(?![A-Za-z0-9._~+/=-])/dg,
    sign: /Bearer /,
    isSecret: looksRandom,
  },
  {
    pattern: /:\/\/[^\s/:@"'`<>{}$]{0,64}:([^\s/:@"'`<>{}$()[\]]{6,128})@[A-Za-z0-9[]/dg,
    sign: /:\/\//,
    isSecret: (value) => !COMMON_PASSWORD.test(value),
  },
  {
    pattern: /hooks\.slack\.com\/services\/(T[A-Z0-9]{8,12}\/B[A-Z0-9]{8,12}\/[A-Za-z0-9]{24})/dg,
    sign: /hooks\.slack\.com/,
    isSecret: () => true,
  },
]

/** The same patterns, to be asked whether there is anything at all: mostly there is not. */
const SCREENS = RULES.map(
  ({ pattern }) => new RegExp(pattern.source, pattern.ignoreCase ? 'i' : ''),
)

const FEWEST_CHARACTERS = 8
const EXAMPLE_TOKEN = /example|xxxx|1234567|abcdefg/i
const EXAMPLE =
  /example|sample|dummy|fake|placeholder|changeme|redacted|xxxx|(?:[^a-z]|^)(?:your|test|my)(?:[^a-z]|$)|secret|passw|token|1234567|abcdefg|qwerty|deadbeef/i
const COMMON_PASSWORD =
  /^(?:.*pass.*|pwd?|secret.*|token|key|user.*|admin|root|test.*|example|foo|bar|baz|hunter2|postgres.*|mysql|guest|rabbitmq|redis|x+|\*+|\.+|[0-9]{1,6}|%.*)$/i

/** Letters and digits, many different ones, and hardly a word among them. */
function looksRandom(value: string): boolean {
  if (EXAMPLE.test(value) || !/[0-9]/.test(value) || !/[A-Za-z]/.test(value)) return false
  let wordly = 0
  for (const [word] of value.matchAll(/[A-Za-z][a-z]{4,}|[A-Z]{6,}/g)) wordly += word.length
  return wordly < value.length / 2 && entropy(value) >= LEAST_ENTROPY
}

/** Bits per character; of sixteen hexadecimal digits at random it is 3.3 on the average. */
const LEAST_ENTROPY = 3

function entropy(value: string): number {
  const counts = new Map<string, number>()
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values()) {
    const share = count / value.length
    bits -= share * Math.log2(share)
  }
  return bits
}

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

function united(ranges: readonly SecretRange[]): readonly SecretRange[] {
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
