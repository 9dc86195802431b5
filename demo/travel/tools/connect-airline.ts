import { randomUUID } from 'node:crypto'
import { fromJsonSchema } from '@modelcontextprotocol/server'
import type { AirlinePage } from '../airline-page.ts'
import type { AirlinePages } from '../airline-pages.ts'
import type { Conversation, Question } from '../conversation.ts'
import { airlines } from '../flights.ts'
import { defineTool, failure, say, type ToolResult, type TravelTool } from '../tool.ts'

/** Milliseconds that one request waits for the button, by era. */
export interface Patience {
  /** Less than the minute after which most clients give up. */
  readonly legacy: number
  /** The client comes again by itself. */
  readonly modern: number
}

interface Input {
  readonly airline?: string
}

/** Sends the person to a page of ours, where nothing that is entered or pressed passes through the client. */
export function connectAirline(pages: AirlinePages, patience: Patience = { legacy: 50_000, modern: 20_000 }): TravelTool {
  return defineTool<Input>({
    name: 'connect_airline',
    title: 'Connect an airline account',
    description: 'Connects your account at an airline: you open a page on your own computer (URL mode elicitation) and press a button there.',
    input: fromJsonSchema<Input>({
      type: 'object',
      properties: { airline: { type: 'string', enum: [...airlines], default: 'Vela Atlantic', description: 'Which airline' } },
      additionalProperties: false,
    }),
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    requires: { elicitation: { url: {} } },

    async run({ airline = 'Vela Atlantic' }, conversation) {
      if (pages.isConnected(airline)) return describeConnected(airline)
      const earlier = conversation.memory?.['page']
      if (earlier !== undefined && (await pages.find(airline, earlier)) === undefined) return describeClosed(airline)

      const page = await pages.open(airline)
      conversation.signal.addEventListener('abort', () => page.close(), { once: true })
      return (await askToVisit(page, airline, conversation)) ?? waitForButton(page, airline, conversation, patience)
    },
  })
}

/** @returns what the tool says if the person is not on the way to the page */
async function askToVisit(page: AirlinePage, airline: string, conversation: Conversation): Promise<ToolResult | undefined> {
  if (page.consented) return undefined

  const elicitationId = randomUUID()
  const undo = page.onConnected(() => conversation.reportComplete(elicitationId))
  const asked = await conversation.ask('connect', question(page.url, airline, conversation.era, elicitationId), { page: page.id })
  if (asked.outcome === 'pending') return asked.result
  if (asked.outcome === 'answered' && asked.answer.action === 'accept') {
    page.consented = true
    return undefined
  }

  undo()
  page.close()
  if (asked.outcome === 'refused') return failure(`${airline} was not connected: the question could not be answered (${asked.reason}).`)
  if (asked.answer.action === 'decline') return say(`${airline} was not connected: you declined. The page is closed.`, { connected: false })
  return say(`${airline} was not connected: the question was closed without an answer. So is the page.`, { connected: false })
}

async function waitForButton(page: AirlinePage, airline: string, conversation: Conversation, patience: Patience): Promise<ToolResult> {
  if (await page.waitForButton(patience[conversation.era], conversation.signal)) return describeConnected(airline)
  if (page.closed) return describeClosed(airline)

  const minutes = Math.max(1, Math.round((page.closesAt - Date.now()) / 60_000))
  const stillOpen = `${airline} is not connected yet: nobody pressed the button. The page stays open for ${minutes} min; press it there, then call connect_airline again.`
  return (await conversation.later({ page: page.id })) ?? say(stillOpen, { connected: false })
}

function question(url: string, airline: string, era: Conversation['era'], elicitationId: string): Question<'elicitation/create'> {
  const message = `Please connect your ${airline} account. The page is on your own computer.`
  // The id went away in 2026: there the state of the call says which page is meant.
  const params = { mode: 'url', message, url, ...(era === 'legacy' && { elicitationId }) }
  return { method: 'elicitation/create', params } as Question<'elicitation/create'>
}

function describeConnected(airline: string): ToolResult {
  return say(`${airline} is connected (in this demo only: there is no such account).`, { connected: true })
}

function describeClosed(airline: string): ToolResult {
  return say(`${airline} was not connected: nobody pressed the button in time, and the page is closed. Call connect_airline for a new one.`, {
    connected: false,
  })
}
