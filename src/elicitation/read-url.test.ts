import { domainToUnicode } from 'node:url'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ConsentryError } from '../errors.ts'
import { isMixedScript } from './mixed-script.ts'
import { toUnicodeHost } from './punycode.ts'
import { readUrl } from './read-url.ts'

function codesOf(url: string, serverOrigin?: string): string {
  try {
    return readUrl(url, serverOrigin)
      .warnings.map(({ code }) => code)
      .join()
  } catch (error) {
    if (error instanceof ConsentryError && error.code === 'URL_REFUSED') return 'refused'
    throw error
  }
}

const neverOpened = [
  ['', 'sign in', '//a.example', '/x', 'a.example/x', 'https:a.example', 'https:///a.example', 'https://', 'https://?x', 'https://@/', 'https://:443/'],
  [
    'javascript:alert(1)',
    'JavaScript://a.example/%0aalert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'ftp://a.example/',
    'blob:https://a.example/1',
    'intent://a',
  ],
  [' https://a.example/', 'https://a.example/ ', 'https://a.example/a b', 'https://a.example/\t', 'https://a.example/\u0085', 'https://a.example\\@b.example/'],
  [
    'https://a.example/\ud800',
    'https://a..example/',
    'https://.a.example/',
    'https://a.example../',
    'https://./',
    'https://a%2E%2Eb.example/',
    'https://a。。b.example/',
  ],
  ['https://a.example:99999/', 'https://1.2.3.4.5/', 'https://[::1/', 'https://xn--a.example/', 'https://a%00.example/', 'https://a%zz.example/'],
  [
    'https://a\u200bb.example/',
    'https://a\u00adb.example/',
    'https://a%E2%80%8Bb.example/',
    'https://e\u202elive.example/',
    'https://a\u3000b.example/',
    'https://a\u2800b.example/',
  ],
  Array.from(
    '\u2044\u2215\u2571\u29f8\uff0f\uff1f\uff03\uff20\ufe6b\uff1a\ua789\u2236\ufe55\uff3c\ufe68\u29f5\u2216',
    (sign) => `https://bank.example${sign}x.evil.example/`,
  ),
  [`https://${'a.'.repeat(600)}example/`],
].flat()

test.each(neverOpened.map((url) => ({ url })))('$url is never opened', ({ url }) => {
  expect(codesOf(url)).toBe('refused')
})

test('an address that nobody can read to its end is never opened', () => {
  const path = 'a'.repeat(65_536 - 'https://x.example/'.length)

  expect([codesOf(`https://x.example/${path}`), codesOf(`https://x.example/${path}a`)]).toEqual(['long', 'refused'])
})

test('an imitated slash is seen through its Punycode', () => {
  const disguised = new URL('https://bank.example\u2044x.evil.example/').href
  expect([disguised.includes('xn--'), codesOf(disguised)]).toEqual([true, 'refused'])
})

const own = 'https://mcp.travel.example'

