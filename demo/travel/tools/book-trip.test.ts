import type { ElicitRequestParams } from '@modelcontextprotocol/client'
import { expect, test } from 'vitest'
import { connectTravel, eras, textOf } from '../connect-travel.ts'

test.each(eras)('asks the form of the documentation, word for word, in the %s era', async (era) => {
  const asked: ElicitRequestParams[] = []
  const travel = await connectTravel(era, { elicit: (params) => (asked.push(params), { action: 'cancel' }) })

  await travel.call('book_trip')

  await travel.close()
  expect(asked).toEqual([
    expect.objectContaining({
      message: 'Please confirm your Barcelona vacation booking details:',
      requestedSchema: {
        type: 'object',
        properties: {
          confirmBooking: { type: 'boolean', description: 'Confirm the booking (Flights + Hotel = $3,000)' },
          seatPreference: { type: 'string', enum: ['window', 'aisle', 'no preference'], description: 'Preferred seat type for flights' },
          roomType: { type: 'string', enum: ['sea view', 'city view', 'garden view'], description: 'Preferred room type at hotel' },
          travelInsurance: { type: 'boolean', default: false, description: 'Add travel insurance ($150)' },
        },
        required: ['confirmBooking'],
      },
    }),
  ])
})

test.each(eras)('says exactly what was booked in the %s era', async (era) => {
  const travel = await connectTravel(era, {
    elicit: () => ({ action: 'accept', content: { confirmBooking: true, seatPreference: 'aisle', travelInsurance: true } }),
  })

  const result = await travel.call('book_trip')

  await travel.close()
  expect(textOf(result).split('\n')).toEqual([
    'Booked (in this demo only: no airline, no hotel and no bank was told).',
    '- Trip: Barcelona, 15-22 June, flights and beach hotel',
    '- Seat: aisle',
    '- Room: not stated',
    '- Travel insurance: yes ($150)',
    '- Total: $3,150',
  ])
  expect(result.structuredContent).toEqual({ booked: true, total: 3150, confirmBooking: true, seatPreference: 'aisle', travelInsurance: true })
})

const refusals = [
  { answer: { action: 'decline' }, says: 'you declined' },
  { answer: { action: 'cancel' }, says: 'closed without an answer' },
  { answer: { action: 'accept', content: { confirmBooking: false } }, says: 'without confirming' },
] as const

for (const era of eras) {
  test.each(refusals)(`books nothing on $answer in the ${era} era, and says so`, async ({ answer, says }) => {
    const travel = await connectTravel(era, { elicit: () => ({ ...answer }) })

    const result = await travel.call('book_trip')

    await travel.close()
    expect(result.isError).toBeFalsy()
    expect(textOf(result)).toContain('Nothing was booked')
    expect(textOf(result)).toContain(says)
    expect(result.structuredContent).toEqual({ booked: false })
  })
}

test.each(eras)('does not trust a client that sends values outside the form (%s era)', async (era) => {
  const travel = await connectTravel(era, { elicit: () => ({ action: 'accept', content: { confirmBooking: 'yes' } }) })

  const result = await travel.call('book_trip')

  await travel.close()
  expect(result.isError).toBe(true)
  expect(textOf(result)).toContain('Nothing was booked: the answer does not fit the form')
})

test('books nothing when a legacy client answers with an error', async () => {
  const travel = await connectTravel('legacy', { elicit: () => Promise.reject(new Error('the screen is dark')) })

  const result = await travel.call('book_trip')

  await travel.close()
  expect(result.isError).toBe(true)
  expect(textOf(result)).toContain('the screen is dark')
})
