/**
 * Tokens that can be recognized by their shape alone: most makers give them a prefix for this
 * purpose. Each pattern is what follows no other letter, digit, `_` or `-`, and is followed by none.
 */

import type { SecretRange } from './secrets.ts'

const WORD = '[A-Za-z0-9_-]'
const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'

/** By maker. What may be longer than it is today has no upper limit. */
const TOKENS: Readonly<Record<string, string>> = {
  adobe: 'p8e-[A-Za-z0-9]{32}',
  age: 'AGE-SECRET-KEY-1[0-9A-Z]{58,}',
  airtable: 'pat[A-Za-z0-9]{14}\\.[0-9a-f]{64}',
  alibaba: 'LTAI[A-Za-z0-9]{20}',
  artifactory: 'AKCp[A-Za-z0-9]{69}|cmVmd[A-Za-z0-9]{59}',
  atlassian: `ATATT3${WORD}{100,}`,
  aws: '(?:A3T[A-Z0-9]|AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}|ABSK[A-Za-z0-9+/]{109,}',
  azure: `[A-Za-z0-9_~.]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}`,
  buildkite: 'bk(?:ua|uat|ca|pa)_[0-9a-f]{40}',
  clojars: 'CLOJARS_[A-Za-z0-9]{60}',
  cloudflare: 'cf(?:k|ut|at)_[A-Za-z0-9]{48}|v1\\.0-[0-9a-f]{24}-[0-9a-f]{146}',
  contentful: `CFPAT-${WORD}{43}`,
  databricks: 'dapi[0-9a-f]{32}(?:-[0-9])?',
  digitalOcean: 'do[opr]_v1_[0-9a-f]{64,}',
  discord: `[MNO][A-Za-z0-9_-]{23,27}\\.${WORD}{6}\\.${WORD}{27,40}`,
  docker: `dckr_(?:pat|oat)_${WORD}{27,}`,
  doppler: 'dp\\.(?:pt|st|ct|sa|scim|audit)\\.(?:[a-z0-9_-]{2,35}\\.)?[A-Za-z0-9]{40,44}',
  dropbox: `sl\\.${WORD}{130,}`,
  duffel: `duffel_(?:test|live)_${WORD}{43}`,
  dynatrace: 'dt0c01\\.[A-Za-z0-9]{24}\\.[A-Za-z0-9]{64}',
  easyPost: 'EZ[AT]K[A-Za-z0-9]{54}',
  facebook: 'EAA[MC][A-Za-z0-9]{100,}',
  figma: `fig[do]_${WORD}{40,}`,
  flutterwave: 'FLWSECK(?:_TEST)?-[0-9a-h]{32}-X',
  fly: `fo1_${WORD}{43}|fm[12][ar]?_[A-Za-z0-9+/]{100,}`,
  frameIo: `fio-u-${WORD}{64}`,
  github: 'gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{60,}',
  gitlab: `gl(?:pat|dt|rt|cbt|ptt|ft|ffct|oas|soat|imt|agent)-${WORD}{20,}(?:\\.[0-9a-z]{9})?|GR1348941${WORD}{20}`,
  google: `AIza${WORD}{35,}|GOCSPX-${WORD}{28,}|ya29\\.${WORD}{20,}`,
  grafana: 'glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}|glc_[A-Za-z0-9+/]{32,}|eyJrIjoi[A-Za-z0-9]{70,}',
  groq: 'gsk_[A-Za-z0-9]{50,}',
  harness: `[ps]at\\.${WORD}{22}\\.[A-Za-z0-9]{24}\\.[A-Za-z0-9]{20}`,
  heroku: `HRKU-AA${WORD}{58}`,
  huggingFace: '(?:hf|api_org)_[A-Za-z0-9]{34,}',
  infracost: 'ico-[A-Za-z0-9]{32}',
  jwt: `eyJ${WORD}{10,}\\.eyJ${WORD}{10,}\\.${WORD}{16,}`,
  languageModels: `sk-(?:ant|proj|svcacct|admin|or)-${WORD}{20,}|sk-lf-${UUID}|sk-[A-Za-z0-9]{40,}|sk-[0-9a-f]{32}|pplx-[A-Za-z0-9]{48}|xai-[A-Za-z0-9]{70,}`,
  linear: 'lin_(?:api|oauth)_[A-Za-z0-9]{32,}',
  mailchimp: '[0-9a-f]{32}-us[0-9]{1,2}',
  mailgun: 'key-[0-9a-f]{32}',
  mapbox: `sk\\.eyJ${WORD}{40,}\\.${WORD}{20,}`,
  maxMind: '[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk',
  netlify: 'nf[cpu]_[A-Za-z0-9]{36,}',
  newRelic: `NR(?:AK|II|JS)-${WORD}{19,}`,
  notion: 'ntn_[0-9]{11}[A-Za-z0-9]{35}',
  npm: 'npm_[A-Za-z0-9]{36,}',
  octopus: 'API-[A-Z0-9]{26}',
  onePassword:
    'A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}|ops_eyJ[A-Za-z0-9+/]{200,}',
  openShift: `sha256~${WORD}{43}`,
  plaid: `access-(?:sandbox|development|production)-${UUID}`,
  planetScale: 'pscale_(?:tkn|oauth|pw)_[A-Za-z0-9_.-]{32,}',
  postman: 'PMAK-[0-9a-f]{24}-[0-9a-f]{34}',
  prefect: 'pn[bu]_[A-Za-z0-9]{36}',
  pulumi: 'pul-[0-9a-f]{40}',
  pypi: `pypi-AgE[I-N]${WORD}{50,}`,
  readMe: 'rdme_[a-z0-9]{70}',
  replicate: 'r8_[A-Za-z0-9]{37,}',
  rubyGems: 'rubygems_[0-9a-f]{48}',
  sendGrid: `SG\\.${WORD}{22}\\.${WORD}{43,}`,
  sendinblue: 'xkeysib-[0-9a-f]{64}-[A-Za-z0-9]{16}',
  sentry: 'sntryu_[0-9a-f]{64}|sntrys_eyJ[A-Za-z0-9+/=_]{80,}',
  shippo: 'shippo_(?:live|test)_[0-9a-f]{40}',
  shopify: 'shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32,}',
  slack: 'xox[abeoprs]-(?=[A-Za-z0-9-]{0,20}[0-9])[A-Za-z0-9-]{16,}|xapp-[0-9]-[A-Za-z0-9-]{20,}',
  sonar: 'sq[aup]_[0-9a-f]{40}',
  sourcegraph: 'sgp_(?:(?:[0-9a-f]{16}|local)_)?[0-9a-f]{40}',
  square: `sq0(?:atp|csp)-${WORD}{22,}|EAAA[A-Za-z0-9_-]{60}`,
  stripe: '[rs]k_(?:live|test|prod)_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9]{24,}',
  supabase: 'sbp_[0-9a-f]{40}|sb_secret_[A-Za-z0-9_-]{30,}',
  tailscale: 'tskey-[a-z]{2,20}-[A-Za-z0-9]{8,40}-[A-Za-z0-9]{16,60}',
  telegram: `[0-9]{8,10}:AA${WORD}{33}`,
  terraform: `[A-Za-z0-9]{14}\\.atlasv1\\.${WORD}{60,}`,
  typeform: 'tfp_[A-Za-z0-9]{40,}(?:_[A-Za-z0-9]{10,})?',
  vault: `hv[brs]\\.${WORD}{24,}`,
  vercel: 'vc[aikpr]_[A-Za-z0-9]{24,}',
  yandex: `AQVN${WORD}{35,38}|t1\\.${WORD}{20,}\\.${WORD}{86}`,
}

