import type { DeskObserver, ObservedSession } from '../desk/index.ts'
import type { ClosedReview } from '../inbox/index.ts'
import { createListeners, type ConnectionOrigin, type Heard, type InputRequest, type InputResponse, type Origin, type Review } from '../protocol/index.ts'
import type { TimelineEvent, TimelineFilter } from './contract.ts'
import { wordOfEnd } from '../protocol/visit-done.ts'
import { maskMessage, type MaskOptions } from './mask-message.ts'
import { TrafficArrows, type TrafficAbout } from './traffic-arrows.ts'

export interface TimelineOptions {
  readonly now?: (() => number) | undefined
  /** Arrows that are kept. Default: 5,000. */
  readonly mostEvents?: number | undefined
  /** Characters of messages that are kept, all together. Default: 16 million. */
  readonly mostCharacters?: number | undefined
}

export interface TimelineEvents {
  readonly grew: TimelineEvent
  /** A wrapped server wrote to its stderr. */
  readonly stderr: { readonly server: string; readonly connection: string; readonly text: string }
  /** A connection came or went. */
  readonly 'sessions-changed': undefined
  /** The audit log cannot be written any more, or can be again. */
  readonly 'audit-changed': undefined
}

type Arrow = Omit<TimelineEvent, 'id' | 'at' | 'hasMessage'>

interface Kept {
  readonly event: TimelineEvent
  readonly json: string | undefined
  /** In the place of `json` where it is still changing. */
  readonly read?: (() => unknown) | undefined
}

/** Which server, whose connection, for which application: the same for all arrows of a question. */
type About = Pick<TimelineEvent, 'server' | 'connection' | 'client' | 'thread'>

/**
 * What servers asked and what came of it, as arrows between those who take part, for people to look at; in memory, bounded, and with secrets masked before they are kept.
 * Give it to a desk as its observer.
 */
export class Timeline implements DeskObserver {
  readonly #options: TimelineOptions
  readonly #now: () => number
  readonly #listeners = createListeners<TimelineEvents>()
  readonly #sessions = new Set<ObservedSession>()
  /** Questions whose model was asked after a person said so, and with which model. */
  readonly #asking = new Map<string, string>()
  readonly #traffic = new Set<string>()
  readonly #arrows: TrafficArrows
  #kept: Kept[] = []
  #characters = 0
  #lastId = 0
  #lacksAudit = false

