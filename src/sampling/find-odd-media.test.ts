import { expect, test } from 'vitest'
import type { ContentBlock } from '../protocol/index.ts'
import { findOddMedia } from './find-odd-media.ts'

const base64 = (bytes: string): string => btoa(bytes.padEnd(30, '\0'))
const find = (...content: readonly ContentBlock[]): readonly string[] =>
  findOddMedia({ messages: [{ role: 'user', content }], maxTokens: 1 }).map(({ sentence }) => sentence)

test.each([
  ['image/png', '\x89PNG\r\n\x1a\n'],
  ['IMAGE/JPEG; q=1', '\xff\xd8\xff\xe0'],
  ['image/jpg', '\xff\xd8\xff\xdb'],
  ['image/gif', 'GIF89a'],
  ['image/webp', 'RIFF\n\n\n\nWEBP'],
  ['audio/x-wav', 'RIFF\0\x01\x02\x03WAVE'],
  ['audio/mpeg', 'ID3\x04'],
  ['audio/mp3', '\xff\xfb'],
  ['audio/ogg', 'OggS'],
  ['audio/flac', 'fLaC'],
  ['image/svg+xml', '<svg/>'],
  ['image/x-portable-pixmap', 'P6'],
])('%s is what it says', (mimeType, bytes) => {
  const type = mimeType.toLowerCase().startsWith('image') ? 'image' : 'audio'
  expect(find({ type, mimeType, data: base64(bytes) })).toEqual([])
})

test.each([
  ['image/png', '\xff\xd8\xff'],
  ['image/png', '<script>'],
  ['image/jpeg', 'GIF89a'],
  ['image/webp', 'RIFF\0\0\0\0WAVE'],
  ['audio/wav', 'ID3'],
])('what says %s and begins otherwise is named', (mimeType, bytes) => {
  const type = mimeType.startsWith('image') ? 'image' : 'audio'
  expect(find({ type: 'text', text: 'look' }, { type, mimeType, data: base64(bytes) })).toEqual([
    `messages[0].content[1] says that it is ${mimeType}, and does not begin like one`,
  ])
})

test('a single byte and what a tool gave back are looked at too', () => {
  const inner = { type: 'image', mimeType: 'image/png', data: 'AA==' }
  expect([find({ type: 'image', mimeType: 'image/png', data: 'AA==' }), find({ type: 'tool_result', toolUseId: 'a', content: [inner] })]).toEqual([
    ['messages[0].content[0] says that it is image/png, and does not begin like one'],
    ['messages[0].content[0].content[0] says that it is image/png, and does not begin like one'],
  ])
})
