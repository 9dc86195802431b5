import { expect, test } from 'vitest'
import type { SamplingRequest } from '../protocol/index.ts'
import { redactRequest } from './redact-request.ts'

const token = `ghp_${'a1B2c3D4e5'.repeat(4)}`
const image = { type: 'image', data: 'AAAA', mimeType: 'image/png' } as const

test('secrets are taken out of everything that a model reads as text, wherever it stands', () => {
  const names = { dependentRequired: { password: ['user_name'] } }
  const request: SamplingRequest = {
    maxTokens: 1,
    systemPrompt: token,
    tools: [{ name: 'look', description: `key ${token}`, inputSchema: { type: 'object', properties: { at: { default: token } }, ...names } }],
    messages: [
      { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'look', input: { password: 'hunter22', list: [token], n: 1 } }] },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            toolUseId: 'a',
            content: [
              { type: 'text', text: token },
              image,
              { type: 'resource', resource: { uri: 'a:b', text: token } },
              { type: 'resource', resource: { uri: 'a:b', blob: 'AAAA' } },
            ],
            structuredContent: { deep: { api_key: 'abcdefgh12' } },
          },
        ],
      },
      { role: 'user', content: [image, { type: 'text', text: 'nothing here' }] },
    ],
  }

  const { request: redacted, parts } = redactRequest(request)

  const mark = '[redacted:github-token]'
  expect(redacted).toEqual({
    maxTokens: 1,
    systemPrompt: mark,
    tools: [{ name: 'look', description: `key ${mark}`, inputSchema: { type: 'object', properties: { at: { default: mark } }, ...names } }],
    messages: [
      { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'look', input: { password: '[redacted:password]', list: [mark], n: 1 } }] },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            toolUseId: 'a',
            content: [
              { type: 'text', text: mark },
              image,
              { type: 'resource', resource: { uri: 'a:b', text: mark } },
              { type: 'resource', resource: { uri: 'a:b', blob: 'AAAA' } },
            ],
            structuredContent: { deep: { api_key: '[redacted:secret-value]' } },
          },
        ],
      },
      { role: 'user', content: [image, { type: 'text', text: 'nothing here' }] },
    ],
  })
  expect(parts.map(({ path, kinds }) => `${path}: ${kinds.join()}`)).toEqual([
    'systemPrompt: github-token',
    'messages[0].content[0].input.password: password',
    'messages[0].content[0].input.list[0]: github-token',
    'messages[1].content[0].content[0].text: github-token',
    'messages[1].content[0].content[2].resource.text: github-token',
    'messages[1].content[0].structuredContent.deep.api_key: secret-value',
    'tools[0].description: github-token',
    'tools[0].inputSchema.properties.at.default: github-token',
  ])
  expect(redactRequest(redacted)).toEqual({ request: redacted, parts: [] })
})

test('a request without secrets is the very same, and media are never copied', () => {
  const request: SamplingRequest = { maxTokens: 1, messages: [{ role: 'user', content: [image] }] }
  const secret: SamplingRequest = { ...request, systemPrompt: token }

  expect(redactRequest(request).request).toBe(request)
  expect(redactRequest(secret).request.messages[0]?.content[0]).toBe(image)
})
