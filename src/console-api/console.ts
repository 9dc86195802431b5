import { reviewKinds } from '../protocol/index.ts'
import { openAppFiles, removeRedirects } from './app-files.ts'
import { CallBoard } from './call-board.ts'
import type { CallNeeds, DeskRooms } from './call.ts'
import { SURFACE } from './calls/review-decide.ts'
import { tokenParameter, type DeskState, type Snapshot } from './contract.ts'
import { createHandlers } from './handlers.ts'
import { createHttpApp } from './http-app.ts'
import { listen } from './listen.ts'
import { LogWatch } from './log-watch.ts'
import { MediaShelf } from './media-shelf.ts'
import { openWithBrowser } from './open-with-browser.ts'
import { PreferencesFile } from './preferences-file.ts'
import { ReviewBoard } from './review-board.ts'
import { faultOf, ServerBoard } from './server-board.ts'
import { randomText, Sessions, type SessionsOptions } from './sessions.ts'
import { gatherTimeline } from './gather-timeline.ts'
import { Windows } from './windows.ts'

export interface ConsoleOptions extends DeskRooms {
  /** Default: any that is free. */
  readonly port?: number | undefined
  /** Where the built app lies. */
  readonly appFolder: string
  /** Where what a person likes is kept, and pages that open a browser for a moment: a folder for the user alone. */
  readonly preferencesFile: string
  readonly redirectFolder: string
  readonly sessions?: SessionsOptions | undefined
  /** Opens a file with the user's browser. Rejects when it cannot. Default: as the system does. */
  readonly openFile?: ((file: string) => Promise<void>) | undefined
  /** An error of ours, for whoever reads the desk's stderr. */
  readonly report: (error: unknown) => void
}

/** The console in the browser, as whoever runs the desk sees it. */
export interface Console {
  readonly port: number
  /** Windows that are open now. */
  readonly people: number
  /** Its address with a fresh token that lets one browser in, once. For the user's eyes only: never an argument of a process. */
  url(): string
  /** Opens it in the user's browser. @returns why it could not be opened */
  show(): Promise<string | undefined>
  /** @returns the function that undoes it */
  onPeople(listener: () => void): () => void
  /** Ends every session and hangs up. Safe to call twice. */
  close(): Promise<void>
}

const unwritable = { code: 'AUDIT_UNAVAILABLE', message: 'The audit log cannot be written, so that nothing is answered.' } as const

/**
 * Opens the console of a desk: people see on 127.0.0.1 what waits and what is going on, and decide there.
 * What may decide lives in the memory of this process and of the browser alone.
 *
 * @throws ConsentryError `PORT_IN_USE`
 */
export async function createConsole(options: ConsoleOptions): Promise<Console> {
  const { inbox, host, config, policy, timeline, now } = options
  const run = randomText().slice(0, 12)
  const sessions = new Sessions({ now, ...options.sessions })
  const windows = new Windows({ run })
  const media = new MediaShelf()
  const tell = windows.tell.bind(windows)
  const reviews = new ReviewBoard({ inbox, media, tell, now })
  const servers = new ServerBoard({ host, config, timeline, waitingOf: (server) => reviews.waitingOf(server), tell, now })
  const calls = new CallBoard({ host, inbox, media, timeline, tell, now })
  const preferences = await PreferencesFile.open(options.preferencesFile)
  await removeRedirects(options.redirectFolder)

  const tellDesk = (): void => tell({ type: 'desk-changed', desk: deskState() }, 'desk')
  const log = new LogWatch({
    audit: options.audit,
    lacksEntry: () => timeline.lacksAudit,
    onWritable: () => timeline.endLackOfAudit(),
    onChange: tellDesk,
  })
  const deskState = (): DeskState => ({
    alwaysAsk: policy.alwaysAsk,
    configFault: config.broken && faultOf(config.broken),
    auditFault: log.fault ?? (timeline.lacksAudit ? unwritable : undefined),
    demo: options.place.isDemo,
  })
  const needs: CallNeeds = { ...options, sessions, windows, reviews, servers, calls, media, preferences, deskState, tell }
  const snapshot = (window: string): Snapshot => ({
    window,
    now: now(),
    desk: deskState(),
    reviews: reviews.list(),
    done: reviews.done(),
    servers: servers.list(),
    calls: calls.list(),
    preferences: preferences.current,
  })

  let port = 0
  const app = createHttpApp({
    authority: () => `127.0.0.1:${port}`,
    files: await openAppFiles(options.appFolder),
    sessions,
    windows,
    media,
    handlers: createHandlers(needs),
    first: (window, missed) => (missed === 'everything' ? { type: 'snapshot', snapshot: snapshot(window) } : { type: 'resumed', window, now: now() }),
    report: options.report,
  })
  const listening = await listen(app, options.port ?? 0)
  port = listening.port

  const stops = [
    inbox.attach({ name: SURFACE, kinds: reviewKinds }),
    inbox.on('review-opened', () => servers.refresh()),
    inbox.on('review-closed', () => servers.refresh()),
    config.on('changed', tellDesk),
    config.on('broken', tellDesk),
    timeline.on('audit-changed', tellDesk),
    timeline.on('audit-changed', () => void (timeline.lacksAudit && log.look())),
    windows.onChange(() => void (windows.size > 0 && log.look())),
    () => log.close(),
    gatherTimeline(timeline, inbox, host, tell),
  ]
  const url = (): string => `http://127.0.0.1:${port}/#${tokenParameter}=${sessions.issueToken()}`
  return {
    port,
    get people() {
      return windows.size
    },
    url,
    show: () => openWithBrowser(url(), { folder: options.redirectFolder, openFile: options.openFile, sessions }),
    onPeople: (listener) => windows.onChange(listener),
    async close() {
      for (const stop of stops.splice(0)) stop()
      for (const board of [reviews, servers, calls]) board.close()
      sessions.closeAll()
      windows.close()
      await listening.close()
      await removeRedirects(options.redirectFolder)
    },
  }
}
