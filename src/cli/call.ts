import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { ConsentryError } from '../errors.ts'
import type { Inbox } from '../inbox/index.ts'
import { connect, serverErrorOf, unlessAborted, type ServerConnection } from '../mcp/index.ts'
import type { ConfigFile } from '../policy/index.ts'
import { eraOf, isJsonObject, type InputRequest, type InputResponse, type Revision } from '../protocol/index.ts'
import { CallReport } from './call-report.ts'
import { clientInfo } from './client-info.ts'
import { exitCodes, type ExitCode } from './exit.ts'
import { findServer, type FoundServer } from './find-server.ts'
import { describeNotOffered, listNotOffered } from './not-offered.ts'
import { openConfig } from './open-config.ts'
import { openDesk } from './open-desk.ts'
import { hasTerminal, type Place } from './place.ts'
import { showProgress } from './progress.ts'
import { readAnswers } from './read-answers.ts'
import { proposeFolders } from './propose-folders.ts'
import { offersText, resultText } from './result-text.ts'
import type { OwnTerminalOptions } from './terminal/own-terminal.ts'
import { safeText } from './terminal/safe-text.ts'
import { askFor, readWanted, whichTools, type Wanted, type WantedOptions } from './wanted.ts'

export interface CallOptions extends WantedOptions {
  readonly server?: string | undefined
  readonly url?: string | undefined
  /** What stands after `--`. */
  readonly command?: readonly string[] | undefined
  readonly name?: string | undefined
  readonly root: readonly string[]
  readonly readRoot: readonly string[]
  readonly sandbox?: string | undefined
  readonly sandboxRead: readonly string[]
  readonly rootsTo?: string | undefined
  readonly answers?: string | undefined
  readonly record?: string | undefined
  readonly json?: boolean | undefined
  readonly verbose?: boolean | undefined
}

/** With folders to tell, a server is given this long to ask for them before it is called. */
const FIRST_ROOTS_MS = 1000
/** The same, where nobody knows yet whether there will be any; and how long a server is given to act on what it was told. */
const MOMENT_MS = 100

/** `consentry call`: connects, calls once, has answered what the server asks, and reports. */
export async function runCall(options: CallOptions, place: Place): Promise<ExitCode> {
  const wanted = readWanted(options)
  const config = await openConfig(place)
  try {
    return await callOnce(wanted, await findServer(options, config.current, place), config, options, place)
  } finally {
    config.close()
  }
}

