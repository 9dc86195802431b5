import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { Policy } from '../policy/index.ts'
import type { JsonObject, Origin, Reviewer } from '../protocol/index.ts'
import { createModels } from './create-models.ts'
import { sample } from './sampling.ts'

const nobody: Reviewer = { canReview: () => false, review: () => Promise.resolve({ outcome: 'nobody' }) }
const capabilities = { roots: true, form: true, url: true, sampling: true, samplingTools: true }
const origin: Origin = {
  server: { name: 'travel', named: true, target: { kind: 'custom', description: 'test' } },
  connection: 'c',
  era: 'legacy',
  revision: '2025-11-25',
}
const tools = [{ name: 'get_weather', inputSchema: { type: 'object', properties: { city: { type: 'string' } } } }]

/** A model on this machine that looks up two cities, numbers its calls anew each time, and then answers. */
async function startModel(): Promise<string> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { messages } = JSON.parse(Buffer.concat(chunks).toString()) as { messages: { role: string; content: string }[] }
      const results = messages.filter(({ role }) => role === 'tool').map(({ content }) => content)
      const city = ['Paris', 'Rome'][results.length]
      const message = city
        ? { tool_calls: [{ id: 'call_0', function: { name: 'get_weather', arguments: JSON.stringify({ city }) } }] }
        : { content: `Seen: ${results.join(' and ')}` }
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ choices: [{ message: { role: 'assistant', ...message }, finish_reason: city ? 'tool_calls' : 'stop' }] }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
}

test('a server runs a tool loop of several rounds, and runs every tool itself', async () => {
  const models = createModels({ entries: [{ provider: 'home', model: 'tiny', baseUrl: await startModel(), tools: true }] })
  const policy = new Policy({ rules: [{ server: 'travel', request: 'sampling', decision: 'allow' }] })
  const messages: JsonObject[] = [{ role: 'user', content: { type: 'text', text: 'Where is it warmer?' } }]
  const ran: unknown[] = []

  let answer: JsonObject = {}
  for (let round = 0; round < 5 && answer['stopReason'] !== 'endTurn'; round++) {
    const request = { kind: 'sampling', revision: '2025-11-25', params: { messages, tools, maxTokens: 100 } } as const
    const response = await sample(request, origin, { policy, reviewer: nobody, capabilities, models }, new AbortController().signal)
    if (response.outcome !== 'answered') throw new Error('expected an answer', { cause: response })
    answer = response.result
    const content = answer['content'] as readonly JsonObject[]
    const calls = content.filter(({ type }) => type === 'tool_use')
    messages.push({ role: 'assistant', content })
    if (calls.length > 0)
      messages.push({
        role: 'user',
        content: calls.map(({ id }) => ({ type: 'tool_result', toolUseId: id, content: [{ type: 'text', text: `${ran.length + 18}` }] })),
      })
    ran.push(...calls)
  }

  expect(ran).toEqual([
    { type: 'tool_use', id: 'call_0', name: 'get_weather', input: { city: 'Paris' } },
    { type: 'tool_use', id: 'call_0-2', name: 'get_weather', input: { city: 'Rome' } },
  ])
  expect(answer).toEqual({ role: 'assistant', content: [{ type: 'text', text: 'Seen: 18 and 19' }], model: 'tiny', stopReason: 'endTurn' })
})