const TOKEN = new RegExp(`(?:${Object.values(TOKENS).join('|')})(?![A-Za-z0-9_-])`, 'y')
const EXAMPLE = /example|xxxx|1234567|abcdefg/i
const FEWEST_CHARACTERS = 8

/** Placeholders in documentation repeat themselves, or say what they are. */
export function isToken(value: string): boolean {
  return !EXAMPLE.test(value) && new Set(value).size >= FEWEST_CHARACTERS
}

export function findTokens(text: string): readonly SecretRange[] {
  const found: SecretRange[] = []
  let past = 0
  for (const start of startsOfLongRuns(text)) {
    if (start < past) continue
    TOKEN.lastIndex = start
    const [value] = TOKEN.exec(text) ?? []
    if (value === undefined) continue
    past = start + value.length
    if (isToken(value)) found.push({ start, end: past })
  }
  return found
}

/** No token is shorter. */
const SHORTEST = 20
/** 1 for what tokens begin with: letters, digits and the signs between their parts; 2 for word characters. */
const KINDS = new Uint8Array(128)
for (const sign of '.~:+/') KINDS[sign.charCodeAt(0)] = 1
for (let code = 0; code < KINDS.length; code += 1) {
  if (/[A-Za-z0-9_-]/.test(String.fromCharCode(code))) KINDS[code] = 2
}

/**
 * Where a token may begin: at words that so many of its characters follow. Looks at every twentieth
 * character first, and at others only where that one could belong to a token.
 */
function startsOfLongRuns(text: string): readonly number[] {
  const starts: number[] = []
  let start = 0
  while (start + SHORTEST <= text.length) {
    let at = start + SHORTEST - 1
    while (at >= start && kindAt(text, at) > 0) at -= 1
    if (at >= start) {
      start = at + 1
      continue
    }
    let end = start + SHORTEST
    while (end < text.length && kindAt(text, end) > 0) end += 1
    for (let it = start; it <= end - SHORTEST; it += 1) {
      if (it === 0 || kindAt(text, it - 1) < 2) starts.push(it)
    }
    start = end + 1
  }
  return starts
}

function kindAt(text: string, at: number): number {
  return KINDS[text.charCodeAt(at)] ?? 0
}
