import { setTimeout as sleep } from 'node:timers/promises'
import { ConsentryError } from '../errors.ts'
import { takeFileLock, type FileLock } from '../store/index.ts'
import { Timeline } from '../console-api/index.ts'
import { askDesk, callDesk, type DeskRequest } from './call-desk.ts'
import { forgetGrants, type DemoState } from './demo-state.ts'
import { readDeskFile, type DeskAddress } from './desk-file.ts'
import { DeskProcess, type DeskProcessOptions, type DeskWindow } from './desk-process.ts'
import { exitCodes, type ExitCode } from './exit.ts'
import { openConfig } from './open-config.ts'
import type { Place } from './place.ts'
import { humanTimeoutMs } from './open-desk.ts'
import { openStateFolder } from './state-folder.ts'
import { safeText } from './terminal/safe-text.ts'
import { canOpenBrowser, openUpWindow } from './up-window.ts'
import { jsonLine, writeOut } from './write-out.ts'

export interface UpOptions {
  readonly port?: number | undefined
  /** False: the browser is not opened. */
  readonly open: boolean
  readonly json?: boolean | undefined
  /** A wrap starts it: nobody sits here, and it leaves by itself. */
  readonly background?: boolean | undefined
  /** In milliseconds, see `DeskProcessOptions`. */
  readonly quietMs?: number | undefined
  /** It is the desk of the demo: the folders that were made for it are offered, and nothing is remembered of an earlier tour. */
  readonly example?: Pick<DemoState, 'workspace' | 'folders'> | undefined
}

/** What a command does about the desk: it is the desk, or it found the one that runs. */
export type DeskRole =
  | { readonly role: 'desk'; readonly lock: FileLock }
  | { readonly role: 'caller'; readonly address: DeskAddress; readonly why: string | undefined }

const defaultQuietMs = 10 * 60_000
/** A desk stays for days with nothing to do, and each look costs a little; an edit counts within a second all the same. */
const lookAtConfigMs = 500
/** A desk that holds the lock is given so long to answer, or to let go of it. */
const longestStartMs = 10_000

/** `consentry up`: the desk, until somebody ends it. Where one runs already, that one opens its window, and this command is done. */
export async function runUp(options: UpOptions, place: Place): Promise<ExitCode> {
  // A desk that a wrap started, that nobody looks at and that cannot show itself makes room for one that somebody starts by hand.
  const requests = options.background ? [] : options.open ? (['show', 'leave'] as const) : (['leave'] as const)
  const role = await takeRole(requests, place)
  if (role.role === 'caller') return reportRunning(options, role, place)
  const desk = await startDesk(role.lock, options, place)
  try {
    if (options.example !== undefined) await forgetGrants(desk.opened.rooms.grants)
    await reportReady(options, desk, place)
    const why = await desk.ended
    if (!options.background && why !== 'interrupted') say(place, `the desk ends: another one takes its place`)
    return exitCodes.done
  } finally {
    await desk.close()
  }
}

/**
 * Takes the lock, or calls the desk that holds it and asks it for something: for the first that it does.
 *
 * @throws ConsentryError `DESK_UNREACHABLE` where a desk holds the lock and does not answer, or is of a newer version; `STORE_UNAVAILABLE`
 */
export async function takeRole(requests: readonly DeskRequest[], place: Place): Promise<DeskRole> {
  const { deskLock } = openStateFolder(place)
  const end = Date.now() + longestStartMs
  for (;;) {
    const lock = await takeFileLock(deskLock)
    if (lock !== undefined) return { role: 'desk', lock }
    try {
      const { channel, address } = await callDesk(place)
      const { done, why } = await askDesk(channel, requests)
      channel.close()
      if (done !== 'leave') return { role: 'caller', address, why }
    } catch (error) {
      const isNewer = error instanceof ConsentryError && error.data?.['version'] === 'newer'
      if (isNewer || Date.now() > end) throw error
    }
    place.interrupted.throwIfAborted()
    await sleep(100)
  }
}

