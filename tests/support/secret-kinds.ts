/**
 * Kinds of secrets that are redacted, and texts that only look like secrets. `node bench/secrets.ts`
 * prints the table. Samples are put together at run time, so that no scanner takes this file for a
 * leak.
 */

export interface SecretKind {
  readonly kind: string
  readonly text: string
  /** What must not be readable afterwards. */
  readonly secret: string
}

const LOWER = 'abcdefghijklmnopqrstuvwxyz'
const DIGITS = '0123456789'
const ALPHABETS = {
  digits: DIGITS,
  hex: `${DIGITS}abcdef`,
  lower: `${LOWER}${DIGITS}`,
  upper: `${LOWER.toUpperCase()}234567`,
  letters: `${LOWER}${LOWER.toUpperCase()}`,
  mixed: `${LOWER}${LOWER.toUpperCase()}${DIGITS}`,
  word: `${LOWER}${LOWER.toUpperCase()}${DIGITS}_-`,
  base64: `${LOWER}${LOWER.toUpperCase()}${DIGITS}+/`,
  symbols: `${LOWER}${DIGITS}!@#$%^&*(-_=+)`,
} as const

/** The same characters on every run, different ones for every seed. */
function random(alphabet: keyof typeof ALPHABETS, length: number, seed = 1): string {
  const characters = ALPHABETS[alphabet]
  let state = seed * 7919 + length
  return Array.from({ length }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return characters[Math.floor((state / 2_147_483_648) * characters.length)] ?? ''
  }).join('')
}

function encoded(text: string): string {
  return Buffer.from(text).toString('base64')
}

const UUID = [8, 4, 4, 4, 12].map((it) => random('hex', it, it + 3)).join('-')
const KEY = random('mixed', 32)
const PASSWORD = ['xK7', 'qLm2', '!vR'].join('')
const PEM = Array.from({ length: 4 }, (_, at) => random('base64', 64, at + 1)).join('\n')