test.each([
  ['https://mcp.travel.example/connect#step', own, ''],
  ['HTTPS://MCP.Travel.Example:443/', own, ''],
  ['https://mcp.travel.example./', own, ''],
  ['https://login.idp.example/?redirect_uri=https://evil.example', own, 'other-site'],
  ['https://a@mcp.travel.example/', own, 'userinfo'],
  ['https://@mcp.travel.example/', own, 'userinfo'],
  ['https://mcp.travel.example/@a?b=@c#@d', own, ''],
  ['http://mcp.travel.example/', own, 'not-https'],
  ['http://localhost:3000/', undefined, ''],
  ['http://app.localhost:3000/', undefined, ''],
  ['http://localhost.:3000/', undefined, ''],
  ['http://localhost:3000/', own, 'other-site'],
  ['http://[::1]:3000/', 'http://127.0.0.1:80', ''],
  ['http://[::ffff:127.0.0.1]/', undefined, 'not-https,ip-address'],
  ['http://0.0.0.0/', undefined, 'not-https,ip-address'],
  ['http://localhost.evil.example/', undefined, 'not-https'],
  ['https://203.0.113.7/', undefined, 'ip-address'],
  ['https://203.0.113.7./', undefined, 'ip-address'],
  ['https://[2001:DB8:0::7]/', undefined, 'ip-address'],
  ['https://0xC0A80101/', undefined, 'ip-address,rewritten-host'],
  ['https://192.168.257/', undefined, 'ip-address,rewritten-host'],
  ['https://0300.168.1.1/', undefined, 'ip-address,rewritten-host'],
  ['http://0x7f.1/', undefined, 'rewritten-host'],
  ['https://mcp.travel.example:8443/', own, 'port'],
  ['https://mcp.travel.example:8443/', `${own}:8443`, ''],
  ['https://mcp.travel.example:80/', undefined, 'port'],
  ['https://%65vil.example/', undefined, 'rewritten-host'],
  ['https://ｅvil.example/', undefined, 'rewritten-host'],
  ['https://evil。example/', undefined, 'rewritten-host'],
  ['https://ﬁn.example/', undefined, 'rewritten-host'],
  ['https://BÜCHER.example/', undefined, 'punycode'],
  ['https://bu\u0308cher.example/', undefined, 'punycode'],
  ['https://xn--bcher-kva.example/', undefined, 'punycode'],
  ['https://ΟΔΟΣ.example/', undefined, 'punycode'],
  ['https://ノート.jp/', undefined, 'punycode'],
  ['https://삼성tv.kr/', undefined, 'punycode'],
  ['https://お問合せフォームweb.jp/', undefined, 'punycode'],
  ['https://ㄅㄆ中文abc.tw/', undefined, 'punycode'],
  ['https://한あ.example/', undefined, 'punycode,mixed-script'],
  ['https://аpple.com/', undefined, 'punycode,mixed-script,looks-like-apple.com'],
  ['https://аррӏе.com/', undefined, 'punycode,looks-like-apple.com'],
  ['https://ɡoogle.com/', undefined, 'punycode,looks-like-google.com'],
  ['https://банкbank.example/', undefined, 'punycode,mixed-script'],
  ['https://login.bank.com.evil.example/', undefined, 'looks-like-login.bank.com'],
  ['https://com.evil.example/', undefined, ''],
  ['https://api.eu.travel.example/', own, ''],
  ['https://mallory.github.io/', 'https://alice.github.io', 'other-site'],
  ['https://pay.shop.co.uk/', 'https://api.shop.co.uk', ''],
  ['https://mcp.travel.example/\u202efdp', own, 'invisible-characters'],
  ['https://mcp.travel.example/a\u00a0b', own, 'invisible-characters'],
  ['https://mcp.travel.example/%E2%80%AE', own, ''],
  [`https://mcp.travel.example/${'a'.repeat(1973)}`, own, ''],
  [`https://mcp.travel.example/${'a'.repeat(1974)}`, own, 'long'],
  ['https://mcp.travel.example/?Access_Token=x', own, 'secret-in-url'],
  ['https://mcp.travel.example/?access_token=', own, ''],
  ['https://mcp.travel.example/#id_token=x', own, 'secret-in-url'],
  ['https://mcp.travel.example/#/cb?jwt=x', own, 'secret-in-url'],
  ['https://mcp.travel.example/?state=x&code_challenge=y&token_type=z', own, ''],
])('%s for %s is told: %s', (url, serverOrigin, codes) => {
  expect(codesOf(url, serverOrigin)).toBe(codes)
})

test('every warning is told at once, and a quiet note alone makes no warning', () => {
  const loud = readUrl(`http://me@аррӏе.com:8080/?pwd=x&pad=${'a'.repeat(2000)}`, own)
  expect(loud.warnings.map(({ code }) => code)).toEqual([
    'userinfo',
    'not-https',
    'port',
    'punycode',
    'looks-like-apple.com',
    'secret-in-url',
    'long',
    'other-site',
  ])
  expect(loud.warnings.every(({ sentence }) => /^[A-Z].*\.$/u.test(sentence))).toBe(true)
  expect(readUrl('https://login.idp.example/', own)).toEqual({
    url: 'https://login.idp.example/',
    host: 'login.idp.example',
    site: 'idp.example',
    verdict: 'show',
    warnings: [
      {
        key: 'other-site',
        code: 'other-site',
        quiet: true,
        facts: { site: 'idp.example', serverSite: 'travel.example' },
        sentence: expect.stringContaining('idp.example'),
      },
    ],
  })
})

test('both spellings of a name in Punycode are shown', () => {
  expect(readUrl('https://예약.여행사.kr/')).toMatchObject({ host: 'xn--3f5bzj.xn--vf4b19gv1p.kr', unicodeHost: '예약.여행사.kr', site: 'xn--vf4b19gv1p.kr' })
})

test('Punycode is decoded as the platform decodes it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 30 }), (text) => {
      const url = `https://${text}.example/`
      if (!URL.canParse(url)) return
      const { hostname } = new URL(url)
      expect(toUnicodeHost(hostname)).toBe(domainToUnicode(hostname) || hostname)
    }),
    { numRuns: 5000 },
  )
})

test('whatever text comes as a URL is read or refused, and only web addresses are read', () => {
  const part = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 6 }),
    fc.constantFrom('https://', 'http://', '@', ':', '/', '?', '#', '[', ']', '.', '%2e', 'xn--', 'a', '127.1', '\u200b', '。'),
  )
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
      const url = parts.join('')
      if (codesOf(url) === 'refused') return
      const card = readUrl(url)
      expect(/^https?:\/\//iu.test(url) && URL.canParse(url)).toBe(true)
      expect([card.host, card.url]).toEqual([new URL(url).hostname, url])
    }),
    { numRuns: 10_000 },
  )
})

test('scripts that are written together in one language are not mixed', () => {
  const honest = ['hello', 'straße', 'привет', '東京タワー', '大韓민국', 'スーパー', '北京abc', 'ไทย', 'עברית', 'हिन्दी', 'a-1']
  const mixed = ['аpple', 'паypal', 'abcไทย', 'ελabc', '한あ', 'ㄅ한']
  expect([honest.filter(isMixedScript), mixed.filter((label) => !isMixedScript(label))]).toEqual([[], []])
})