  constructor(options: TimelineOptions = {}) {
    this.#options = options
    this.#now = options.now ?? Date.now
    this.#arrows = new TrafficArrows({
      now: this.#now,
      add: (event, message) => this.#keep(event, { json: maskMessage(message, { isWire: true }) }),
      addCount: (event, read) => this.#keep(event, { json: undefined, read }),
    })
  }

  /** Connections whose questions are answered now, wraps' and our own. */
  get sessions(): readonly ObservedSession[] {
    return [...this.#sessions]
  }

  /** The last question could not be written down, and was not answered because of that. */
  get lacksAudit(): boolean {
    return this.#lacksAudit
  }

  opened(session: ObservedSession): void {
    this.#sessions.add(session)
    session.showTraffic(this.keepsTraffic(session.origin.server.name))
    this.#listeners.emit('sessions-changed', undefined)
  }

  closed(session: ObservedSession): void {
    this.#sessions.delete(session)
    this.#arrows.forget(session.origin.server.name, session.origin.connection)
    this.#listeners.emit('sessions-changed', undefined)
  }

  asked({ kind, params, call }: InputRequest, origin: Origin): void {
    const name = call?.kind === 'one-of' ? undefined : call?.name
    this.add({ ...aboutOf(origin), from: 'server', to: 'desk', kind: 'asked', request: kind, name }, params === undefined ? { request: kind } : params)
  }

  ended(response: InputResponse, origin: Origin): void {
    const about = aboutOf(origin)
    const asked = this.#asking.get(about.thread)
    this.#asking.delete(about.thread)
    if (response.outcome === 'withdrawn') {
      this.add({ ...about, from: 'server', to: 'desk', kind: 'withdrawn', outcome: response.reason.slice(0, 200) })
      return
    }
    this.#noteAudit(response.unanswered === 'audit-unavailable')
    const model = response.facts?.['written'] === true ? undefined : response.facts?.['model']
    if (typeof model === 'string') {
      if (asked === undefined) this.add({ ...about, from: 'desk', to: 'model', kind: 'model-asked', request: 'sampling', name: model })
      if (response.outcome === 'answered') this.add({ ...about, from: 'model', to: 'desk', kind: 'model-answered', request: 'sampling', name: model })
    }
    const { by } = response
    const ending = { ...about, from: 'desk', to: 'server', kind: 'answered', by } as const
    if (response.outcome === 'refused') {
      const { code, message } = response.error
      this.add({ ...ending, outcome: 'refused', error: code }, { error: { code, message } })
      return
    }
    const { result, facts } = response
    const secrets = Array.isArray(facts?.['secretFields']) ? facts['secretFields'].filter((name) => typeof name === 'string') : []
    this.add({ ...ending, outcome: typeof result['action'] === 'string' ? result['action'] : 'answered' }, result, secrets)
  }

  heard(heard: Heard, origin: ConnectionOrigin): void {
    const { server, connection } = origin
    if (heard.kind === 'stderr') this.#listeners.emit('stderr', { server: server.name, connection, text: heard.text })
    else if (this.keepsTraffic(server.name)) this.#arrows.hear(heard, origin)
  }

  reviewOpened({ id, kind, origin }: Review): void {
    this.add({ ...aboutOf(origin), from: 'desk', to: 'you', kind: 'shown', review: id, reviewKind: kind })
  }

  reviewClosed({ review: { id, kind, origin }, settlement }: ClosedReview): void {
    const about = aboutOf(origin)
    const isDecided = settlement.outcome === 'decided'
    const outcome = wordOfEnd(settlement)
    if (outcome === 'completed') return this.add({ ...about, from: 'server', to: 'desk', kind: 'completed', review: id, reviewKind: kind })
    this.add({ ...about, from: 'you', to: 'desk', kind: 'decided', review: id, reviewKind: kind, outcome, by: isDecided ? settlement.by : 'none' })
    if (kind !== 'prompt' || outcome !== 'approve') return
    this.#asking.set(about.thread, id)
    this.add({ ...about, from: 'desk', to: 'model', kind: 'model-asked', request: 'sampling' })
  }

  /** Adds an arrow, and what was said, if that is to be seen. */
  add(event: Arrow, message?: unknown, secrets?: MaskOptions['secrets']): void {
    this.#keep(event, { json: message === undefined ? undefined : maskMessage(message, { secrets }) })
  }

  /** Adds a message as it is on the wire. */
  addTraffic(server: string, from: 'client' | 'server', message: unknown, about?: TrafficAbout): void {
    this.#arrows.add(server, from, message, about)
  }

  /** Newest first, before an id. */
  list({ before = Infinity, limit = 200, filter = {} }: { readonly before?: number; readonly limit?: number; readonly filter?: TimelineFilter } = {}): {
    readonly events: readonly TimelineEvent[]
    readonly next?: number | undefined
    readonly dropped?: number | undefined
  } {
    const fits = this.#kept.filter((kept) => kept.event.id < before && matches(kept, filter)).toReversed()
    const events = fits.slice(0, limit).map(({ event }) => event)
    const dropped = this.#lastId - this.#kept.length
    return { events, ...(fits.length > limit && { next: events.at(-1)?.id }), ...(dropped > 0 && { dropped }) }
  }

  /** What was said with an arrow, as JSON; undefined where it is not kept. */
  messageOf(id: number): string | undefined {
    const kept = this.#kept.find(({ event }) => event.id === id)
    return kept?.read === undefined ? kept?.json : maskMessage(kept.read())
  }

  /** Keeps the whole traffic of a server from now on, or no more. */
  setTraffic(server: string, on: boolean): void {
    if (on) this.#traffic.add(server)
    else this.#traffic.delete(server)
    for (const session of this.#sessions) if (session.origin.server.name === server) session.showTraffic(on)
  }

  keepsTraffic(server: string): boolean {
    return this.#traffic.has(server)
  }

  /** @returns the function that undoes it */
  on<Name extends keyof TimelineEvents>(event: Name, listener: (detail: TimelineEvents[Name]) => void): () => void {
    return this.#listeners.on(event, listener)
  }

  /** Entries can be written again. */
  endLackOfAudit(): void {
    this.#noteAudit(false)
  }

  #noteAudit(lacksAudit: boolean): void {
    if (this.#lacksAudit === lacksAudit) return
    this.#lacksAudit = lacksAudit
    this.#listeners.emit('audit-changed', undefined)
  }

  /** @returns how many characters it came to */
  #keep(event: Arrow, said: Omit<Kept, 'event'>): number {
    const full = { ...event, id: (this.#lastId += 1), at: this.#now(), hasMessage: said.json !== undefined || said.read !== undefined }
    const characters = said.json?.length ?? 0
    this.#kept.push({ event: full, ...said })
    this.#characters += characters
    this.#trim()
    this.#listeners.emit('grew', full)
    return characters
  }

  #trim(): void {
    const { mostEvents = 5000, mostCharacters = 16_000_000 } = this.#options
    if (this.#kept.length <= mostEvents && this.#characters <= mostCharacters) return
    let gone = 0
    // A tenth at a time, so that not every arrow costs a copy.
    while (this.#kept.length - gone > mostEvents * 0.9 || this.#characters > mostCharacters * 0.9) {
      this.#characters -= this.#kept[gone]?.json?.length ?? 0
      gone += 1
    }
    this.#kept = this.#kept.slice(gone)
  }
}

function aboutOf({ server, connection, client, question }: Origin): About {
  return { server: server.name, connection, client, thread: question ?? connection }
}

function matches({ event, json }: Kept, { server, connection, request, questionsOnly, search }: TimelineFilter): boolean {
  if (server !== undefined && event.server !== server) return false
  if (connection !== undefined && event.connection !== connection) return false
  if (request !== undefined && event.request !== undefined && event.request !== request) return false
  if (questionsOnly === true && event.kind === 'message') return false
  if (search === undefined || search === '') return true
  const wanted = search.toLowerCase()
  return [event.name, event.server, event.outcome, event.error, json].some((text) => text?.toLowerCase().includes(wanted))
}
