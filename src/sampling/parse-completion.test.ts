import { expect, test } from 'vitest'
import { ConsentryError } from '../errors.ts'
import type { ContentBlock, Revision, SamplingRequest } from '../protocol/index.ts'
import { parseCompletion } from './parse-completion.ts'
import { writeResult } from './write-result.ts'

const request: SamplingRequest = {
  messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
  maxTokens: 9,
  tools: [{ name: 'look_up', inputSchema: { type: 'object' } }],
}
const text = { type: 'text', text: 'a' } as const
const image = { type: 'image', data: 'AAAA', mimeType: 'image/png' } as const
const audio = { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' } as const
const call = { type: 'tool_use', id: 'c1', name: 'look_up', input: {} } as const
const used: SamplingRequest = {
  ...request,
  messages: [
    { role: 'assistant', content: [call] },
    { role: 'user', content: [{ type: 'tool_result', toolUseId: 'c1', content: [] }] },
  ],
}

function pathOf(completion: unknown, rules: { readonly request?: SamplingRequest; readonly revision?: Revision } = {}): unknown {
  try {
    parseCompletion(completion, { request, revision: '2025-11-25', ...rules })
    return 'ok'
  } catch (error) {
    if (error instanceof ConsentryError && error.code === 'SAMPLING_INVALID') return error.data?.['path']
    throw error
  }
}

test.each<[Revision, readonly ContentBlock[], string]>([
  ['2024-11-05', [text], 'ok'],
  ['2024-11-05', [image], 'ok'],
  ['2024-11-05', [audio], 'content[0]'],
  ['2025-03-26', [audio], 'ok'],
  ['2025-06-18', [call], 'content[0]'],
  ['2025-06-18', [text, image], 'content'],
  ['2025-11-25', [text, image, audio, call], 'ok'],
  ['2026-07-28', [text, call], 'ok'],
])('a server of %s gets only what it knows: %j', (revision, content, path) => {
  expect(pathOf({ content, model: 'm' }, { revision })).toBe(path)
})

test.each<[string, unknown, string]>([
  ['nothing', undefined, 'completion'],
  ['no content', { model: 'm' }, 'content'],
  ['an empty list', { content: [], model: 'm' }, 'content'],
  ['half of a character', { content: [text, { ...text, text: '\udc00b' }], model: 'm' }, 'content[1].text'],
  ['a broken image', { content: [{ ...image, data: '?' }], model: 'm' }, 'content[0].data'],
  ['a tool result', { content: [{ type: 'tool_result', toolUseId: 'a', content: [] }], model: 'm' }, 'content[0]'],
  ['no model', { content: [text] }, 'model'],
  ['a stop reason that is no text', { content: [text], model: 'm', stopReason: 7 }, 'stopReason'],
  ['a tool that was not offered', { content: [{ ...call, name: 'rm' }], model: 'm' }, 'content[0].name'],
  ['the same call twice', { content: [call, call], model: 'm' }, 'content[1].id'],
])('an answer with %s does not leave', (_, completion, path) => {
  expect(pathOf(completion)).toBe(path)
})

test('the id of an earlier tool use is not used again', () => {
  expect(pathOf({ content: [call], model: 'm' }, { request: used })).toBe('content[0].id')
})

test('toolChoice "none" forbids a tool use, "required" demands one unless the model was stopped', () => {
  const none = { request: { ...request, toolChoice: 'none' } } as const
  const required = { request: { ...request, toolChoice: 'required' } } as const

  expect([
    pathOf({ content: [call], model: 'm' }, none),
    pathOf({ content: [text], model: 'm' }, none),
    pathOf({ content: [text], model: 'm', stopReason: 'endTurn' }, required),
    pathOf({ content: [text], model: 'm' }, required),
    pathOf({ content: [text], model: 'm', stopReason: 'maxTokens' }, required),
    pathOf({ content: [text], model: 'm', stopReason: 'content_filter' }, required),
    pathOf({ content: [text, call], model: 'm' }, required),
  ]).toEqual(['content[0].name', 'ok', 'content', 'content', 'ok', 'ok', 'ok'])
})

test('one block stands alone where no tools were offered, in a list otherwise', () => {
  const { tools: _tools, ...plain } = request

  expect([
    writeResult({ content: [text], model: 'm', stopReason: 'endTurn' }, plain),
    writeResult({ content: [text], model: 'm' }, { ...plain, tools: [] }),
    writeResult({ content: [text], model: 'm' }, request),
    writeResult({ content: [text, image], model: 'm' }, plain),
  ]).toStrictEqual([
    { role: 'assistant', content: text, model: 'm', stopReason: 'endTurn' },
    { role: 'assistant', content: text, model: 'm' },
    { role: 'assistant', content: [text], model: 'm' },
    { role: 'assistant', content: [text, image], model: 'm' },
  ])
})
