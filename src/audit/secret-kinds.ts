/** One kind of secret: what it looks like. Where a pattern has a group named `secret`, only that is taken out. */
export interface SecretKind {
  readonly kind: string
  readonly pattern: RegExp
}

/** Not the middle of a longer word. Because nothing begins inside a word, no text is read twice. */
const START = '(?<![A-Za-z0-9_-])'
const END = '(?![A-Za-z0-9_-])'
const WORD = '[A-Za-z0-9]'
const WORD_OR_DASH = '[A-Za-z0-9_-]'

/** Key and value on one line, each perhaps in quotes, which a JSON text within a JSON text escapes. */
const SEPARATOR = String.raw`\\?["'\x60]?[ \t]*[=:][ \t]*\\?["'\x60]?`
/** Up to a blank, a quote, `;`, `,`, a brace, or what was taken out before. */
const VALUE = String.raw`(?:(?!\\["'\x60]|\[redacted:)[^\s"'\x60;,{}])`

function alone(kind: string, pattern: string): SecretKind {
  return { kind, pattern: new RegExp(START + pattern + END, 'g') }
}

/** For secrets without a fixed length: they go on as far as they can. */
function open(kind: string, pattern: string): SecretKind {
  return { kind, pattern: new RegExp(START + pattern, 'g') }
}

function after(kind: string, name: string, secret: string): SecretKind {
  return { kind, pattern: new RegExp(`${name}(?<secret>${secret})`, 'gi') }
}

/** In the order in which they are looked for, after private keys, and before card numbers. */
export const secretKinds: readonly SecretKind[] = [
  { kind: 'slack-webhook', pattern: /https:\/\/hooks\.slack\.com\/(?:services|workflows|triggers)\/[A-Za-z0-9_/-]+/g },
  alone('aws-access-key', '(?:AKIA|ASIA)[A-Z0-9]{16}'),
  open('github-token', `gh[opusr]_${WORD}{36,}`),
  alone('github-token', `github_pat_${WORD}{22}_${WORD}{59}`),
  open('gitlab-token', `glpat-${WORD_OR_DASH}{20,}`),
  open('slack-token', `xox[abprs]-${WORD_OR_DASH}{20,}`),
  open('stripe-key', `[sr]k_(?:live|test)_${WORD}{16,}`),
  alone('google-api-key', `AIza${WORD_OR_DASH}{35}`),
  open('anthropic-key', `sk-ant-${WORD_OR_DASH}{32,}`),
  open('openai-key', `sk-(?:(?:proj|svcacct|admin)-${WORD_OR_DASH}{32,}|${WORD}{32,})`),
  alone('npm-token', `npm_${WORD}{36}`),
  open('pypi-token', `pypi-AgEIcHlwaS5vcmc${WORD_OR_DASH}{50,}`),
  alone('sendgrid-key', String.raw`SG\.${WORD_OR_DASH}{22}\.${WORD_OR_DASH}{43}`),
  alone('huggingface-token', 'hf_[A-Za-z]{34}'),
  alone('digitalocean-token', 'do[opr]_v1_[A-Fa-f0-9]{64}'),
  // In addresses of its API the word "bot" stands before it.
  { kind: 'telegram-token', pattern: new RegExp(`(?:${START}|(?<=/bot))[0-9]{8,10}:AA${WORD_OR_DASH}{33}${END}`, 'g') },
  alone('groq-key', `gsk_${WORD}{52}`),
  alone('replicate-token', `r8_${WORD}{37}`),
  alone('perplexity-key', `pplx-${WORD}{48}`),
  alone('shopify-token', 'shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{32}'),
  alone('databricks-token', 'dapi[A-Fa-f0-9]{32}'),
  alone('age-key', 'AGE-SECRET-KEY-1[A-Z0-9]{58}'),
  open('jwt', String.raw`eyJ${WORD_OR_DASH}{5,}\.eyJ${WORD_OR_DASH}{5,}\.${WORD_OR_DASH}{8,}`),
  after('azure-storage-key', 'AccountKey=', `[A-Za-z0-9+/]{86}==${END}`),
  after('aws-secret-key', `aws_secret_access_key${SEPARATOR}`, '[A-Za-z0-9+/]{40}(?![A-Za-z0-9+/_-])'),
  after('bearer', String.raw`authorization${SEPARATOR}bearer[ \t]+`, `${VALUE}{16,}`),
  after('basic-auth', String.raw`authorization${SEPARATOR}basic[ \t]+`, `${VALUE}{8,}`),
  // A port is no password: what follows it may contain an @.
  { kind: 'url-password', pattern: /(?<=[A-Za-z0-9+.-]):\/\/(?:\[redacted:[a-z-]+\]|[^\s"'`/?#:@[])*:(?![0-9]{1,5}[?#])(?<secret>[^\s"'`/]+)@(?=[^\s"'`/@])/g },
  after('password', `(?:password|passwd|pwd|passphrase)${SEPARATOR}`, `${VALUE}{4,}`),
  after('secret-value', `(?:api[-_]?key|client[-_]?secret|secret[-_]?key|access[-_]?token|auth[-_]?token)${SEPARATOR}`, `${VALUE}{8,}`),
]

/** True for what stands in the place of a secret: a variable, a gap to fill, a row of stars or of x, also after the beginning of a key. */
export function isPlaceholder(secret: string): boolean {
  return (
    /^(?:\$\{|\$\(|\{\{|<|\*{3}|\.\.\.|…|process\.env|os\.environ)/.test(secret) ||
    /^%[A-Za-z_]\w*%?$/.test(secret) ||
    /^(?:AKIA|ASIA|AIza|(?:[a-z0-9]{2,8}[-_]){1,2})?[xX]+(?:-[xX]+)*$/.test(secret)
  )
}
