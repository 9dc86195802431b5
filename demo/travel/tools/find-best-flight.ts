import { fromJsonSchema, type CreateMessageRequestParams } from '@modelcontextprotocol/server'
import type { Answers } from '../conversation.ts'
import { describeFlight, flights } from '../flights.ts'
import { defineTool, failure, say, type TravelTool } from '../tool.ts'

interface Input {
  readonly preferences?: string
}

type Completion = Answers['sampling/createMessage']

/** Asks the client's model which of the 47 flights is best: the server has no model, and no key for one. */
export const findBestFlight: TravelTool = defineTool<Input>({
  name: 'findBestFlight',
  title: 'Find the best flight',
  description: `Compares ${flights.length} flights to Barcelona with the help of your model (sampling) and recommends one.`,
  input: fromJsonSchema<Input>({
    type: 'object',
    properties: {
      preferences: { type: 'string', minLength: 1, maxLength: 300, default: 'morning departure, max 1 layover', description: 'What matters to you' },
    },
    additionalProperties: false,
  }),
  annotations: { readOnlyHint: true, openWorldHint: true },
  requires: { sampling: {} },

  async run({ preferences = 'morning departure, max 1 layover' }, conversation) {
    const asked = await conversation.ask('recommendation', { method: 'sampling/createMessage', params: question(preferences) })
    if (asked.outcome === 'pending') return asked.result
    if (asked.outcome === 'refused') return say(describeWithoutModel(asked.reason))

    const advice = textOf(asked.answer)
    if (advice === '') return failure(`${asked.answer.model} answered without any text: no flight was recommended.`)
    return say(`${advice}\n\n(recommended by ${asked.answer.model}, out of ${flights.length} flights)`, { model: asked.answer.model, advice })
  },
})

/** The sampling request of the protocol's documentation, with the flights themselves in place of the bracket. */
function question(preferences: string): CreateMessageRequestParams {
  const list = flights.map(describeFlight).join('\n')
  const text = `Analyze these flight options and recommend the best choice:\n${list}\nUser preferences: ${preferences}`
  return {
    messages: [{ role: 'user', content: { type: 'text', text } }],
    modelPreferences: { hints: [{ name: 'claude-sonnet-4-20250514' }], costPriority: 0.3, speedPriority: 0.2, intelligencePriority: 0.9 },
    systemPrompt: 'You are a travel expert helping users find the best flights based on their preferences',
    maxTokens: 1500,
  }
}

function textOf({ content }: Completion): string {
  const blocks = Array.isArray(content) ? content : [content]
  return blocks
    .flatMap((block) => (block.type === 'text' ? [block.text] : []))
    .join('\n')
    .trim()
}

/** Sorting needs no model, and is not called a recommendation. */
function describeWithoutModel(reason: string): string {
  const cheapest = flights.toSorted((left, right) => left.price - right.price).slice(0, 3)
  return [`No flight was recommended, because no model answered (${reason}). The three cheapest, whatever you prefer:`, ...cheapest.map(describeFlight)].join(
    '\n',
  )
}
