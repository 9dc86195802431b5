import { expect, test } from 'vitest'
import { findSecrets } from './find-secrets.ts'
import { parseForm } from './parse-form.ts'

const text = { type: 'string' }

function secretsOf(properties: object): string {
  return findSecrets(parseForm({ type: 'object', properties })).join()
}

/** Phrases of a table, by what they are: names, titles or descriptions of an otherwise innocent field. */
const asks = {
  name: (name: string): boolean => secretsOf({ [name]: text }) !== '',
  title: (title: string): boolean => secretsOf({ value: { ...text, title } }) !== '',
  description: (description: string): boolean => secretsOf({ value: { ...text, title: 'Value', description } }) !== '',
}

function phrases(table: string): readonly string[] {
  return table
    .split(/[|\n]/u)
    .map((phrase) => phrase.trim().replaceAll('\\n', '\n'))
    .filter(Boolean)
}

const secret = {
  name: String.raw`
    userPassword | user_password | dbPassword | DB_PASS | smtp_pass | mysqlPwd | rootPassword | adminpassword | sudoPassword | pinCode | pin_code
    cardPin | userPin | totp | mfaCode | twoFactorCode | 2fa_code | otp_code | seedPhrase | mnemonic | apiSecret | api_secret_key | API_TOKEN
    GITHUB_TOKEN | githubToken | gh_token | authToken | bearerToken | jwt | token | secretAccessKey | AWS_SECRET_ACCESS_KEY | aws_secret_access_key
    privateKey | private_key | ssh_private_key | rsaPrivateKey | client_secret | clientsecret | appSecret | webhook_secret | jwtSecret | JWT_SECRET
    sessionSecret | sessionCookie | credentials | connectionString | connection_string | db_connection_string | securityAnswer | cardNumber | card_number
    ccNumber | cc_number | creditCard | cvv | cvc2 | securityCode | cardExpiry | card_exp | ccExp | passw0rd | passwort | benutzerPasswort
    kreditkartenNummer | contraseña | contrasena`,
  title: String.raw`
    Repeat password | Current password | Old password (leave empty to keep) | Sudo password | Account password | Password for admin@example.com
    Your password, please | What is your password? | Login password | Encryption passphrase | Keystore password | Passcode | Door access code
    Unlock code | PIN | Card PIN | SIM PIN | PIN code | 4-digit PIN | Your PIN number | OTP | TOTP code | 2FA code | MFA code | One-time password
    One time passcode | One-time PIN | SMS code | Login code | Verification code | Authentication code | Recovery code | Backup code | Backup codes
    6-digit code | Code from your authenticator app | Code from the SMS | The code we texted you | Code we emailed you | Enter the code sent to your phone
    Security code | PUK | Seed phrase | Secret recovery phrase | Recovery phrase | Mnemonic phrase | Mnemonic | 12-word seed phrase | Backup phrase
    Wallet private key | API key | Your API key | OpenAI API key | API Key (from the dashboard) | API secret | JWT | Session token | Refresh token
    ID token | Personal access token | Token | Slack bot token | Access token for the API | AWS secret access key | Access key | Storage account key
    Encryption key | Signing key | Decryption key | SSH private key | Private key (PEM) | PGP private key | Service account key (JSON) | HMAC key
    Master key | Pre-shared key | Wi-Fi key | Network security key | Client secret | App secret | Consumer secret | Shared secret | Signing secret
    Webhook secret | TOTP secret | Session cookie | Cookie header | Auth cookie | Authorization header | Bearer token | Credentials | AWS credentials
    Login credentials | Connection string | Security answer | Answer to your secret question | Secret answer | Answer to the security question
    Credit card number | Debit card number | Card number | Credit card | CVV | CVC | CVV2 | CVV/CVC | Card security code | Card verification code
    Expiration date of the card | Card expiration date | Card expiry | Username and password | Email / password | Login (user:password)
    User name or API token | Pa55word | P4ssw0rd | p@ssword | P@$$w0rd | pa$$word | P.a.s.s.w.o.r.d | p-a-s-s-w-o-r-d | P_A_S_S_W_O_R_D | P I N
    A P I  k e y | A.P.I. key | S3cret k3y | T0ken | АРІ key | Раssword | Pаsswоrd | ΡΙΝ | 𝐏𝐚𝐬𝐬𝐰𝐨𝐫𝐝 | ⓟⓐⓢⓢⓦⓞⓡⓓ | Pass\u00adword
    P\u0336a\u0336s\u0336s\u0336word | <strong>Pass</strong>word | **Password** | ${'`'}API${'`'} key | _API key_ | PaSsWoRd | pass\u200dword | Pass&#119;ord
    API\u00a0key | API\nkey | cvv² | 0TP | C V V | ᴘᴀssᴡᴏʀᴅ | t‐o‐k‐e‐n | 패스워드 | 새 비밀번호 | 비밀번호 확인 | 비밀 번호 | 비번 | 인증 코드 | 보안 코드 | 일회용 비밀번호 | OTP 번호
    OTP 6자리 | 핀번호 | PIN 번호 | 토큰 | API 토큰 | 비밀 키 | 시크릿 키 | 개인키 | 암호화 키 | 액세스 키 | 신용카드 번호 | 카드 번호 16자리 | CVC 번호 | 카드 유효기간 | 복구 문구 | 시드 구문 | 니모닉 | 자격 증명
    세션 쿠키 | 보안 질문 답변 | 와이파이 비밀번호 | 계좌 비밀번호 4자리 | 암호를 입력하세요 | 데이터베이스 암호 | API키 | 문자로 받은 인증번호 | 카드 비밀번호 앞 2자리 | 클라이언트 시크릿 | 登录密码 | 支付密码 | 密碼 | 新密码 | 确认密码
    口令 | 验证码 | 驗證碼 | 手机验证码 | 动态口令 | 一次性密码 | API密钥 | API 金鑰 | 私鑰 | 密钥 | 访问密钥 | 令牌 | 存取權杖 | 信用卡号 | 信用卡號碼 | 卡号 | 安全码 | CVV码 | 助记词 | 助記詞 | 恢复短语 | PIN码 | 取款密码
    密码（至少8位） | 会话 cookie | 连接字符串 | 客户端密钥 | WiFi密码 | 数据库密码 | 密 码 | 安全问题答案 | 新しいパスワード | パスワードの確認 | パスワード(再入力) | パスコード | 認証コード | 確認コード | ワンタイムコード | セキュリティコード
    API キー | シークレットキー | アクセスキー | 秘密鍵（PEM） | トークン | カード番号 | カードの有効期限 | リカバリーフレーズ | シードフレーズ | 資格情報 | Wi-Fiのパスワード | ﾊﾟｽﾜｰﾄﾞ | データベースのパスワード | 秘密の質問の答え
    セッションクッキー | 接続文字列 | クライアントシークレット | PINコード | 暗号化キー | パスフレーズ | Ihr Passwort | Neues Passwort wiederholen | Passwort bestätigen | Kennwort
    WLAN-Passwort | Datenbankpasswort | Einmalpasswort | Einmalcode | PIN | TAN | mTAN | Bestätigungscode | Sicherheitscode | Zugangscode | Zugangsdaten
    Privater Schlüssel | API-Schluessel | Zugriffstoken | Kartenprüfnummer | Prüfziffer der Karte | Wiederherstellungsphrase
    Antwort auf die Sicherheitsfrage | Geheimzahl | Verschlüsselungsschlüssel | Client-Geheimnis | Kreditkarte | Ablaufdatum der Karte | Passphrase
    Sitzungscookie | Geheimschlüssel | Bitte geben Sie Ihr Kennwort ein | Nueva contraseña | Repita la contraseña | Contrasena | Clave privada
    Clave secreta | Clave API | Código de seguridad | Código PIN | NIP | Código de un solo uso | Frase de recuperación | Frase semilla | Credenciales
    Tarjeta de crédito | CVV de la tarjeta | Fecha de caducidad de la tarjeta | Respuesta de seguridad | Cookie de sesión | Cadena de conexión
    Contraseña del wifi | Token de API | Secreto del cliente | Clave de cifrado | Código de recuperación | Código de acceso
    Respuesta a la pregunta de seguridad | Introduzca su contraseña`,
  description: String.raw`
    Enter your password | Your API key | Paste your token here | The password of the database user | The code we sent to your phone
    Enter the 6-digit code from your authenticator app | Your OpenAI API key from the dashboard | Personal access token with repo scope
    Starts with sk-... | For example ghp_xxxx | postgres://user:password@host/db | Please provide your credit card number | API key (starts with AIza)
    Provide the private key in PEM format | 12-word recovery phrase | CVC on the back of the card | Please type the PIN of your card
    This is your client secret | Geben Sie Ihr Passwort ein | Introduzca su contraseña | 계정 비밀번호를 입력하세요 | 请输入密码 | パスワードを入力してください | GitHub token`,
} as const

