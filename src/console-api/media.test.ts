import { expect, test } from 'vitest'
import { formReview, openConsole } from '../../test/fixtures/open-console.ts'
import type { ModelProvider } from '../sampling/index.ts'
import { modelQuestion } from '../testing/index.ts'

const forever = new AbortController().signal
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

test('a prompt is shown with its picture apart, edited, and goes to the model as edited; the answer comes back for a look', async () => {
  const asked: unknown[] = []
  const provider: ModelProvider = {
    leavesOut: () => [],
    complete: (request) => {
      asked.push(request.messages)
      return Promise.resolve({ content: [{ type: 'text', text: 'Take the 10:05.' }], model: 'small', stopReason: 'endTurn' })
    },
  }
  const messages = [
    { role: 'user', content: { type: 'image', data: pixel, mimeType: 'image/png' } },
    { role: 'user', content: { type: 'text', text: 'Which flight?' } },
  ]
  const { enter, host } = await openConsole({ provider, server: { tools: { advise: [modelQuestion('', { messages })] } } })
  const browser = await enter()
  const stream = await browser.watch()
  await host.connect()
  await browser.call('tools/call', { server: 'travel', tool: 'advise', arguments: {} })
  const prompt = await stream.next('review-opened', ({ review }) => review.kind === 'prompt')
  const found = await browser.call('review/get', { id: prompt.review.id })
  if (found.status !== 'found' || found.review.kind !== 'prompt') throw new Error('no prompt')
  const { request } = found.review.subject
  const [picture] = request.messages[0]!.content
  if (picture?.type !== 'image') throw new Error('no picture')
  const page = await fetch(`${browser.origin}/media/${picture.media}`, { headers: { cookie: browser.cookie } })
  const without = await fetch(`${browser.origin}/media/${picture.media}`)
  const edited = { ...request, messages: [request.messages[0]!, { role: 'user' as const, content: [{ type: 'text' as const, text: 'Which train?' }] }] }
  const decided = await browser.call('review/decide', { id: prompt.review.id, decision: { action: 'approve', request: edited } })
  const completion = await stream.next('review-opened', ({ review }) => review.kind === 'completion')
  const shown = await browser.call('review/get', { id: completion.review.id })
  await browser.call('review/decide', { id: completion.review.id, decision: { action: 'approve' } })
  const { call } = await stream.next('call-changed', (event) => event.call.state === 'done')
  const gone = await fetch(`${browser.origin}/media/${picture.media}`, { headers: { cookie: browser.cookie } })

  expect(JSON.stringify(found)).not.toContain(pixel)
  expect(picture).toMatchObject({ mimeType: 'image/png', bytes: 70, viewable: true, width: 1, height: 1 })
  expect([page.status, page.headers.get('content-type'), page.headers.get('x-frame-options'), without.status, gone.status]).toEqual([
    200,
    'text/html; charset=utf-8',
    'SAMEORIGIN',
    404,
    404,
  ])
  expect(page.headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; img-src data:; media-src data:; style-src 'nonce-[0-9a-f]{32}'; .*frame-ancestors 'self'; sandbox$/,
  )
  expect(await page.text()).toContain(`<img alt="" src="data:image/png;base64,${pixel}">`)
  expect(decided.status).toBe('decided')
  expect(asked).toMatchObject([[{ content: [{ type: 'image', data: pixel }] }, { content: [{ text: 'Which train?' }] }]])
  expect(shown).toMatchObject({ review: { kind: 'completion', draft: { content: [{ text: 'Take the 10:05.' }] } } })
  expect(JSON.stringify(call.result)).toContain('10:05')
})

test('a picture of another review, or of nobody, cannot be put into a prompt', async () => {
  const { inbox, enter } = await openConsole()
  const { origin } = formReview()
  const request = { messages: [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'x' }] }], maxTokens: 10 }
  void inbox.review({ kind: 'prompt', origin, subject: { request, choice: { model: 'person', why: '' } }, draft: request }, forever)
  const browser = await enter()
  const stolen = { messages: [{ role: 'user', content: [{ type: 'image', media: 'a'.repeat(64), mimeType: 'image/png' }] }], maxTokens: 10 }

  await expect(browser.call('review/decide', { id: 'review-1', decision: { action: 'approve', request: stolen as never } })).rejects.toMatchObject({
    code: 'USAGE',
  })
  expect(inbox.size).toBe(1)
})

test.each<[string, string, string]>([
  ['HTML that calls itself a picture', 'image/png', Buffer.from('<script>alert(1)</script>').toString('base64')],
  ['a drawing that can run scripts', 'image/svg+xml', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64')],
  ['a picture that would need a gigabyte', 'image/gif', Buffer.from('474946383961ffffffff000000', 'hex').toString('base64')],
  ['a type that is none', 'image/png"; x', pixel],
  ['a picture of more bytes than anybody wants', 'image/png', Buffer.concat([Buffer.from(pixel, 'base64'), Buffer.alloc(10 * 1024 * 1024)]).toString('base64')],
  ['a picture that calls itself a sound', 'audio/wav', pixel],
])('%s is told by type and size, and never served', async (_, mimeType, data) => {
  const { host, enter } = await openConsole({
    server: { tools: { draw: () => ({ result: { content: [{ type: mimeType.startsWith('audio') ? 'audio' : 'image', mimeType, data }] } }) } },
  })
  const browser = await enter()
  const stream = await browser.watch()
  await host.connect()
  await browser.call('tools/call', { server: 'travel', tool: 'draw', arguments: {} })
  const { call } = await stream.next('call-changed', (event) => event.call.state === 'done')
  const [shown] = call.result!.content as readonly { readonly media: string; readonly viewable: boolean }[]
  const response = await fetch(`${browser.origin}/media/${shown!.media}`, { headers: { cookie: browser.cookie } })

  expect([shown!.viewable, response.status]).toEqual([false, 404])
})