/** Tokens that can be told apart by their shape, wherever they occur. */
const TOKENS: Readonly<Record<string, string>> = {
  '1Password secret key': [
    'A3',
    random('upper', 6),
    random('upper', 11),
    random('upper', 5),
    random('upper', 5, 2),
    random('upper', 5, 3),
  ].join('-'),
  '1Password service account': `${'op'}s_eyJ${random('mixed', 300)}`,
  'Adobe client secret': `${'p8'}e-${random('lower', 32)}`,
  age: `AGE-SECRET-${'KEY'}-1${random('upper', 58)}`,
  'Airtable personal token': `${'pa'}t${random('mixed', 14)}.${random('hex', 64)}`,
  'Alibaba access key': `${'LT'}AI${random('lower', 20)}`,
  Anthropic: `${'sk'}-ant-api03-${random('word', 93)}AA`,
  'Artifactory key': `${'AK'}Cp${random('mixed', 69)}`,
  'Atlassian token': `${'AT'}ATT3${random('word', 186)}`,
  'AWS access key': `${'AK'}IA${random('upper', 16)}`,
  'AWS session key': `${'AS'}IA${random('upper', 16)}`,
  'Amazon Bedrock key': `${'AB'}SK${random('base64', 120)}`,
  'Azure client secret': `${random('mixed', 3)}8${'Q'}~${random('mixed', 34)}`,
  'Buildkite token': `${'bk'}ua_${random('hex', 40)}`,
  'Clojars token': `${'CLO'}JARS_${random('hex', 60)}`,
  'Cloudflare token': `${'cf'}ut_${random('mixed', 40)}${random('hex', 8)}`,
  'Cloudflare origin key': `v1.0-${random('hex', 24)}-${random('hex', 146)}`,
  'Contentful token': `${'CF'}PAT-${random('word', 43)}`,
  'Databricks token': `${'da'}pi${random('hex', 32)}`,
  'DigitalOcean token': `${'do'}p_v1_${random('hex', 64)}`,
  'Discord bot token': `${'M'}${random('mixed', 23)}.${random('mixed', 6)}.${random('word', 38)}`,
  'Docker Hub token': `${'dck'}r_pat_${random('word', 27)}`,
  'Doppler token': `${'dp'}.pt.${random('mixed', 43)}`,
  'Dropbox short token': `${'sl'}.${random('word', 135)}`,
  'Duffel token': `${'duf'}fel_live_${random('word', 43)}`,
  'Dynatrace token': `${'dt0'}c01.${random('upper', 24)}.${random('upper', 64)}`,
  'EasyPost key': `${'EZ'}AK${random('mixed', 54)}`,
  'Facebook page token': `${'EA'}AC${random('mixed', 120)}`,
  'Figma token': `${'fig'}d_${random('word', 40)}`,
  'Flutterwave key': `FLW${'SECK'}_TEST-${random('hex', 32)}-X`,
  'Fly.io token': `${'fo'}1_${random('word', 43)}`,
  'Frame.io token': `${'fi'}o-u-${random('word', 64)}`,
  'GitHub token': `${'gh'}p_${random('mixed', 36)}`,
  'GitHub fine-grained token': `github_${'pat'}_${random('mixed', 22)}_${random('mixed', 59)}`,
  'GitLab token': `${'gl'}pat-${random('word', 20)}`,
  'GitLab runner registration': `${'GR'}1348941${random('word', 20)}`,
  'Google API key': `${'AI'}za${random('word', 35)}`,
  'Google OAuth secret': `${'GOC'}SPX-${random('word', 28)}`,
  'Google access token': `${'ya'}29.${random('word', 60)}`,
  'Grafana service account': `${'gl'}sa_${random('mixed', 32)}_${random('hex', 8)}`,
  'Grafana Cloud token': `${'gl'}c_${random('mixed', 60)}`,
  'Groq key': `${'gs'}k_${random('mixed', 52)}`,
  'Harness key': `${'pa'}t.${random('mixed', 22)}.${random('mixed', 24)}.${random('mixed', 20)}`,
  'Heroku key': `${'HR'}KU-AA${random('word', 58)}`,
  'Hugging Face token': `${'h'}f_${random('letters', 34)}`,
  'Infracost key': `${'ic'}o-${random('mixed', 32)}`,
  JWT: `${'ey'}J${random('mixed', 33)}.${'ey'}J${random('mixed', 60)}.${random('word', 43)}`,
  'Linear key': `${'lin'}_api_${random('mixed', 40)}`,
  'Mailchimp key': `${random('hex', 32)}-${'us'}12`,
  'Mailgun key': `${'ke'}y-${random('hex', 32)}`,
  'MaxMind license key': `${random('mixed', 6)}_${random('mixed', 29)}_${'mm'}k`,
  'Netlify token': `${'nf'}p_${random('mixed', 40)}`,
  'New Relic key': `${'NR'}AK-${random('upper', 27)}`,
  'Notion token': `${'nt'}n_${random('digits', 11)}${random('mixed', 35)}`,
  'npm token': `${'np'}m_${random('mixed', 36)}`,
  'Octopus key': `${'AP'}I-${random('upper', 26)}`,
  'OpenAI key': `${'sk'}-${random('mixed', 48)}`,
  'OpenAI project key': `${'sk'}-proj-${random('word', 120)}`,
  'OpenShift token': `${'sha'}256~${random('word', 43)}`,
  'Perplexity key': `${'pp'}lx-${random('mixed', 48)}`,
  'Plaid token': `access-${'prod'}uction-${UUID}`,
  'PlanetScale password': `pscale_${'pw'}_${random('word', 43)}`,
  'Postman key': `${'PM'}AK-${random('hex', 24)}-${random('hex', 34)}`,
  'Prefect key': `${'pn'}u_${random('mixed', 36)}`,
  'Pulumi token': `${'pu'}l-${random('hex', 40)}`,
  'PyPI token': `${'py'}pi-AgEIcHlwaS5vcmc${random('word', 80)}`,
  'ReadMe key': `${'rd'}me_${random('lower', 70)}`,
  'Replicate token': `${'r'}8_${random('mixed', 37)}`,
  'RubyGems key': `${'ruby'}gems_${random('hex', 48)}`,
  'SendGrid key': `${'S'}G.${random('word', 22)}.${random('word', 43)}`,
  'Sendinblue key': `${'xkey'}sib-${random('hex', 64)}-${random('mixed', 16)}`,
  'Sentry user token': `${'sntr'}yu_${random('hex', 64)}`,
  'Shippo token': `${'ship'}po_live_${random('hex', 40)}`,
  'Shopify token': `${'shp'}at_${random('hex', 32)}`,
  'Slack bot token': `${'xo'}xb-${random('digits', 12)}-${random('digits', 12, 2)}-${random('mixed', 24)}`,
  'Slack app token': `${'xa'}pp-1-${random('upper', 11)}-${random('digits', 13)}-${random('hex', 64)}`,
  'Sonar token': `${'sq'}u_${random('hex', 40)}`,
  'Sourcegraph token': `${'sg'}p_${random('hex', 40)}`,
  'Square token': `${'sq'}0atp-${random('word', 22)}`,
  'Stripe key': `${'sk'}_live_${random('mixed', 24)}`,
  'Stripe webhook secret': `${'wh'}sec_${random('mixed', 32)}`,
  'Supabase token': `${'sb'}p_${random('hex', 40)}`,
  'Tailscale key': `${'ts'}key-auth-${random('mixed', 16)}-${random('mixed', 32)}`,
  'Telegram bot token': `${random('digits', 10)}:${'A'}A${random('word', 33)}`,
  'Terraform Cloud token': `${random('mixed', 14)}.${'atlas'}v1.${random('word', 67)}`,
  'Typeform token': `${'tf'}p_${random('mixed', 44)}_${random('mixed', 14)}`,
  'Vault token': `${'hv'}s.${random('word', 95)}`,
  'Vercel token': `${'vc'}p_${random('mixed', 56)}`,
  'xAI key': `${'xa'}i-${random('mixed', 80)}`,
  'Yandex Cloud key': `${'AQ'}VN${random('word', 36)}`,
}

