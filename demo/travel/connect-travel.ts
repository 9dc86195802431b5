import {
  Client,
  InMemoryTransport,
  type CallToolResult,
  type ClientCapabilities,
  type CreateMessageResult,
  type ElicitRequestParams,
  type ElicitResult,
  type Root,
} from '@modelcontextprotocol/client'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { createTravelServers, type TravelOptions } from './travel.ts'

export type Era = 'legacy' | 'modern'

/** Both eras; most tests run once in each. */
export const eras: readonly Era[] = ['legacy', 'modern']

/** What the person and the model behind the client say. A missing answer means: the client cannot be asked this. */
export interface ClientAnswers {
  readonly roots?: readonly Root[]
  readonly elicit?: (params: ElicitRequestParams) => ElicitResult | Promise<ElicitResult>
  readonly sample?: (params: Record<string, unknown>) => CreateMessageResult | Promise<CreateMessageResult>
}

export interface TravelClient {
  readonly client: Client
  /** Ids of the `notifications/elicitation/complete` that arrived. */
  readonly completed: readonly string[]
  call(name: string, input?: Record<string, unknown>): Promise<CallToolResult>
  close(): Promise<void>
}

/** For tests: a travel server in this process, and an SDK client that answers as told. Closed by whoever connects. */
export async function connectTravel(era: Era, answers: ClientAnswers = {}, options?: TravelOptions): Promise<TravelClient> {
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair()
  const server = serveStdio(createTravelServers(options), { transport: serverSide })
  const client = new Client(
    { name: 'travel-test', version: '1.0.0' },
    { capabilities: capabilitiesOf(answers), versionNegotiation: { mode: era === 'legacy' ? 'legacy' : { pin: '2026-07-28' } } },
  )
  const completed: string[] = []
  const { roots, elicit, sample } = answers
  if (roots) client.setRequestHandler('roots/list', () => ({ roots: [...roots] }))
  if (elicit) client.setRequestHandler('elicitation/create', ({ params }) => elicit(params))
  if (sample) client.setRequestHandler('sampling/createMessage', ({ params }) => sample(params))
  client.setNotificationHandler('notifications/elicitation/complete', ({ params }) => void completed.push(params.elicitationId))
  await client.connect(clientSide)

  return {
    client,
    completed,
    call: (name, input = {}) => client.callTool({ name, arguments: input }),
    async close() {
      await client.close()
      await server.close()
    },
  }
}

/** The text of a result, as a person would read it. */
export function textOf(result: CallToolResult): string {
  return result.content.map((block) => (block.type === 'text' ? block.text : `[${block.type}]`)).join('\n')
}

function capabilitiesOf({ roots, elicit, sample }: ClientAnswers): ClientCapabilities {
  return { ...(roots && { roots: {} }), ...(elicit && { elicitation: { form: {}, url: {} } }), ...(sample && { sampling: {} }) }
}