/** @param lock released where there can be no desk */
export async function startDesk(lock: FileLock, options: UpOptions, place: Place): Promise<DeskProcess> {
  const notice = (sentence: string): void => say(place, sentence)
  const isBackground = options.background === true
  const { port, example } = options
  const timeline = new Timeline()
  const formerPort = (await readDeskFile(openStateFolder(place).deskFile))?.port
  const process: DeskProcessOptions = {
    observer: timeline,
    // Nobody is ever told the address of a desk in the background: where it can open no browser, nobody can see it.
    openWindow: (parts) =>
      isBackground && !canOpenBrowser(place) ? Promise.resolve(undefined) : openUpWindow(parts, { timeline, port, formerPort, example, notice }, place),
    showWindow: (window) => (isBackground ? openBrowser(window, place) : bringWindow(window, place)),
    opensItself: options.open,
    isBackground,
    quietMs: options.quietMs ?? defaultQuietMs,
    notice,
    // Its server asks in the middle of a call, which waits for a newcomer who reads.
    ...(example && { ownFolder: example.workspace, proposedRoots: () => example.folders, patience: humanTimeoutMs }),
  }
  let config: Awaited<ReturnType<typeof openConfig>> | undefined
  try {
    config = await openConfig(place, lookAtConfigMs)
    return await DeskProcess.start(config, lock, process, place)
  } catch (error) {
    config?.close()
    lock.release()
    throw error
  }
}

async function reportReady(options: UpOptions, desk: DeskProcess, place: Place): Promise<void> {
  const { address, window } = desk
  if (options.background) return
  // The servers of the config are the desk's own to start only where a person started the desk.
  void desk.host.connect()
  const url = window?.url()
  const what = options.example === undefined ? 'the desk runs' : 'the tour runs in the browser'
  if (options.json) await writeOut(place.stdout, jsonLine({ url: url ?? null, port: address.port ?? null, pid: address.pid }))
  else say(place, url === undefined ? 'the desk runs, without a window; Ctrl-C ends it' : `${what}: ${url}\n(Ctrl-C ends it)`)
  if (!options.open || window === undefined) return
  const why = await openBrowser(window, place)
  if (why !== undefined) say(place, `no browser could be opened (${why}). ${whatElse(options, window.port)}`)
}

/** @returns why none could be opened */
async function openBrowser(window: DeskWindow, place: Place): Promise<string | undefined> {
  return canOpenBrowser(place) ? window.show() : 'there is no display'
}

/** An address lets one browser in, once: where no browser can be opened, the desk's own terminal, and nobody else, gets a fresh one. */
async function bringWindow(window: DeskWindow, place: Place): Promise<string | undefined> {
  const why = await openBrowser(window, place)
  if (why === undefined) return undefined
  say(place, `a fresh address of the console: ${window.url()}`)
  return `${why}; a fresh address stands in the terminal in which the desk was started`
}

/** What somebody can do who sees no browser. */
function whatElse({ example }: UpOptions, port: number): string {
  const inTerminal = example === undefined ? 'end it, and use "consentry inbox"' : 'end it, and use "consentry demo --terminal"'
  return `Open the address in a browser on this computer; from another one, forward the port first (ssh -L ${port}:127.0.0.1:${port} HOST).\nOr stay in the terminal: ${inTerminal}.`
}

/** The one-time token of the desk that runs is never told over the socket, where wraps ask too: the address of its console is all that there is. */
async function reportRunning(
  { json, background, open }: UpOptions,
  { address, why }: Extract<DeskRole, { readonly role: 'caller' }>,
  place: Place,
): Promise<ExitCode> {
  const { pid, port } = address
  const url = port === undefined ? null : `http://127.0.0.1:${port}/`
  if (json) await writeOut(place.stdout, jsonLine({ url, port: port ?? null, pid }))
  if (background) return exitCodes.done
  const shown = !open ? '' : why === undefined ? ', and opens its window' : `, and could not open its window (${why})`
  say(place, `a desk runs already (process ${pid})${shown}`)
  return open && why !== undefined ? exitCodes.failed : exitCodes.done
}

function say({ stderr }: Place, sentence: string): void {
  stderr.write(`consentry: ${safeText(sentence, { lines: true, maximum: 10_000 }).replaceAll('\n', '\n  | ')}\n`)
}