/** Values that are told by what surrounds them. */
const NAMED: readonly SecretKind[] = [
  { kind: 'quoted key in code', text: `const apiKey: string = '${KEY}'`, secret: KEY },
  { kind: 'quoted password in code', text: `password = "${PASSWORD}"`, secret: PASSWORD },
  { kind: 'JSON value', text: `{ "client_secret": "${KEY}" }`, secret: KEY },
  { kind: 'JSON inside a string', text: `"{\\"access_token\\":\\"${KEY}\\"}"`, secret: KEY },
  { kind: 'Ruby hash', text: `config = { :api_key => '${KEY}' }`, secret: KEY },
  { kind: 'Go assignment', text: `authToken := "${KEY}"`, secret: KEY },
  { kind: 'comparison', text: `if (password === '${PASSWORD}') open()`, secret: PASSWORD },
  { kind: 'PHP define', text: `define('DB_PASSWORD', '${PASSWORD}');`, secret: PASSWORD },
  { kind: 'default of a setting', text: `env.get("SECRET_KEY", "${KEY}")`, secret: KEY },
  { kind: 'YAML password', text: `db:\n  user: app\n  password: ${PASSWORD}\n`, secret: PASSWORD },
  { kind: 'YAML token', text: `deploy:\n  token: ${KEY}\n  region: eu\n`, secret: KEY },
  { kind: 'YAML value with a comment', text: `api_key: ${KEY}  # rotate me\n`, secret: KEY },
  { kind: 'YAML list item', text: `- password: ${PASSWORD}\n`, secret: PASSWORD },
  {
    kind: 'properties password',
    text: `spring.datasource.password=${PASSWORD}\n`,
    secret: PASSWORD,
  },
  { kind: 'properties token', text: `service.token=${KEY}\n`, secret: KEY },
  { kind: 'properties with spaces', text: `service.auth-token = ${KEY}\n`, secret: KEY },
  { kind: 'INI value', text: `[db]\npasswd=${PASSWORD}\n`, secret: PASSWORD },
  { kind: 'shell export', text: `export API_TOKEN=${KEY}\n`, secret: KEY },
  { kind: 'dotenv password', text: `DB_PASSWORD=${PASSWORD}\n`, secret: PASSWORD },
  {
    kind: 'AWS secret access key',
    text: `aws_secret_access_key = ${random('base64', 40)}\n`,
    secret: random('base64', 40),
  },
  {
    kind: 'Django SECRET_KEY with symbols',
    text: `SECRET_KEY = '${random('symbols', 50)}'`,
    secret: random('symbols', 50),
  },
  {
    kind: 'Django insecure key',
    text: `SECRET_KEY = 'django-insecure-${random('symbols', 50)}'`,
    secret: random('symbols', 50),
  },
  {
    kind: 'Rails secret_key_base',
    text: `  secret_key_base: ${random('hex', 128)}\n`,
    secret: random('hex', 128),
  },
  {
    kind: 'environment of a container',
    text: `- name: DB_PASSWORD\n  value: ${PASSWORD}\n`,
    secret: PASSWORD,
  },
  {
    kind: 'Kubernetes Secret',
    text: `apiVersion: v1\nkind: Secret\ndata:\n  config: ${encoded(KEY)}\n`,
    secret: encoded(KEY),
  },
  {
    kind: 'XML element',
    text: `<server><password>${PASSWORD}</password></server>`,
    secret: PASSWORD,
  },
  { kind: 'XML attribute', text: `<add key="Password" value="${PASSWORD}" />`, secret: PASSWORD },
  {
    kind: 'connection string',
    text: `"Server=db;User Id=sa;Password=${PASSWORD};"`,
    secret: PASSWORD,
  },
  {
    kind: 'Azure storage key',
    text: `AccountName=a;AccountKey=${random('base64', 86)}==;`,
    secret: random('base64', 86),
  },
  {
    kind: 'Azure SAS signature',
    text: `https://a.blob.core.windows.net/c?sp=r&sig=${random('mixed', 43)}%3D`,
    secret: random('mixed', 43),
  },
  { kind: 'query of an address', text: `GET /v1/items?access_token=${KEY}&page=2`, secret: KEY },
  {
    kind: 'password in an address',
    text: `postgres://app:${PASSWORD}@db.internal/app`,
    secret: PASSWORD,
  },
  { kind: 'password of Redis', text: `redis://:${PASSWORD}@cache:6379/0`, secret: PASSWORD },
  { kind: 'command-line flag', text: `deploy --token ${KEY} --verbose`, secret: KEY },
  { kind: 'command-line flag with =', text: `login --password=${PASSWORD}`, secret: PASSWORD },
  {
    kind: 'curl -u',
    text: `curl -s -u deploy:${PASSWORD} https://ci.internal/job`,
    secret: PASSWORD,
  },
  {
    kind: 'curl --user, quoted',
    text: `curl --user "deploy:${PASSWORD}" https://ci.internal`,
    secret: PASSWORD,
  },
  {
    kind: 'curl over lines',
    text: `curl -X POST \\\n  -u deploy:${PASSWORD} \\\n  https://ci.internal`,
    secret: PASSWORD,
  },
  { kind: 'sshpass -p', text: `sshpass -p '${PASSWORD}' ssh deploy@host`, secret: PASSWORD },
  { kind: 'mysql -p', text: `mysql -u app -p${PASSWORD} shop`, secret: PASSWORD },
  {
    kind: 'netrc',
    text: `machine ci.internal login deploy password ${PASSWORD}`,
    secret: PASSWORD,
  },
  {
    kind: 'Bearer header',
    text: `Authorization: Bearer ${random('word', 40)}`,
    secret: random('word', 40),
  },
  {
    kind: 'Basic header',
    text: `Authorization: Basic ${encoded(`deploy:${PASSWORD}`)}`,
    secret: encoded(`deploy:${PASSWORD}`),
  },
  {
    kind: 'Basic header in code',
    text: `headers = {"Authorization": "Basic ${encoded(`deploy:${PASSWORD}`)}"}`,
    secret: encoded(`deploy:${PASSWORD}`),
  },
  {
    kind: 'token header',
    text: `Authorization: token ${random('hex', 40)}`,
    secret: random('hex', 40),
  },
  { kind: 'API key header', text: `curl -H "X-Api-Key: ${KEY}" https://api.internal`, secret: KEY },
  {
    kind: 'Docker registry login',
    text: `{"auths": {"r.io": {"auth": "${encoded(`ci:${PASSWORD}`)}"}}}`,
    secret: encoded(`ci:${PASSWORD}`),
  },
  { kind: 'npm registry token', text: `//registry/:_authToken=${UUID}`, secret: UUID },
  {
    kind: 'npm registry login',
    text: `//registry/:_auth=${encoded(`ci:${PASSWORD}`)}`,
    secret: encoded(`ci:${PASSWORD}`),
  },
  {
    kind: 'Slack webhook',
    text: `https://hooks.slack.com/services/T${random('upper', 8)}/B${random('upper', 10)}/${random('mixed', 24)}`,
    secret: random('mixed', 24),
  },
  {
    kind: 'Discord webhook',
    text: `https://discord.com/api/webhooks/${random('digits', 18)}/${random('word', 68)}`,
    secret: random('word', 68),
  },
  {
    kind: 'Teams webhook',
    text: `https://acme.webhook.office.com/webhookb2/${UUID}@${UUID}/IncomingWebhook/${random('hex', 32)}/${UUID}`,
    secret: random('hex', 32),
  },
  {
    kind: 'RSA private key',
    text: `-----BEGIN RSA ${'PRIVATE'} KEY-----\n${PEM}\n-----END RSA ${'PRIVATE'} KEY-----`,
    secret: PEM,
  },
  {
    kind: 'PGP private key',
    text: `-----BEGIN PGP ${'PRIVATE'} KEY BLOCK-----\n\n${PEM}\n-----END PGP ${'PRIVATE'} KEY BLOCK-----`,
    secret: PEM,
  },
  {
    kind: 'private key in JSON',
    text: `{"private_key": "-----BEGIN ${'PRIVATE'} KEY-----\\n${PEM.replaceAll('\n', '\\n')}\\n"}`,
    secret: random('base64', 64, 3),
  },
  {
    kind: 'PuTTY private key',
    text: `Public-Lines: 1\nAAAA\nPrivate-Lines: 4\n${PEM}\nPrivate-MAC: 00`,
    secret: PEM,
  },
]

