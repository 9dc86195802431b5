import fc from 'fast-check'
import { expect, test } from 'vitest'
import { safeText } from './safe-text.ts'

test('rule 3: escape sequences of a server are shown as marks and move no cursor', () => {
  expect(safeText('\u001b[2J\u001b]8;;https://evil.example\u0007click\u001b]8;;\u0007')).toBe('␛[2J␛]8;;https://evil.example␇click␛]8;;␇')
})

test('bidi overrides, zero-width characters and tags are named', () => {
  expect(safeText('a\u202eb\u200bc\u{e0041}d\u2066')).toBe('a<U+202E>b<U+200B>c<U+E0041>d<U+2066>')
})

test('Korean, Chinese, emoji sequences and Indic joiners stay as they are', () => {
  const text = '한국어 简体中文 👩‍👩‍👧 क्‍ष é'

  expect(safeText(text)).toBe(text)
})

test('line breaks are marks in a label and breaks in a block', () => {
  expect([safeText('a\nb\r\nc'), safeText('a\nb\r\nc', { lines: true })]).toEqual(['a␊b␍␊c', 'a\nb\nc'])
})

test('a long text is cut between characters, and says how much is left', () => {
  expect(safeText('😀😀😀', { maximum: 3 })).toBe('😀… (4 more characters)')
})

test('whatever a server writes, nothing that acts on a terminal is left', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(safeText(text)).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069\u200b\u2028]/u)
    }),
  )
})
