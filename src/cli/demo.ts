import { chmod, cp, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ConsentryError } from '../errors.ts'
import { connect, type ServerConnection } from '../mcp/index.ts'
import { emptyConfig } from '../policy/index.ts'
import type { ServerIdentity } from '../protocol/index.ts'
import { privateFiles } from '../store/index.ts'
import { clientInfo } from './client-info.ts'
import { exitCodes, type ExitCode } from './exit.ts'
import { openDesk } from './open-desk.ts'
import { hasTerminal, type Place } from './place.ts'
import { showProgress } from './progress.ts'
import { resultText } from './result-text.ts'
import { openStateFolder } from './state-folder.ts'
import { createPrompts } from './terminal/prompts.ts'
import { attachOwnTerminal } from './terminal/own-terminal.ts'

const SERVER = 'travel'
const FILES = join(import.meta.dirname, '../demo')

const WHAT_NEXT = 'What was asked and decided here is in the log: consentry audit list\nYour own servers: consentry call TOOL -- COMMAND'

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

/** `consentry demo`: a short tour in the terminal, with a real server, no key, no account and no network. */
export async function runDemo(place: Place): Promise<ExitCode> {
  if (!hasTerminal(place)) {
    throw new ConsentryError(
      'NO_ONE_TO_ASK',
      'the demo asks you things, and for that it needs a terminal; without one, try: consentry call TOOL --answers FILE -- COMMAND',
    )
  }
  const workspace = await prepareWorkspace(place)
  const prompts = await createPrompts({ input: place.stdin, output: place.stderr })
  const say = (sentence: string): void => prompts.say(sentence)
  const folders = ['travel-planning', 'travel-templates', 'client-documents'].map((name) => ({ path: join(workspace, name) }))
  const config = { current: emptyConfig, on: () => () => undefined }
  const opened = await openDesk({ config, roots: [], proposedRoots: () => folders, ownFolder: workspace, notice: say }, place)
  const detach = attachOwnTerminal(opened.inbox!, place)
  const args = [join(FILES, 'travel-server.js')]
  const server: ServerIdentity = { name: SERVER, named: true, target: { kind: 'stdio', command: process.execPath, args } }
  const session = opened.desk.open({ server, connection: SERVER })
  let connection: ServerConnection | undefined
  try {
    say(
      'Consentry answers for you when an MCP server asks something. This tour shows all it may ask; it takes two minutes. Ctrl-C cancels a question; between two stops it ends the tour.',
    )
    connection = await connect({
      target: { kind: 'stdio', command: process.execPath, args, env: {}, cwd: workspace },
      session,
      clientInfo: clientInfo(),
      signal: place.interrupted,
    })
    for (const [index, stop] of STOPS.entries()) {
      say(stop.introduction)
      const progress = showProgress(`waiting for ${SERVER}`, place, opened.inbox)
      const text = await callTool(connection, stop.tool, place.interrupted).finally(() => progress.stop())
      prompts.quote(text, `${SERVER} answers ${stop.tool}`)
      if (index === STOPS.length - 1) {
        say(`That was all a server can ask. ${WHAT_NEXT}`)
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
        say(`That was ${index + 1} of ${STOPS.length} stops; consentry demo starts again. ${WHAT_NEXT}`)
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

async function callTool(connection: ServerConnection, tool: string, signal: AbortSignal): Promise<string> {
  try {
    return resultText(await connection.callTool({ name: tool, arguments: {} }, { signal }))
  } catch (error) {
    if (error instanceof ConsentryError) return error.message
    throw error
  }
}

/** A copy of the demo's files in the state folder, so that the server can write there; files of an earlier tour stay. */
async function prepareWorkspace(place: Place): Promise<string> {
  const target = join(openStateFolder(place).path, 'demo')
  await privateFiles.makeFolder(target)
  await cp(join(FILES, 'workspace'), target, { recursive: true, force: false })
  await makePrivate(target)
  return target
}

async function makePrivate(folder: string): Promise<void> {
  await chmod(folder, 0o700)
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) await makePrivate(path)
    else if (entry.isFile()) await chmod(path, 0o600)
  }
}