const innocent = {
  name: String.raw`
    passwordMinLength | passwordless | token_type | tokenType | tokens_per_minute | nextPageToken | continuationToken | primaryKey | foreignKey
    partitionKey | sortKey | objectKey | apiKeyId | accessKeyId | secretName | privateKeyPath | tokenEndpoint | tokenUri | code | codeName | hasToken
    isSecret | useApiKey`,
  title: String.raw`
    Password hint | Password policy | Minimum password length | Password manager name | Password reset email | Forgot password? | Token name | Token type
    Token limit | Token symbol | Token address | Token ID | Token count | Max tokens | Number of tokens | Next page token | Stop tokens | Design tokens
    Tokenizer model | Key | Primary key | S3 object key | Cache key | Translation key | Issue key | Map key | Piano key | Key takeaway | Keywords | Hotkey
    Public key | Public API key | Publishable key | SSH public key | API key name | API key label | API key ID | Secret name | Path to the private key
    Private key file path | Token URL | Secretary name | Secret Santa partner | Top secret level | Trade secret policy | PIN length | Pin color
    Pin location | Pin board name | Pinterest board | Pinyin | Pine tree type | Ping target | Opinion | GPIO pin | Spin speed | Shipping method
    Number of pins | ZIP code | Postal code | Country code | Promo code | Discount code | Coupon code | Area code | Airport code | Currency code
    Product code | QR code content | Bar code | Error code | Status code | Source code | Language code | Dress code | SWIFT code | Sort code
    Code review comments | Code snippet | 6-digit postal code | Country calling code | Code | Barcode | Card type | Card color | Name on card
    Cardholder name | Card holder | Membership card number | Library card number | Loyalty card number | Business card text | Greeting card
    Last 4 digits of the card | Card number (last 4 digits) | Credit card brand | Credit card holder name | Graphics card | Credit limit | Postcard text
    Report card | Trello card title | ID card number | Credit score | Cookie recipe | Cookie policy URL | Cookies | Cookie flavour | Session name
    Session title | Seed | Random seed | Seed data | Seeds to plant | Phrase | Search phrase | Catchphrase | Security question | Answer
    Answer to question 3 | Expiry | Expiration date | Best before | Valid until | Passport | Passport number | Passport expiry date | Boarding pass
    Season pass | Bypass | Compass | Passenger name | Passage | Encompass | Passion | Mountain pass | Pass rate | Author | Authority
    Authentication method | Authorized person | Auth provider | Basic information | Bearer of the ring | Ring bearer | Tan lines | Tan | Hat (tan)
    Mnemonic instruction | User name | Login | Login name | Email | Account number | Wallet address | Hash | Checksum | Signature | License plate
    Verification method | Verification date | Date of birth | Mother's name | Nickname | Encryption algorithm | Encryption type | Connection name
    Credential type | How many tokens should be used? | Which API key should be rotated? | Where is the password stored? | Name of the secret
    Description of the API key | Reason for the password reset | Length of the password | Days until the password expires | Email for password recovery
    Token budget | Token price | Tokenomics | Betoken | Secretion | Keyboard | Keychain name | Monkey | Turkey | Key card color | Hotpot | Footprint
    Kaleidoscope | Interpin | Expin | 비밀번호 힌트 | 비밀번호 길이 | 비밀번호 변경일 | 토큰 수 | 최대 토큰 | 토큰 이름 | API 키 이름 | 공개 키 | 공개키 | 암호화 방식 | 암호화 여부 | 암호학 개론 | 토큰화 방식 | 키
    신발 사이즈 | 우편 번호 | 회원 번호 | 주문번호 | 계좌번호 | 사업자등록번호 | 예약 번호 | 카드 종류 | 카드 이름 | 회원카드 번호 | 명함 카드 문구 | 비밀 이야기 | 비밀글 제목 | 키워드 | 유효기간 | 인증 방법 | 인증 기관 | 보안 등급
    핀 위치 | 쿠키 레시피 | 복구 일시 | 개인 정보 | 운전면허번호 | 주민등록번호 앞자리 | 비밀번호 관리자 이름 | 密码提示 | 密码长度 | 密码管理器 | 密码学 | 公钥 | 公開金鑰 | 令牌数量 | 最大令牌数 | 邮编 | 电话号码 | 身份证号 | 会员卡号
    关键字 | 关键词 | 键盘 | 密度 | 密集度 | 秘书姓名 | 秘密花园 | 卡片颜色 | 银行名称 | 订单编号 | 验证方式 | 有效期 | 口味 | 令牌名称 | 密钥名称 | 密钥长度 | 图形验证码 | 证件号码 | 私人地址 | 加密算法 | 凭证编号 | 种子数量
    パスワードの長さ | パスワードのヒント | パスワードマネージャー | パスポートの有効期限 | トークン数 | 最大トークン数 | トークン名 | 公開鍵 | 公開キー | キーワード | キー | 郵便番号 | 電話番号 | 会員番号 | 会員カード番号 | カードの色 | カードの種類
    秘書 | 秘密の場所 | 暗号通貨 | 有効期限 | 認証方法 | パス | パスタの種類 | コードレビュー | 国コード | クッキーのレシピ | シード値 | ピンの色 | APIキーの名前 | トークナイザー | Passwortlänge | Passwort-Hinweis
    Passwortmanager | Länge des Passworts | Schlüssel | Schlüsselwörter | Öffentlicher Schlüssel | Schlüsselbund | Token-Anzahl | Anzahl der Token
    Kundenkartennummer | Mitgliedsnummer | Kontonummer | Personalausweisnummer | Pinsel | Pinnwand | Standort | Tante | Abstand | Passagier | Reisepass
    Bergpass | Ländercode | Rabattcode | Gutscheincode | Quellcode | Geheimtipp | Sekretär | Gültig bis | Antwort | Visitenkarte | Kartenfarbe | Stichwort
    Tankstelle | Kennzeichen | Bestätigungsdatum | Codename | Clave | Palabras clave | Clave pública | Código de país | Código promocional
    Código de descuento | Longitud de la contraseña | Pista de la contraseña | Número de tokens | Nombre del token | Tarjeta de embarque
    Número de tarjeta de socio | Color de la tarjeta | Pasaporte | Pasajero | Contraseguro | Contrato | Secretario | Fecha de caducidad
    Pregunta de seguridad | Titular de la tarjeta | Galleta | Semilla | Teclas | Llave | Número de cuenta | Código QR`,
  description: String.raw`
    Do not enter your password | Never share your password with anyone | We will send a password reset link | Used for password recovery
    You will receive an API key by email | Don't use your real password | No API key required | Your name as it appears on the credit card
    Name shown next to the token | The user whose password is reset | This is not a password | We never ask for your PIN
    The number of tokens to generate | Will be used to look up your API key | Creates an API key for you | The page token from the last response
    Choose how to receive the verification code | Phone number to which we send a verification code | Email address for the one-time code
    Without a password | Title of the secret Santa event | Label for the key | 비밀번호를 입력하지 마세요 | 비밀번호 재설정 링크를 보내드립니다 | 请勿输入密码 | 我们会将重置密码的链接发送到此邮箱
    パスワードは入力しないでください | パスワード再設定のリンクをお送りします | Geben Sie hier nicht Ihr Passwort ein | Wir senden einen Link zum Zurücksetzen des Passworts
    No introduzca su contraseña | Le enviaremos un enlace para restablecer la contraseña | Shown in your profile | Where your API key is stored
    Your password stays the same`,
} as const

