import { expect, test } from 'vitest'
import type { TextFormat } from '../protocol/index.ts'
import { hasFormat } from './formats.ts'

const table: Readonly<Record<TextFormat, { readonly fits: readonly string[]; readonly fails: readonly string[] }>> = {
  email: {
    fits: ['a@b.example', "o'hara+tag@mail.shop.example", `${'a'.repeat(64)}@b.example`, 'x@xn--bcher-kva.example', 'a!#$%&*/=?^_`{|}~-@b.example'],
    fails: ['', '@b.example', 'a@', 'a.@b.example', '.a@b.example', 'a..b@c.example', 'a@b@c.example', 'a b@c.example', 'a@-b.example', 'a@b-.example'].concat([
      'a@b..example',
      'a@b.example.',
      'a@b_c.example',
      'ä@b.example',
      'a@bücher.example',
      `${'a'.repeat(65)}@b.example`,
      'a@b.example\n',
      'A <a@b.example>',
      `a@${'b'.repeat(64)}.example`,
    ]),
  },
  uri: {
    fits: [
      'https://a.example/b?c=d#e',
      'urn:isbn:1',
      'mailto:a@b.example',
      'a:',
      'http://[::1]:80/',
      'http://[2001:db8::192.0.2.1]/',
      'x://u:p@h:1/%20',
    ].concat(['file:///etc', 'http://', 'http://a?b=/?#/?', 'ldap://[v1.a:b]/', 'tel:+1-2', "a:b'(c)"]),
    fails: [
      '',
      'a.example/b',
      '/a',
      '//a.example',
      'https://a.example/ b',
      'https://a.example/ä',
      'https://a.example/%2',
      'https://a.example/%zz',
      '1a:b',
      'a b:c',
    ].concat([
      'http://[::1',
      'http://[1::2::3]/',
      'http://[12345::]/',
      'http://[1:2:3:4:5:6:7]/',
      'http://[::256.0.0.1]/',
      'http://a:b/',
      'a:#b#c',
      'a:<b>',
      'a:[b]',
      'a:b\n',
      'http://a\\b',
    ]),
  },
  date: {
    fits: ['2026-03-01', '2028-02-29', '2000-02-29', '9999-12-31'],
    fails: [
      '',
      '2026-3-1',
      '2027-02-29',
      '1900-02-29',
      '2026-04-31',
      '2026-13-01',
      '2026-00-01',
      '2026-01-00',
      '2026/01/01',
      '2026-01-01T00:00:00Z',
      '２０２６-01-01',
      '2026-01-01\n',
    ],
  },
  'date-time': {
    fits: [
      '2026-03-01T10:05:00Z',
      '2026-03-01t10:05:00z',
      '2026-03-01T10:05:00.1234567890+09:00',
      '2016-12-31T23:59:60Z',
      '2016-12-31T15:59:60-08:00',
      '2017-01-01T08:59:60+09:00',
    ].concat(['2026-03-01T10:05:00-00:00', '2026-03-01T10:05:00+23:59']),
    fails: [
      '',
      '2026-03-01T10:05:00',
      '2026-03-01T10:05Z',
      '2026-03-01',
      '2026-03-01T10:05:00+0900',
      '2026-03-01T10:05:00+09',
      '2026-03-01T24:00:00Z',
      '2026-03-01T10:60:00Z',
    ].concat([
      '2026-03-01T10:05:60Z',
      '2016-12-31T23:59:61Z',
      '2016-12-31T23:59:60-08:00',
      '2027-02-29T08:00:00Z',
      '2026-03-01 10:05:00Z',
      '2026-03-01T10:05:00.Z',
      '2026-03-01T10:05:00+24:00',
      '2026-03-01T10:05:00,5Z',
    ]),
  },
}

const cases = Object.entries(table).map(([format, texts]) => ({ format: format as TextFormat, ...texts }))

test.each(cases)('$format is checked by its RFC', ({ format, fits, fails }) => {
  expect({ fits: fits.filter((text) => !hasFormat(format, text)), fails: fails.filter((text) => hasFormat(format, text)) }).toEqual({ fits: [], fails: [] })
})

test('a long text of anything is decided at once', () => {
  for (const { format } of cases.filter((one) => one.format !== 'uri'))
    for (const unit of ['a', '.', '@', '%20', ':', '/', '[', '1', '-']) expect(hasFormat(format, `a:${unit.repeat(200_000)}`)).toBe(false)
  expect(hasFormat('uri', `a:${'[/'.repeat(200_000)}`)).toBe(false)
})
