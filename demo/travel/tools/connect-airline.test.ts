import type { ElicitRequestParams, ElicitResult } from '@modelcontextprotocol/client'
import { expect, test, vi } from 'vitest'
import { connectTravel, eras, textOf } from '../connect-travel.ts'
import { pressConnect } from '../press-connect.ts'

type Answer = (params: ElicitRequestParams) => Promise<ElicitResult>

const impatient = { patience: { legacy: 50, modern: 50 } }

function urlOf(params: ElicitRequestParams): string {
  return params.mode === 'url' ? params.url : ''
}

test.each(eras)('sends the person to a page of its own, and is connected once the button was pressed (%s era)', async (era) => {
  const asked: ElicitRequestParams[] = []
  const elicit: Answer = async (params) => {
    asked.push(params)
    void pressConnect(urlOf(params))
    return { action: 'accept' }
  }
  const travel = await connectTravel(era, { elicit })

  const result = await travel.call('connect_airline', { airline: 'Halcyon' })

  await travel.close()
  expect(textOf(result)).toBe('Halcyon is connected (in this demo only: there is no such account).')
  expect(asked).toEqual([expect.objectContaining({ mode: 'url', url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/connect\/[\w-]{43}$/) })])
  expect(asked[0]?.message).toContain('connect your Halcyon account')
})

test('the legacy era names the elicitation, and reports it complete', async () => {
  const ids: (string | undefined)[] = []
  const elicit: Answer = async (params) => {
    ids.push(params.mode === 'url' ? params.elicitationId : undefined)
    void pressConnect(urlOf(params))
    return { action: 'accept' }
  }
  const travel = await connectTravel('legacy', { elicit })

  await travel.call('connect_airline')

  await travel.close()
  expect(travel.completed).toEqual(ids)
  expect(ids).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/)])
})

test('the modern era has no id and no such message', async () => {
  const asked: ElicitRequestParams[] = []
  const elicit: Answer = async (params) => {
    asked.push(params)
    void pressConnect(urlOf(params))
    return { action: 'accept' }
  }
  const travel = await connectTravel('modern', { elicit })

  await travel.call('connect_airline')

  await travel.close()
  expect([travel.completed, asked.map((params) => 'elicitationId' in params)]).toEqual([[], [false]])
})

test.each(eras)('a second call finds the account connected, and asks nothing (%s era)', async (era) => {
  const elicit = vi.fn<Answer>(async (params) => {
    void pressConnect(urlOf(params))
    return { action: 'accept' }
  })
  const travel = await connectTravel(era, { elicit })
  await travel.call('connect_airline')

  const result = await travel.call('connect_airline')

  await travel.close()
  expect(textOf(result)).toContain('is connected')
  expect(elicit).toHaveBeenCalledTimes(1)
})

for (const action of ['decline', 'cancel'] as const) {
  test.each(eras)(`${action} connects nothing, and closes the page (%s era)`, async (era) => {
    let url = ''
    const elicit: Answer = async (params) => {
      url = urlOf(params)
      return { action }
    }
    const travel = await connectTravel(era, { elicit })

    const result = await travel.call('connect_airline')

    const page = await fetch(url).catch(() => 'nobody listens')
    await travel.close()
    expect(textOf(result)).toContain('was not connected')
    expect(result.structuredContent).toEqual({ connected: false })
    expect(page).toBe('nobody listens')
  })
}

test('a legacy person who is slow gets an answer in time, and goes on with a second call', async () => {
  let url = ''
  const elicit = vi.fn<Answer>(async (params) => {
    url = urlOf(params)
    return { action: 'accept' }
  })
  const travel = await connectTravel('legacy', { elicit }, impatient)

  const first = await travel.call('connect_airline')
  await pressConnect(url)
  await vi.waitFor(() => expect(travel.completed.length).toBe(1))
  const second = await travel.call('connect_airline')

  await travel.close()
  expect(textOf(first)).toContain('is not connected yet: nobody pressed the button. The page stays open for 30 min')
  expect(textOf(second)).toContain('is connected')
  expect(elicit).toHaveBeenCalledTimes(1)
})

test('a second legacy call goes on waiting for the page that is open', async () => {
  let url = ''
  const elicit = vi.fn<Answer>(async (params) => {
    url = urlOf(params)
    return { action: 'accept' }
  })
  const travel = await connectTravel('legacy', { elicit }, { patience: { legacy: 200, modern: 200 } })
  await travel.call('connect_airline')

  const second = travel.call('connect_airline')
  await pressConnect(url)
  const result = await second

  await travel.close()
  expect(textOf(result)).toContain('is connected')
  expect(elicit).toHaveBeenCalledTimes(1)
})

test('a modern person who is slow is waited for in rounds that only carry state', async () => {
  let press: Promise<string> | undefined
  const elicit: Answer = async (params) => {
    press = new Promise((done) => setTimeout(done, 200)).then(() => pressConnect(urlOf(params)))
    return { action: 'accept' }
  }
  const travel = await connectTravel('modern', { elicit }, impatient)

  const result = await travel.call('connect_airline')

  await press
  await travel.close()
  expect(textOf(result)).toContain('is connected')
})

test.each(eras)('never hangs when nobody comes (%s era)', async (era) => {
  const travel = await connectTravel(era, { elicit: async () => ({ action: 'accept' }) }, { patience: { legacy: 5_000, modern: 5_000 }, pageLifetime: 100 })

  const result = await travel.call('connect_airline')

  await travel.close()
  expect(textOf(result)).toContain('nobody pressed the button in time, and the page is closed')
})

test('a cancelled call closes its page', async () => {
  let url = ''
  const aborted = new AbortController()
  const elicit: Answer = async (params) => {
    url = urlOf(params)
    setTimeout(() => aborted.abort(), 50)
    return { action: 'accept' }
  }
  const travel = await connectTravel('legacy', { elicit })

  const call = travel.client.callTool({ name: 'connect_airline', arguments: {} }, { signal: aborted.signal })

  await expect(call).rejects.toThrow()
  await vi.waitFor(() => expect(fetch(url)).rejects.toThrow())
  await travel.close()
})

test('a call that is cancelled before the person answered closes its page too', async () => {
  let url = ''
  const aborted = new AbortController()
  const elicit: Answer = (params) => {
    url = urlOf(params)
    aborted.abort()
    return new Promise(() => {})
  }
  const travel = await connectTravel('legacy', { elicit })

  const call = travel.client.callTool({ name: 'connect_airline', arguments: {} }, { signal: aborted.signal })

  await expect(call).rejects.toThrow()
  await vi.waitFor(() => expect(fetch(url)).rejects.toThrow())
  await travel.close()
})

test('closing the connection closes the page', async () => {
  let url = ''
  const elicit: Answer = async (params) => {
    url = urlOf(params)
    return { action: 'accept' }
  }
  const travel = await connectTravel('legacy', { elicit }, impatient)
  await travel.call('connect_airline')

  await travel.close()

  await vi.waitFor(() => expect(fetch(url)).rejects.toThrow())
})
