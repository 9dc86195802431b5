import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkRedaction } from './check-redaction.ts'
import { cutBeginning } from './cut-beginning.ts'
import { redact, redactBeginning } from './redact.ts'

// Made up, and in pieces, so that no whole key stands in this file.
const many = (count: number, letters = 'EXAMPLE0'): string => letters.repeat(Math.ceil(count / letters.length)).slice(0, count)
const hex = (count: number): string => many(count, '0123456789abcdef')

test.each([
  ['aws-access-key', `ASIA${many(16)}`],
  ['github-token', `ghp_${many(36)}`],
  ['github-token', `gho_${many(80)}`],
  ['github-token', `github_pat_${many(22)}_${many(59)}`],
  ['gitlab-token', `glpat-${many(20)}`],
  ['slack-token', `xoxp-${many(20)}`],
  ['slack-webhook', `https://hooks.slack.com/services/T00000000/B00000000/${many(24)}`],
  ['stripe-key', `rk_live_${many(16)}`],
  ['google-api-key', `AIza${many(35)}`],
  ['anthropic-key', `sk-ant-api03-${many(32)}`],
  ['openai-key', `sk-svcacct-${many(32)}`],
  ['openai-key', `sk-${many(48)}`],
  ['npm-token', `npm_${many(36)}`],
  ['pypi-token', `pypi-AgEIcHlwaS5vcmc${many(50)}`],
  ['sendgrid-key', `SG.${many(22)}.${many(43)}`],
  ['huggingface-token', `hf_${many(34, 'EXAMPLE')}`],
  ['digitalocean-token', `dop_v1_${hex(64)}`],
  ['telegram-token', `123456789:AA${many(33)}`],
  ['groq-key', `gsk_${many(52)}`],
  ['replicate-token', `r8_${many(37)}`],
  ['perplexity-key', `pplx-${many(48)}`],
  ['shopify-token', `shppa_${hex(32)}`],
  ['databricks-token', `dapi${hex(32)}`],
  ['age-key', `AGE-SECRET-KEY-1${many(58)}`],
  ['jwt', `eyJ${many(20)}.eyJ${many(20)}.${many(20)}`],
  ['private-key', `-----BEGIN RSA PRIVATE KEY-----\\n${many(40)}\\n-----END RSA PRIVATE KEY-----`],
  ['card', '4111 1111 1111 1111'],
  ['card', '378282246310005'],
])('a %s is taken out, and what stands around it stays', (kind, secret) => {
  expect(redact(`before (${secret}), after`)).toBe(`before ([redacted:${kind}]), after`)
  expect(redact(`x${secret}`) === `x${secret}`).toBe(kind !== 'private-key' && kind !== 'slack-webhook')
})

test.each([
  ['AccountKey=', `${many(86)}==`, ';EndpointSuffix=x', 'azure-storage-key'],
  ['AWS_SECRET_ACCESS_KEY: "', many(40), '"', 'aws-secret-key'],
  ['"Authorization": "Bearer ', many(16), '"', 'bearer'],
  ['authorization: basic ', many(8), '\n', 'basic-auth'],
  ['postgres://app:', 'p@ss:w#rd', '@db.example:5432/shop', 'url-password'],
  ['redis://:', 'pw', '@cache.example', 'url-password'],
  ['export DB_PASSWORD=', 'hunter22', ' # why', 'password'],
  ['{"note":"{\\"pwd\\":\\"', 'hunter22', '\\"}"}', 'password'],
  ['passphrase: ', 'abcd', '\r\n', 'password'],
  ["apiKey = '", 'hunter222', "'", 'secret-value'],
  ['ACCESS-TOKEN:', 'hunter222', ';', 'secret-value'],
])('after %s the secret is taken out', (before, secret, after, kind) => {
  expect(redact(before + secret + after)).toBe(`${before}[redacted:${kind}]${after}`)
})

test.each([
  'password=${DB_PASSWORD} password: $(pass show db) pwd={{ pw }} password=<changeme> pwd=%DB_PASSWORD% password=******** password: xxxxxxxx',
  'password = process.env.DB_PASSWORD; password=os.environ["PW"]',
  'postgres://app:<password>@db/x postgres://app:${PW}@db/x postgres://app:****@db/x http://localhost:8080?mail=a@b git@host.example:a/b.git',
  ['ghp_', ' sk-proj-', ''].join('x'.repeat(40)),
  'The password must be 12 characters. password_min_length: 12345678, max_tokens=20000000, secret: short',
  'Order 4111 1111 1111 1112, at 1700000000000000000, 123e4567-e89b-42d3-a456-426614174000, 0123456789abcdef0123456789abcdef01234567',
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIEXAMPLE ann@laptop',
  '비밀번호는 열두 자 이상이어야 합니다. 密码必须至少十二个字符',
  '',
])('%s stays', (text) => {
  expect(redact(text)).toBe(text)
})

test('a private key without an end takes everything after it', () => {
  expect(redact('a -----BEGIN EC PRIVATE KEY-----\nEXAMPLE\n-----END CERTIFICATE-----')).toBe('a [redacted:private-key]')
})