const sources = ['name', 'title', 'description'] as const

test.each(sources)('a %s that asks for a secret is found, in six languages and through every disguise', (source) => {
  const decoded = phrases(secret[source]).map((phrase) =>
    phrase.replaceAll(/\\u([0-9a-f]{4})/gu, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
  )
  expect(decoded.filter((phrase) => !asks[source](phrase))).toEqual([])
})

test.each(sources)('a %s that only resembles or mentions a secret raises no alarm', (source) => {
  expect(phrases(innocent[source]).filter(asks[source])).toEqual([])
})

const fields: readonly (readonly [string, object, string])[] = [
  [
    'a number can be a PIN, a one-time code, a card number or its check value',
    { pin: { type: 'integer' }, otp: { type: 'number' }, cvc: { type: 'integer' } },
    'pin,otp,cvc',
  ],
  [
    'a number is no password, key or token',
    { password: { type: 'integer' }, apiKey: { type: 'number' }, token: { type: 'integer' }, seed: { type: 'integer' } },
    '',
  ],
  ['a yes or no carries no secret', { password: { type: 'boolean' } }, ''],
  [
    'a fixed choice carries no secret',
    { password: { enum: ['a', 'b'] }, pin: { type: 'string', const: '1' }, keys: { type: 'array', items: { enum: ['API key'] } } },
    '',
  ],
  ['a date or an e-mail address is no secret', { password: { ...text, format: 'date' }, token: { ...text, format: 'email' } }, ''],
  [
    'an address is none, unless it is said to carry one',
    { tokenUrl: { ...text, format: 'uri' }, hook: { ...text, format: 'uri', title: 'URL with the access token' } },
    'hook',
  ],
  ['a list of texts can hold secrets', { apiKeys: { type: 'array', items: text }, stopTokens: { type: 'array', items: text } }, 'apiKeys'],
  [
    'the format says it',
    { a: { ...text, format: 'password' }, b: { type: 'array', items: { ...text, format: 'password' } }, c: { $ref: '#/properties/a' } },
    'a,b,c',
  ],
  ['write-only texts say it', { a: { ...text, writeOnly: true }, b: { type: 'integer', writeOnly: true } }, 'a'],
  ['an optional secret is a secret', { apiKey: { anyOf: [text, { type: 'null' }] } }, 'apiKey'],
  [
    'a pattern says it',
    { a: { ...text, pattern: '^ghp_\\w{36}$' }, b: { ...text, pattern: '^(?:sk|pk)_live_' }, c: { ...text, pattern: '^gh[pousr]_' } },
    'a,b,c',
  ],
  [
    'a pattern of something else does not',
    { a: { ...text, pattern: '^sk-SK$' }, b: { ...text, pattern: '^sku-\\d+$' }, c: { ...text, pattern: '^[a-z]{2}-[A-Z]{2}$' } },
    '',
  ],
  ['a default says it', { a: { ...text, default: 'sk-abc' }, b: { ...text, default: 'https://me:pw@host/' } }, 'a,b'],
  [
    'a default of something else does not',
    { a: { ...text, default: 'sk-SK' }, b: { ...text, default: 'Eyjafjallajökull' }, c: { ...text, default: 'Basic plan' } },
    '',
  ],
  [
    'an expiry belongs to a card that is asked for',
    { number: { ...text, title: 'Card number' }, expiry: text, name: { ...text, title: 'Name on card' } },
    'number,expiry',
  ],
  ['an expiry without a card does not', { milk: text, expiry: text }, ''],
  ['an expiry beside another secret does not', { otp: text, expiry: text }, 'otp'],
]

test.each(fields)('%s', (_, properties, expected) => {
  expect(secretsOf(properties)).toBe(expected)
})

test('a mark says where the sign was', () => {
  const form = parseForm({ type: 'object', properties: { apiKey: text, a: { ...text, title: 'PIN' }, b: { ...text, description: 'Enter your password' } } })
  expect(form.fields.map(({ secret: mark }) => mark?.sign)).toEqual(['name', 'title', 'description'])
})

test('hostile texts cost next to nothing', () => {
  for (const unit of ['a b ', '[a', '<b ', '&#12;', '*`', '비밀 ', 'a.', '@1', '\u001b]', 'x://', 'code from ', 'ｐ', '\u200b'])
    expect(secretsOf({ value: { ...text, title: unit.repeat(100_000), description: unit.repeat(100_000) } })).toBe('')
})

test.each([
  ['Your favorite integer (do not give us your phone number, pin, or other sensitive info)', []],
  ['Never enter your user name, password or PIN here.', []],
  ['Geben Sie nie Ihre Adresse, PIN oder Ihr Passwort an.', []],
  ['No introduzca su nombre, contraseña o PIN.', []],
  ['Do not enter your user name, enter your PIN', ['value']],
  ['Do not share your phone number; PIN of your card', ['value']],
  ['Do not leave this empty, enter your PIN', ['value']],
  ['Never give your name but your PIN', ['value']],
])('a warning goes on through its list, and no further: %s', (description, fields) => {
  expect(findSecrets(parseForm({ type: 'object', properties: { value: { type: 'integer', description } } }))).toEqual(fields)
})
