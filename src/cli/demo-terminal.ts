import { ConsentryError } from '../errors.ts'
import type { Inbox } from '../inbox/index.ts'
import { connect, type ServerConnection } from '../mcp/index.ts'
import { emptyConfig } from '../policy/index.ts'
import type { ServerIdentity } from '../protocol/index.ts'
import { clientInfo } from './client-info.ts'
import { forgetGrants, type DemoState } from './demo-state.ts'
import { exitCodes, type ExitCode } from './exit.ts'
import { openDesk } from './open-desk.ts'
import { hasTerminal, type Place } from './place.ts'
import { showProgress, type Progress } from './progress.ts'
import { resultText } from './result-text.ts'
import { openStateFolder } from './state-folder.ts'
import { createPrompts } from './terminal/prompts.ts'
import { attachOwnTerminal } from './terminal/own-terminal.ts'

interface Stop {
  readonly tool: string
  readonly introduction: string
}

const STOPS: readonly Stop[] = [
  {
    tool: 'list_trips',
    introduction:
      '1 of 4 · Roots. The server wants to list your trips, and for that it needs to know where it may look. Pick a folder with the space bar, or none.',
  },
  {
    tool: 'book_trip',
    introduction: '2 of 4 · Elicitation, a form. The server needs details that only you know. You see exactly what will be sent before it is.',
  },
  {
    tool: 'findBestFlight',
    introduction:
      '3 of 4 · Sampling. The server wants an opinion of a language model on 47 flights. No model is configured here, so that you may answer in its place, or deny.',
  },
  {
    tool: 'connect_airline',
    introduction: '4 of 4 · Elicitation, a URL. The server wants you to sign in on a page of its own (on this computer). Nothing is opened before you agree.',
  },
]

const ONCE_MORE = 'You closed a question without an answer. Shall the server ask once more?'
const AGAIN_OR_NOT = [
  { value: 'again', label: 'Yes, ask me once more' },
  { value: 'on', label: 'No, go on' },
] as const

/** @returns the function that ends it, and tells whether a question was closed without an answer meanwhile */
function watchCancels(inbox: Inbox): () => boolean {
  let isCancelled = false
  const stop = inbox.on('review-closed', ({ settlement }) => (isCancelled ||= settlement.outcome === 'decided' && settlement.decision.action === 'cancel'))
  return () => {
    stop()
    return isCancelled
  }
}

/** `consentry demo --terminal`: the tour in the terminal. */
export async function runTerminalTour({ place, server: { name, command, args }, workspace, folders }: DemoState): Promise<ExitCode> {
  if (!hasTerminal(place)) {
    throw new ConsentryError('NO_ONE_TO_ASK', 'this tour asks you things, and for that it needs a terminal; "consentry demo" has it in the browser')
  }
  const prompts = await createPrompts({ input: place.stdin, output: place.stderr })
  const say = (sentence: string): void => prompts.say(sentence)
  const config = { current: emptyConfig, on: () => () => undefined }
  const opened = await openDesk({ config, roots: [], proposedRoots: () => folders, ownFolder: workspace, notice: say }, place)
  await forgetGrants(opened.rooms.grants)
  let progress: Progress | undefined
  const detach = attachOwnTerminal(opened.inbox!, place, { prompts: Promise.resolve(prompts), onAsking: (isAsking) => progress?.makeRoom(isAsking) })
  const server: ServerIdentity = { name, named: true, target: { kind: 'stdio', command, args } }
  const session = opened.desk.open({ server, connection: name })
  const program = programOf(place)
  const whatNext = `What was asked and decided here is in the tour's own log: ${program} audit list, with CONSENTRY_HOME=${openStateFolder(place).path}\nYour own servers: ${program} call TOOL -- COMMAND`
  let connection: ServerConnection | undefined
  try {
    say(
      'Consentry answers for you when an MCP server asks something. This tour shows all it may ask; it takes two minutes. Ctrl-C cancels a question; between two stops it ends the tour.',
    )
    connection = await connect({
      target: { kind: 'stdio', command, args, env: {}, cwd: workspace },
      session,
      clientInfo: clientInfo(),
      signal: place.interrupted,
    })
    for (const [index, stop] of STOPS.entries()) {
      say(stop.introduction)
      for (let isOn = true; isOn;) {
        const isCancelled = watchCancels(opened.inbox!)
        progress = showProgress(`waiting for ${name}`, place)
        const text = await callTool(connection, stop.tool, place.interrupted).finally(() => progress?.stop())
        prompts.quote(text, `${name} answers ${stop.tool}`)
        // Whoever pressed Enter once too often sees it all the same.
        isOn = isCancelled() && (await prompts.choose(ONCE_MORE, AGAIN_OR_NOT, { initial: 'again', signal: place.interrupted })) === 'again'
      }
      if (index === STOPS.length - 1) {
        say(`That was all a server can ask. ${whatNext}`)
        break
      }
      const next = await prompts.choose(
        'Go on?',
        [
          { value: 'next', label: 'Next' },
          { value: 'end', label: 'End the tour' },
        ],
        { signal: place.interrupted },
      )
      if (next !== 'next') {
        say(`That was ${index + 1} of ${STOPS.length} stops; ${program} demo --terminal starts again. ${whatNext}`)
        break
      }
    }
    return exitCodes.done
  } finally {
    detach()
    await connection?.close()
    session.close()
    await opened.close()
  }
}

/** What works where somebody is: in a clone, and with npx, there is no such program on the PATH. */
function programOf({ environment }: Pick<Place, 'environment'>): string {
  if (environment['npm_lifecycle_event'] !== undefined && environment['npm_package_name'] === 'consentry') return 'node dist/cli/main.js'
  return environment['npm_command'] === 'exec' ? 'npx consentry' : 'consentry'
}

async function callTool(connection: ServerConnection, tool: string, signal: AbortSignal): Promise<string> {
  try {
    return resultText(await connection.callTool({ name: tool, arguments: {} }, { signal }))
  } catch (error) {
    if (error instanceof ConsentryError) return error.message
    throw error
  }
}
