import { fromJsonSchema, type ElicitRequestFormParams } from '@modelcontextprotocol/server'
import { defineTool, failure, listIssues, say, type TravelTool } from '../tool.ts'

interface Booking {
  readonly confirmBooking: boolean
  readonly seatPreference?: string
  readonly roomType?: string
  readonly travelInsurance?: boolean
}

/** The form of the protocol's documentation, field by field. */
const requestedSchema = {
  type: 'object',
  properties: {
    confirmBooking: { type: 'boolean', description: 'Confirm the booking (Flights + Hotel = $3,000)' },
    seatPreference: { type: 'string', enum: ['window', 'aisle', 'no preference'], description: 'Preferred seat type for flights' },
    roomType: { type: 'string', enum: ['sea view', 'city view', 'garden view'], description: 'Preferred room type at hotel' },
    travelInsurance: { type: 'boolean', default: false, description: 'Add travel insurance ($150)' },
  },
  required: ['confirmBooking'],
} satisfies ElicitRequestFormParams['requestedSchema']

const bookingSchema = fromJsonSchema<Booking>(requestedSchema)
const message = 'Please confirm your Barcelona vacation booking details:'

/** Asks for the last details of the Barcelona trip, and books exactly what was confirmed. */
export const bookTrip: TravelTool = defineTool({
  name: 'book_trip',
  title: 'Book the Barcelona trip',
  description: 'Books the Barcelona vacation (15-22 June, flights and beach hotel, $3,000) after you confirmed it in a form. A demo: no money moves.',
  input: fromJsonSchema({ type: 'object', properties: {}, additionalProperties: false }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  requires: { elicitation: { form: {} } },

  async run(_input, conversation) {
    const asked = await conversation.ask('booking', { method: 'elicitation/create', params: { message, requestedSchema } })
    if (asked.outcome === 'pending') return asked.result
    if (asked.outcome === 'refused') return failure(`Nothing was booked: the form could not be answered (${asked.reason}).`)

    const { action, content = {} } = asked.answer
    if (action === 'decline') return say('Nothing was booked: you declined.', { booked: false })
    if (action === 'cancel') return say('Nothing was booked: the form was closed without an answer. Call book_trip again whenever you like.', { booked: false })

    const checked = await bookingSchema['~standard'].validate(content)
    if (checked.issues !== undefined) return failure(`Nothing was booked: the answer does not fit the form (${listIssues(checked.issues)}).`)
    if (!checked.value.confirmBooking) return say('Nothing was booked: the form was sent without confirming the booking.', { booked: false })
    return say(describeBooking(checked.value), { booked: true, total: priceOf(checked.value), ...checked.value })
  },
})

function describeBooking(booking: Booking): string {
  const { seatPreference = 'not stated', roomType = 'not stated', travelInsurance } = booking
  return [
    'Booked (in this demo only: no airline, no hotel and no bank was told).',
    '- Trip: Barcelona, 15-22 June, flights and beach hotel',
    `- Seat: ${seatPreference}`,
    `- Room: ${roomType}`,
    `- Travel insurance: ${travelInsurance === true ? 'yes ($150)' : 'no'}`,
    `- Total: $${priceOf(booking).toLocaleString('en-US')}`,
  ].join('\n')
}

function priceOf({ travelInsurance }: Booking): number {
  return travelInsurance === true ? 3150 : 3000
}