test('a token is found in the address of its API', () => {
  expect(redact(`https://api.telegram.org/bot123456789:AA${many(33)}/getMe`)).toBe('https://api.telegram.org/bot[redacted:telegram-token]/getMe')
})

test('a card number is found behind other numbers', () => {
  expect(redact('3 x 4111 1111 1111 1111 12/30')).toBe('3 x [redacted:card] 12/30')
})

test('a known key in the place of a password keeps its kind', () => {
  expect(redact(`PASSWORD=ghp_${many(36)}`)).toBe('PASSWORD=[redacted:github-token]')
})

const piece = fc.constantFrom(
  'password',
  '=',
  ': ',
  'hunter22',
  '"',
  '\\"',
  '://',
  'user',
  '@host',
  '[redacted:',
  'card]',
  '4111 1111 1111 1111',
  ' ',
  '-',
  'Authorization: Bearer ',
  `AKIA${many(16)}`,
  '-----BEGIN PRIVATE KEY-----',
  '-----END PRIVATE KEY-----',
  '%40',
  '${X}',
  'xxxx',
  '\n',
)

test('doing it twice changes nothing', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const once = redact(pieces.join(''))
      expect(redact(once)).toBe(once)
    }),
    { numRuns: 5_000 },
  )
})

test('no text takes more than linear time', () => {
  const longTexts = [
    'a',
    'pass_',
    'password ',
    'password=',
    'eyJ',
    'eyJaaaaa.',
    '4 ',
    '4 4-',
    '4\n',
    '4111 1111 1111 1112 ',
    'a://b:c@',
    'a://',
    '-----BEGIN ',
    'Authorization: Bearer ',
    '-----BEGIN PRIVATE KEY-----',
    'sk-proj-',
    'x',
    '\\',
  ].map((part) => `password=${part.repeat(300_000 / part.length)}`)

  // Quadratic time would be hours, and is ended by the runner.
  expect(longTexts.map((text) => redact(text)).every((text) => text.length > 0)).toBe(true)
})

test('a card number is found in an endless row of digits at the rate of everything else', () => {
  expect(redact(`${'4 '.repeat(200_000)}, 4111-1111-1111-1111`).endsWith(', [redacted:card]')).toBe(true)
})

test('of a long text the beginning is shown, and no secret that was cut into something that nobody knows', () => {
  const token = `ghp_${many(36)}`
  const key = `-----BEGIN PRIVATE KEY-----\n${'KEYBODY\n'.repeat(5_000)}-----END PRIVATE KEY-----`
  const shown = [90, 99, 100].map((before) => redactBeginning(`${'y'.repeat(before)} ${token} ${'z'.repeat(50_000)}`, 100))
  const shrunk = redactBeginning(`${`pwd=${'p'.repeat(500)}\n`.repeat(15)}pwd=${many(1000)}`, 5_000)

  expect(shown).toEqual([`${'y'.repeat(90)} [redacted…`, `${'y'.repeat(99)} …`, `${'y'.repeat(100)}…`])
  expect([redactBeginning('short', 5), redactBeginning(`a ${key} b`, 20_000), redactBeginning(`a ${key} b`, 100)]).toEqual([
    'short',
    'a [redacted:private-key]…',
    'a [redacted:private-key]…',
  ])
  expect(/EXAMPLE0|pppp/.test(shrunk)).toBe(false)
})

test('however often a text that grows is cut, the body of a private key and what begins a line of it stay masked', () => {
  const lines = [
    `say ghp_${many(36)}`,
    '-----BEGIN RSA PRIVATE KEY-----',
    ...Array.from({ length: 250 }, (_, row) => `KEYBODY${row}`),
    '-----END RSA PRIVATE KEY-----',
    'done',
  ]
  let text = ''
  const seen = lines.map((line) => redact((text = cutBeginning(`${text}${line}\n`, 300))))

  expect(seen.filter((shown) => /KEYBODY|EXAMPLE0/.test(shown))).toEqual([])
  expect(seen.at(-1)).toBe('[redacted:private-key]\ndone\n')
})

test('of a line without an end the beginning stays, and a key that begins behind it is not shown; what is far too long for a key is none', () => {
  let text = ''
  for (const part of ['first ', 'x'.repeat(500), ' -----BEGIN PRIVATE KEY-----\n', 'KEYBODY\n'.repeat(50)]) text = cutBeginning(text + part, 200)
  const long = cutBeginning(`-----BEGIN PRIVATE KEY-----\n${'words\n'.repeat(20_000)}`, 200)

  expect(redact(text)).not.toContain('KEYBODY')
  expect(redact(long)).toContain('words')
})

test('an id of ours is no secret, so that an entry keeps it without being asked', () => {
  fc.assert(fc.property(fc.uuid(), (id) => redact(id) === id))
})

test('consentry check redaction answers with the text, and says what is missing', async () => {
  expect(await checkRedaction({ text: 'pwd: hunter22' })).toEqual({ text: 'pwd: [redacted:password]' })
  await expect(checkRedaction({})).rejects.toMatchObject({ code: 'USAGE' })
})