export const SECRET_KINDS: readonly SecretKind[] = [
  ...Object.entries(TOKENS).map(([kind, secret]) => ({
    kind,
    text: `value ${secret} end`,
    secret,
  })),
  ...NAMED,
]

/** Texts that speak of secrets and hold none. */
export const DECOYS: readonly string[] = [
  // Code.
  'password = os.environ["DATABASE_PASSWORD_LONG"]',
  'token: string',
  'interface Login {\n  password: string\n  token: Uint8Array\n  secret: Sha256Hash\n}',
  'const token = await getAccessToken(request2)',
  'token = getToken()',
  'this.token = options.token2',
  'password = hashlib.sha256(raw1).hexdigest()',
  'password: { type: String, required: true }',
  'self.password = make_password2(raw_password)',
  'if (token === tokens[index1]) continue',
  'const tokenizer = "o200k_base_2024_long_name"',
  'TOKEN_COUNT=128000',
  'maxTokens: 128000',
  'token_type = "urn:ietf:params:oauth:token-type:jwt"',
  'secret_name = "prod/database/primary-2024"',
  'privateKey = "/etc/ssl/private/server1.key"',
  'private_key: ./certs/server-2048.pem',
  'password_pattern: "^(?=.*[A-Z])(?=.*[0-9]).{8,}$"',
  'password: "^(?=.*[A-Z])(?=.*[0-9])[A-Za-z0-9]{8,}$"',
  'token: "https://login.example.org/oauth2/v1/token"',
  'assert_equal "secret", params[:password]',
  'struct token *tok = lexer->tok2;',
  'PASSWORD=$(cat /run/secrets/db1)',
  'access_key = data.aws_iam_access_key.ci2.id',
  'key = "user:1001:session"',
  'cache_key: v3-{{ checksum "package-lock.json" }}',
  // References to secrets that are kept elsewhere.
  'secret: ${{ secrets.NPM_TOKEN_12345678 }}',
  'token: ${{ secrets.DEPLOY_TOKEN_2 }}',
  'password: ${DB_PASSWORD}',
  'password: ${DB_PASSWORD:-S3curePw!9x}x',
  'DB_PASSWORD=$DATABASE_PASSWORD_1',
  'password: {{ .Values.db.password2 }}',
  'password: !vault |',
  'password: <%= ENV["DB_PASSWORD_1"] %>',
  'password: %env(DATABASE_PASSWORD_1)%',
  'password = var.db_password_v2',
  'password: *default_password1',
  'secretKeyRef:\n  name: db-credentials-v2\n  key: password',
  'https://${user}:${password}@host/',
  'redis://:${PASSWORD}@host',
  'curl -u "$USER:$TOKEN" https://api.example.org',
  'Authorization: Basic ${credentials}',
  'mysql -u root -p"$MYSQL_PASSWORD" shop',
  // Documentation.
  'password: hunter2',
  'password=changeme',
  'password = "correct-horse-battery-staple-2"',
  'api_key = "your-api-key-goes-here-123"',
  'api_key: YOUR_API_KEY_123456789',
  'token = "test-token-1234567890"',
  'http://user:password@localhost/',
  'curl -u username:password https://api.example.org',
  'curl -u user:pass https://api.example.org',
  `Authorization: Basic ${encoded('Aladdin:open sesame')}`,
  `Authorization: Basic ${encoded('user:pass')}`,
  'Basic authentication1 is off',
  'Authorization: Bearer <your token>',
  `${'AK'}IAIOSFODNN7EXAMPLE`,
  `${'gh'}p_${'x'.repeat(36)}`,
  'sk-learn-contrib-and-some-more-words-that-go-on',
  'The password: at least 8 characters',
  'password: Passwort',
  '"password": "Mot de passe",',
  "'token' => 'Le jeton est invalide',",
  'Set --password to change it',
  'use --token TOKEN_OF_SERVICE_1',
  // Values that look random and are public.
  '"integrity": "sha512-9fVkLuBLkCpPtgzLjbqyC1RoQsb6Ytj8F0Z2oG9xq4WkQ=="',
  'resolved "https://registry.example.org/a/-/a-1.0.0.tgz#c3ab8ff13720e8ad9047dd39466b3c8974e592c2"',
  'commit 9fceb02d0ae598e95dc970b74767f19372d61af8',
  `id: ${UUID}`,
  'expect(sha256("x")).toBe("2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881")',
  `src="data:image/png;base64,${random('base64', 120)}"`,
  '.token-string { color: #a31515; background: #0d1117 }',
  `ssh-rsa AAAAB3NzaC1yc2E${random('base64', 80)} me@host`,
  `-----BEGIN CERTIFICATE-----\n${PEM}\n-----END CERTIFICATE-----`,
  'check_sources("etc/passwd", ["/dir1/etc/passwd", "/dir2/etc/passwd"])',
  'http://user:pass%20pass@example.com/path?query=yes',
  'git@github.com:owner/repository.git',
  '127.0.0.1:8080:AAAA',
]
