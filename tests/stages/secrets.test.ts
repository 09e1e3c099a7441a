/** F7, F8: likely secrets are blanked out, and code that only talks about them is left alone. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findSecrets, isCredentialPath, redactSecrets } from '../../src/base/secrets.ts'
import { SAMPLES } from '../support/code-files.ts'
import { runs } from '../support/property.ts'

// Put together here, so that no scanner takes this file for a leak.
const RANDOM = 'q7Zt3VbN8xKf2LwR9mYc4HsD6jGp1TaE5uBo0iQkWe7Zr3Xv'
function token(prefix: string, length: number): string {
  return prefix + RANDOM.repeat(3).slice(0, length)
}

const PEM_BODY = `MIIEpAIBAAKCAQEA${RANDOM}\n${RANDOM}${RANDOM}`
const TOKENS: Readonly<Record<string, string>> = {
  aws: `AKIA${'Q3EGBZ7XKTNWLD5V'}`,
  github: token('ghp_', 36),
  githubFine: `${token('github_pat_', 22)}_${RANDOM.slice(0, 44)}${RANDOM.slice(0, 15)}`,
  gitlab: token('glpat-', 20),
  slack: `xoxb-${'29384756102'}-${RANDOM.slice(0, 24)}`,
  stripe: token('sk_live_', 24),
  npm: token('npm_', 36),
  google: token('AIza', 35),
  openai: token('sk-proj-', 48),
  openaiOld: token('sk-', 48),
  anthropic: token('sk-ant-api03-', 80),
  jwt: `${token('eyJ', 30)}.${token('eyJ', 40)}.${RANDOM.slice(0, 43)}`,
  pypi: token('pypi-AgEI', 60),
  age: `AGE-SECRET-KEY-1${'Q3EGBZ7XKTNWLD5V'.repeat(4).slice(0, 58)}`,
}

describe('F7 likely secrets', () => {
  test.each(Object.entries(TOKENS))('F7 a token of a known maker is blanked: %s', (_, secret) => {
    for (const around of [
      `x = "${secret}";`,
      `${secret}`,
      `curl -H "X: ${secret}" u`,
      `(${secret})`,
    ]) {
      expect(redactSecrets(around)).toEqual({
        text: around.replace(secret, '[redacted]'),
        count: 1,
      })
    }
  })

  test.each([
    [`password = "${RANDOM.slice(0, 20)}"`, RANDOM.slice(0, 20)],
    [`const apiKey: string = '${RANDOM.slice(0, 32)}'`, RANDOM.slice(0, 32)],
    ['"client_secret": "8f14e45fceea167a5a36dedd4bea2543"', '8f14e45fceea167a5a36dedd4bea2543'],
    [`API_TOKEN=${RANDOM.slice(0, 30)}`, RANDOM.slice(0, 30)],
    [`//registry/:_authToken=${RANDOM.slice(0, 30)}`, RANDOM.slice(0, 30)],
    [`Authorization: Bearer ${RANDOM.slice(0, 40)}`, RANDOM.slice(0, 40)],
    [`postgres://app:${RANDOM.slice(0, 12)}@db.internal/app`, RANDOM.slice(0, 12)],
  ])('F7 a literal under a telling name is blanked: %s', (text, secret) => {
    expect(redactSecrets(text)).toEqual({ text: text.replace(secret, '[redacted]'), count: 1 })
  })

  test('F7 a private key is blanked between its marks, and where a cut took the second', () => {
    const begin = '-----BEGIN OPENSSH PRIVATE KEY-----'
    const end = '-----END OPENSSH PRIVATE KEY-----'
    expect(redactSecrets(`a\n${begin}\n${PEM_BODY}\n${end}\nb`)).toEqual({
      text: `a\n${begin}\n[redacted]\n${end}\nb`,
      count: 1,
    })
    expect(redactSecrets(`${begin}\n${PEM_BODY}`).text).toBe(`${begin}\n[redacted]`)
    expect(
      redactSecrets(`key = "${begin}\\n${PEM_BODY.replace('\n', '\\n')}\\n${end}"`).count,
    ).toBe(1)
    expect(redactSecrets(`if (line === '${begin}') start()`).count).toBe(0)
  })

  test.each([
    'password = os.environ["DATABASE_PASSWORD_LONG"]',
    'token: string',
    'const token = await getAccessToken(request2)',
    'secret: ${{ secrets.NPM_TOKEN_12345678 }}',
    '"integrity": "sha512-9fVkLuBLkCpPtgzLjbqyC1RoQsb6Ytj8F0Z2oG9xq4WkQ=="',
    'resolved "https://registry.example.org/a/-/a-1.0.0.tgz#c3ab8ff13720e8ad9047dd39466b3c8974e592c2"',
    'commit 9fceb02d0ae598e95dc970b74767f19372d61af8',
    'expect(sha256("x")).toBe("2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881")',
    'password = "correct-horse-battery-staple-2"',
    'api_key = "your-api-key-goes-here-123"',
    'token = "test-token-1234567890"',
    'http://user:password@localhost/',
    'https://${user}:${password}@host/',
    'redis://:${PASSWORD}@host',
    'git@github.com:owner/repository.git',
    'const tokenizer = "o200k_base_2024_long_name"',
    'AKIAIOSFODNN7EXAMPLE',
    'ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
    'sk-learn-contrib-and-some-more-words-that-go-on',
    'Authorization: Bearer <your token>',
  ])('F7 is none: %s', (text) => {
    expect(redactSecrets(text)).toEqual({ text, count: 0 })
  })

  test('F7 what is short gets a short filler', () => {
    expect(redactSecrets('amqp://app:q7Zt3Vb@queue/').text).toBe('amqp://app:*******@queue/')
  })

  test('F7 there is none in the source of this project', () => {
    expect(SAMPLES.filter(({ text }) => findSecrets(text).length > 0)).toEqual([])
  })

  test('F7 a filler is never longer, and nothing is left to blank the second time', () => {
    const piece = fc.oneof(
      fc.constantFrom(...Object.values(TOKENS)),
      fc.constantFrom(
        'password = "',
        '"',
        "'",
        '=',
        ':',
        '@',
        '://a:',
        '-----BEGIN PRIVATE KEY-----',
      ),
      fc.constantFrom(
        '-----END PRIVATE KEY-----',
        'Bearer ',
        'TOKEN=',
        '\n',
        ' ',
        '.',
        '-',
        '_',
        'x',
      ),
      fc.constantFrom('pwd: ', 'secret", "', '--token ', '<password>', '</', ' value="', '\\"'),
      fc.constantFrom('Basic ', 'curl -u a:', 'kind: Secret\ndata:\n  a: ', '; ', '&', '?sig='),
      fc.constantFrom('xK7!qLm2', 'YTpxN1p0M1Zi', '$', '(', ')', '[', ']', '{', '}', '<', '>', '#'),
      fc.constantFrom(PEM_BODY, RANDOM.slice(0, 7), RANDOM.slice(0, 20), '[redacted]', '***', '🎉'),
      fc.string({ maxLength: 6 }),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join('')
        const once = redactSecrets(text)
        expect(once.text.length).toBeLessThanOrEqual(text.length)
        expect(redactSecrets(once.text)).toEqual({ text: once.text, count: 0 })
        if (once.count === 0) expect(once.text).toBe(text)
      }),
      runs(3000),
    )
  })

  test('F7 takes time in proportion to the text, whatever is in it', () => {
    const units = ['eyJ', 'eyJaaaaaaaaaa.', 'eyJaaaaaaaaaa.eyJ', 'password="', 'token=a', '://a:']
    units.push('a:b@', 'sk-', 'ghp_', '-----BEGIN PRIVATE KEY-----', '-----', 'Bearer ', 'SG.a')
    units.push('xoxb-', 'KEY=', ' ', '\n', 'a', 'A1', 'token   ', "token']", '_', '*', 'T/B', '"a1')
    units.push(
      'pass: ',
      '--token a',
      'login a password ',
      'secret", "',
      '<pwd>',
      'curl ',
      'curl -u a',
    )
    units.push('mysql -', 'a: YTpxN1p0\n', 'kind: Secret\ndata:\n', '---\n', 'Private-Lines: 1\n')
    units.push(
      'a.',
      'a/',
      '1:AA',
      'M.',
      'Basic ',
      '_auth=',
      'Basic YTpx',
      'discord.com/api/webhooks/',
    )
    units.push('token value=', 'api_key: a', 'password=`', 'sig=', '?sig=', 'Authorization: token ')
    // In quadratic time a single one of them would exceed the time limit of the test.
    for (const unit of units) {
      const text = unit.repeat(100_000 / unit.length)
      expect(redactSecrets(text).text.length).toBeGreaterThan(0)
    }
  })
})

describe('F8 files of credentials', () => {
  test.each([
    '.env',
    'app/.env.production',
    'prod.env',
    'certs/server.pem',
    'tls.key',
    'home/.ssh/id_rsa',
    'id_ed25519',
    '.netrc',
    'credentials.json',
    'deploy/client_secret_12.apps.json',
    'release.keystore',
    'cert.p12',
    '.htpasswd',
    '.aws/credentials',
    'config/master.key',
  ])('F8 are told by their names: %s', (path) => {
    expect(isCredentialPath(path)).toBe(true)
  })

  test.each([
    '.env.example',
    '.env.sample',
    'src/env.ts',
    'src/credentials.ts',
    'docs/secrets.md',
    'src/key.ts',
    'keys/id_rsa.pub',
    '.npmrc',
    'monkey',
    'src/pem/reader.go',
    'tsconfig.json',
  ])('F8 others are not: %s', (path) => {
    expect(isCredentialPath(path)).toBe(false)
  })
})