async function callOnce(wanted: Wanted, server: FoundServer, config: ConfigFile, options: CallOptions, place: Place): Promise<ExitCode> {
  const say = (sentence: string): void => void place.stderr.write(`consentry: ${safeText(sentence, { lines: true })}\n`)
  const { record } = options
  const roots = [...options.root, ...options.readRoot]
  const answers = options.answers === undefined ? undefined : await readAnswers(options.answers, place)
  const opened = await openDesk({ config, roots, answers, record, proposedRoots: ({ target }) => proposeFolders(place, target), notice: say }, place)
  const ending = new AbortController()
  const end = (reason: unknown): void => ending.abort(reason)
  if (place.interrupted.aborted) end(place.interrupted.reason)
  const interrupt = (): void => end(place.interrupted.reason)
  place.interrupted.addEventListener('abort', interrupt, { once: true })
  const endCall = (): void => end(new ConsentryError('CALL_CANCELLED', 'the call was ended here'))
  const { name } = server.identity
  const progress = showProgress(`waiting for ${safeText(name, { maximum: 60 })}`, place)
  const onAsking = (isAsking: boolean): void => progress.makeRoom(isAsking)
  const detach = opened.inbox && (await attachTerminal(opened.inbox, place, { endCall, onAsking }))
  for (const note of server.notes ?? []) say(`mcpServers.${name}: ${note}`)
  for (const sentence of server.says ?? []) say(`${name}: ${sentence}`)
  const textOf = wanted.kind === 'list' ? offersText : resultText
  const report = new CallReport({ json: options.json === true, verbose: options.verbose === true, place, server: name, textOf })
  const session = opened.desk.open({ server: server.identity, connection: randomUUID() })
  const lacking = opened.inbox && !detach ? listNotOffered(session.capabilities()) : []
  const sayLacking = async (before = '', after = ''): Promise<void> => {
    if (lacking.length > 0) say(`${before}${await describeNotOffered(lacking, name, config.current, place)}${after}`)
  }
  if (options.verbose) await sayLacking()
  let isCause = false
  /** A tool that is not there explains itself; anything else that a server says may be for want of somebody to ask. */
  const explain = (sentence: string | undefined): void => {
    isCause = sentence === undefined
    if (sentence !== undefined) say(`${name} ${sentence}`)
  }
  const [asked, told] = [signalOnce(), signalOnce()]
  let connection: ServerConnection | undefined
  try {
    connection = await connect({
      target: server.target,
      session,
      clientInfo: clientInfo(),
      signal: ending.signal,
      onLost: end,
      protocol: options.protocol as 'auto' | Revision,
      observer: {
        requested: ({ kind }) => kind === 'roots' && asked.give(),
        answered(request, response) {
          report.answered(request, response)
          if (isVisit(request, response)) progress.update(`finish in your browser, ${safeText(name, { maximum: 40 })} waits`)
          if (request.kind === 'roots') told.give()
        },
      },
      ...(options.verbose && { onStderr: (text: string) => void place.stderr.write(safeText(text, { lines: true, maximum: Infinity })) }),
    })
    report.connected(connection.revision)
    const tells = eraOf(connection.revision) === 'legacy' ? opened.tellsRoots(server.identity) : 'never'
    if (tells !== 'never' && (await isWithin(asked.given, tells === 'surely' ? FIRST_ROOTS_MS : MOMENT_MS))) {
      await unlessAborted(told.given, ending.signal)
      await unlessAborted(foldersDecided(opened.inbox), ending.signal)
      await sleep(MOMENT_MS)
    }
    const result = await askFor(connection, wanted, ending.signal)
    report.succeeded(result)
    if (result['isError'] === true) explain(await whichTools(connection, wanted, ending.signal))
  } catch (error) {
    report.failed(ending.signal.aborted ? ending.signal.reason : error)
    // A server that did not answer this would not answer that.
    if (connection !== undefined && serverErrorOf(error)) explain(await whichTools(connection, wanted, ending.signal))
  } finally {
    progress.stop()
    // First of all: what the server still asks belongs to a call that is over, and is shown to nobody.
    session.close()
    await connection?.close()
    // Last, so that what still waited is withdrawn and not left to nobody.
    detach?.()
    await opened.close()
    place.interrupted.removeEventListener('abort', interrupt)
  }
  const code = report.print()
  if (options.verbose) return code
  if (code === exitCodes.unanswered) await sayLacking()
  else if (isCause) await sayLacking('in case it wanted to ask something: ')
  else if (wanted.kind === 'list' && code === exitCodes.done) await sayLacking('', '. Tools that need them may be missing from the list')
  return code
}

/** Whether a person went to a web page, where the server waits for them. */
function isVisit({ kind, params }: InputRequest, response: InputResponse): boolean {
  if (kind !== 'elicitation' || !isJsonObject(params) || params['mode'] !== 'url') return false
  return response.outcome === 'answered' && response.result['action'] === 'accept'
}

/** Prompts are loaded only where somebody can see them. @returns undefined where nobody can */
async function attachTerminal(inbox: Inbox, place: Place, options: OwnTerminalOptions): Promise<(() => void) | undefined> {
  if (!hasTerminal(place)) return undefined
  const { attachOwnTerminal } = await import('./terminal/own-terminal.ts')
  return attachOwnTerminal(inbox, place, options)
}

function isWithin(event: Promise<void>, milliseconds: number): Promise<boolean> {
  return Promise.race([event.then(() => true), sleep(milliseconds, false)])
}

/** Waits while a person still thinks about folders: the server was told to expect a change. */
async function foldersDecided(inbox: Inbox | undefined): Promise<void> {
  while (inbox?.list().some(({ kind }) => kind === 'folders')) {
    await new Promise<void>((resolve) => {
      const stop = inbox.on('review-closed', () => {
        stop()
        resolve()
      })
    })
  }
}

function signalOnce(): { readonly given: Promise<void>; readonly give: () => void } {
  let give = (): void => undefined
  const given = new Promise<void>((resolve) => (give = resolve))
  return { given, give: () => give() }
}
