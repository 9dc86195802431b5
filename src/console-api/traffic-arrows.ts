import { isJsonObject, type ConnectionOrigin, type Heard } from '../protocol/index.ts'
import type { TimelineEvent } from './contract.ts'

type Side = 'client' | 'server'

/** Which of a server's connections a message is of. */
export type TrafficAbout = Partial<Pick<TimelineEvent, 'connection' | 'client'>>

export interface TrafficArrowsOptions {
  readonly now: () => number
  /** @returns how many characters it came to */
  readonly add: (event: Omit<TimelineEvent, 'id' | 'at' | 'hasMessage'>, message: unknown) => number
  /** Adds an arrow whose message is read only when somebody looks. */
  readonly addCount: (event: Omit<TimelineEvent, 'id' | 'at' | 'hasMessage'>, read: () => unknown) => void
}

/** So much of all connections together is looked at in a second: asking and answering, which the same process does, come first. */
const most = { messages: 500, characters: 1_000_000 }
const secondMs = 1000

/** What clients and servers say to each other, as arrows. What there is no room for is left out, and an arrow `…` counts it. */
export class TrafficArrows {
  readonly #options: TrafficArrowsOptions
  /** By connection: what was left out since the last message that was shown. */
  readonly #gaps = new Map<string, { missed: number }>()
  #second = { at: -Infinity, messages: 0, characters: 0 }

  constructor(options: TrafficArrowsOptions) {
    this.#options = options
  }

  hear({ from, line, bytes, missed }: Extract<Heard, { readonly kind: 'traffic' }>, { server, connection, client }: ConnectionOrigin): void {
    const about = { connection, client }
    if (missed !== undefined) this.#miss(server.name, from, about, missed)
    if (!this.#hasRoom(line.length)) return this.#miss(server.name, from, about, 1)
    if (bytes === undefined) return this.#show(server.name, from, readLine(from, line), about)
    // What a person typed may stand anywhere in what is only begun.
    this.#add(server.name, from, '…', from === 'client' ? { bytes } : { bytes, beginning: line }, about)
  }

  /** Adds a message as it is on the wire. */
  add(server: string, from: Side, message: unknown, about: TrafficAbout = {}): void {
    if (this.#hasRoom(0)) this.#show(server, from, message, about)
    else this.#miss(server, from, about, 1)
  }

  /** Nobody says anything there any more. */
  forget(server: string, connection: string): void {
    this.#gaps.delete(whoseOf(server, { connection }))
  }

  #show(server: string, from: Side, message: unknown, about: TrafficAbout): void {
    const { id, method, error } = isJsonObject(message) ? message : {}
    const name = typeof method === 'string' ? method : error === undefined ? 'result' : 'error'
    // Ids of both sides may be equal: a request and its response belong together, whoever asked.
    const asker = (typeof method === 'string') === (from === 'client') ? 'client' : 'server'
    this.#add(server, from, name, message, about, id === undefined ? name : `${asker} ${JSON.stringify(id)}`)
  }

  #add(server: string, from: Side, name: string, message: unknown, about: TrafficAbout, thread = name): void {
    this.#gaps.delete(whoseOf(server, about))
    this.#second.characters += this.#options.add(arrowOf(server, from, name, about, thread), message)
  }

  #miss(server: string, from: Side, about: TrafficAbout, missed: number): void {
    const whose = whoseOf(server, about)
    const gap = this.#gaps.get(whose)
    if (gap) {
      gap.missed += missed
      return
    }
    const begun = { missed }
    this.#gaps.set(whose, begun)
    this.#options.addCount(arrowOf(server, from, '…', about, '…'), () => begun)
  }

  #hasRoom(characters: number): boolean {
    const now = this.#options.now()
    const sinceMs = now - this.#second.at
    // A clock that was put back begins another second.
    if (sinceMs >= secondMs || sinceMs < 0) this.#second = { at: now, messages: 0, characters: 0 }
    if (this.#second.messages >= most.messages || this.#second.characters >= most.characters) return false
    this.#second.messages += 1
    this.#second.characters += characters
    return true
  }
}

function arrowOf(server: string, from: Side, name: string, about: TrafficAbout, thread: string): Omit<TimelineEvent, 'id' | 'at' | 'hasMessage'> {
  const to = from === 'client' ? 'server' : 'client'
  return { ...about, server, from, to, kind: 'message', thread: `${whoseOf(server, about)} ${thread}`, name }
}

/** Two clients of one server count alike. */
function whoseOf(server: string, { connection }: TrafficAbout): string {
  return connection === undefined ? server : `${server} ${connection}`
}

/** What is no JSON is shown as it stands; of a client only how long it is, because it may be an answer that a person typed. */
function readLine(from: Side, line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return from === 'client' ? { characters: line.length } : { line }
  }
}
