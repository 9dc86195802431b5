import { randomUUID } from 'node:crypto'
import {
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type McpServerFactory,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { AirlinePages } from './airline-pages.ts'
import { describeMissing, findMissing, readCapabilities } from './capabilities.ts'
import type { Conversation } from './conversation.ts'
import { openLegacyConversation } from './legacy-conversation.ts'
import { openModernConversation } from './modern-conversation.ts'
import { RequestState, type Call } from './request-state.ts'
import { failure, type ToolResult, type TravelTool } from './tool.ts'
import { createTools, type Patience } from './tools/index.ts'

export interface TravelOptions {
  /** Milliseconds after which a page that nobody came to is closed. */
  readonly pageLifetime?: number | undefined
  readonly patience?: Patience | undefined
}

const instructions = `Plans and books trips. It asks for what it needs while it works: the folders it may use (roots),
a booking form and a page to visit (elicitation), and a model's advice (sampling). Bookings are not real.`

/**
 * The travel-booking server of the protocol's documentation: one server for each connection, for either era.
 *
 * @see MCP docs/learn/client-concepts
 */
export function createTravelServers({ pageLifetime, patience }: TravelOptions = {}): McpServerFactory {
  const states = new RequestState()

  return ({ era }) => {
    const connection = randomUUID()
    const pages = new AirlinePages(pageLifetime)
    const tools = createTools(pages, patience)
    const server = new Server(
      { name: 'travel', title: 'Travel booking', version: '1.0.0' },
      { capabilities: { tools: {} }, instructions, requestState: { verify: states.verify } },
    )
    Object.assign(server, { onclose: () => pages.close() })

    server.setRequestHandler('tools/list', () => ({ tools: tools.map((tool) => tool.definition) }))

    server.setRequestHandler('tools/call', async ({ params }, context) => {
      const tool = tools.find(({ definition }) => definition.name === params.name)
      if (tool === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool called ${params.name} here.`)

      const missing = findMissing(tool.requires, readCapabilities(server, era, context))
      if (missing !== undefined) {
        const explanation = describeMissing(tool.definition.name, missing)
        if (era === 'legacy') return failure(explanation)
        throw new MissingRequiredClientCapabilityError({ requiredCapabilities: missing }, explanation)
      }

      const input = params.arguments ?? {}
      const conversation =
        era === 'legacy' ? openLegacyConversation(server, context) : converseInRounds({ connection, tool: tool.definition.name, input }, context)
      return runTool(tool, input, conversation)
    })

    return server
  }

  function converseInRounds(call: Call, context: ServerContext): Conversation {
    return openModernConversation(context, { memory: states.open(call, context), seal: (memory) => states.seal(call, memory) })
  }
}

/** What a tool did not foresee (a disk that is full) is the tool's failure, not the connection's. */
async function runTool(tool: TravelTool, input: unknown, conversation: Conversation): Promise<ToolResult> {
  try {
    return await tool.run(input, conversation)
  } catch (error) {
    if (error instanceof ProtocolError || conversation.signal.aborted) throw error
    return failure(`${tool.definition.name} could not finish: ${error instanceof Error ? error.message : String(error)}`)
  }
}
