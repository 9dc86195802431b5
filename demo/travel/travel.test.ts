import { expect, test } from 'vitest'
import { connectTravel, eras, textOf } from './connect-travel.ts'

const tools = [
  { name: 'list_trips', capability: 'roots', input: {} },
  {
    name: 'write_itinerary',
    capability: 'roots',
    input: { template: 'city-break', file: 'a.md', client: 'A', destination: 'B', from: '2027-06-15', to: '2027-06-16' },
  },
  { name: 'book_trip', capability: 'elicitation.form', input: {} },
  { name: 'findBestFlight', capability: 'sampling', input: {} },
  { name: 'connect_airline', capability: 'elicitation.url', input: {} },
]

test.each(eras)('the %s era lists the same five tools, each with a description, a schema and annotations', async (era) => {
  const travel = await connectTravel(era)

  const listed = await travel.client.listTools()

  await travel.close()
  expect(listed.tools.map(({ name }) => name)).toEqual(tools.map(({ name }) => name))
  expect(listed.tools.every((tool) => (tool.description ?? '').length > 40 && tool.inputSchema.type === 'object' && tool.annotations !== undefined)).toBe(true)
})

test.each(tools)('a legacy client without $capability reads so from $name, and nothing is done', async ({ name, capability, input }) => {
  const travel = await connectTravel('legacy')

  const result = await travel.call(name, input)

  await travel.close()
  expect(result.isError).toBe(true)
  expect(textOf(result)).toContain(`the capability "${capability}"`)
})

test.each(tools)('a modern client without $capability gets -32021 from $name', async ({ name, capability, input }) => {
  const travel = await connectTravel('modern')

  const error = await travel.call(name, input).catch((failure: unknown) => failure)

  await travel.close()
  const [feature = '', mode] = capability.split('.')
  expect(error).toMatchObject({ code: -32021, data: { requiredCapabilities: { [feature]: mode === undefined ? {} : { [mode]: {} } } } })
})

test.each(eras)('an unknown tool is a protocol error in the %s era', async (era) => {
  const travel = await connectTravel(era)

  const error = await travel.call('cancel_everything').catch((failure: unknown) => failure)

  await travel.close()
  expect(error).toMatchObject({ code: -32602 })
})

test.each(eras)('arguments that the schema does not know are refused by name in the %s era', async (era) => {
  const travel = await connectTravel(era, { roots: [], elicit: () => ({ action: 'cancel' }), sample: () => Promise.reject(new Error('not asked')) })

  const results = await Promise.all([
    travel.call('list_trips', { folder: '/etc' }),
    travel.call('connect_airline', { airline: 'Nobody Air' }),
    travel.call('findBestFlight', { preferences: 7 }),
  ])

  await travel.close()
  expect(results.map((result) => [result.isError, textOf(result).startsWith('These arguments do not fit')])).toEqual([
    [true, true],
    [true, true],
    [true, true],
  ])
})
