import { ProtocolError, type CreateMessageResult } from '@modelcontextprotocol/client'
import { expect, test } from 'vitest'
import { connectTravel, eras, textOf } from '../connect-travel.ts'
import { describeFlight, flights } from '../flights.ts'

const advice: CreateMessageResult = { role: 'assistant', model: 'scripted', content: { type: 'text', text: 'Take the 10:45.' } }

test.each(eras)('sends the request of the documentation with all 47 flights in the %s era', async (era) => {
  const asked: unknown[] = []
  const travel = await connectTravel(era, { sample: (params) => (asked.push(params), advice) })

  await travel.call('findBestFlight')

  await travel.close()
  const text = [
    'Analyze these flight options and recommend the best choice:',
    ...flights.map(describeFlight),
    'User preferences: morning departure, max 1 layover',
  ].join('\n')
  expect(asked).toEqual([
    expect.objectContaining({
      messages: [{ role: 'user', content: { type: 'text', text } }],
      modelPreferences: { hints: [{ name: 'claude-sonnet-4-20250514' }], costPriority: 0.3, speedPriority: 0.2, intelligencePriority: 0.9 },
      systemPrompt: 'You are a travel expert helping users find the best flights based on their preferences',
      maxTokens: 1500,
    }),
  ])
})

test.each(eras)('passes the advice on, and says which model gave it, in the %s era', async (era) => {
  const travel = await connectTravel(era, { sample: () => advice })

  const result = await travel.call('findBestFlight', { preferences: 'cheap' })

  await travel.close()
  expect(textOf(result)).toBe('Take the 10:45.\n\n(recommended by scripted, out of 47 flights)')
})

test.each(eras)('an answer without text is not called a recommendation in the %s era', async (era) => {
  const travel = await connectTravel(era, { sample: () => ({ ...advice, content: { type: 'image', data: 'AAAA', mimeType: 'image/png' } }) })

  const result = await travel.call('findBestFlight')

  await travel.close()
  expect(result.isError).toBe(true)
  expect(textOf(result)).toContain('no flight was recommended')
})

test('a denied legacy request ends with a sorted list that is not called a recommendation', async () => {
  const travel = await connectTravel('legacy', { sample: () => Promise.reject(new ProtocolError(-1, 'User rejected sampling request')) })

  const result = await travel.call('findBestFlight')

  await travel.close()
  expect(result.isError).toBeFalsy()
  expect(textOf(result)).toContain('No flight was recommended')
  expect(textOf(result)).toContain('User rejected sampling request')
  expect(textOf(result)).toContain('$365')
})

test('a denied modern request never reaches the server again: the call ends with the denial', async () => {
  const travel = await connectTravel('modern', { sample: () => Promise.reject(new ProtocolError(-1, 'User rejected sampling request')) })

  const error = await travel.call('findBestFlight').catch((failure: unknown) => failure)

  await travel.close()
  expect(String(error)).toContain('User rejected sampling request')
})
