import { createListeners } from '../protocol/index.ts'
import { heartbeatMs, type ConsoleEvent } from './contract.ts'

export interface WindowsOptions {
  /** Tells one run of the desk from another in the ids of events. */
  readonly run: string
  /** Events that are kept for those who come back. Default: 2,000. */
  readonly mostEvents?: number | undefined
  /** Characters of all of them together. Default: 4 million. */
  readonly mostCharacters?: number | undefined
  /** Bytes that may wait for a window that does not read; more, and it is cut off and begins anew. Default: 8 MB. */
  readonly mostWaiting?: number | undefined
}

interface KeptEvent {
  readonly number: number
  readonly data: string
  /** A later event about the same makes this one superfluous. */
  readonly about: string | undefined
}

interface OpenWindow {
  readonly send: (text: string) => void
  readonly end: () => void
}

/**
 * The windows that are open, and the events that they get. Each event has a number; a window that was cut off says the last one it has seen, and gets what it missed,
 * or everything anew. A window that does not read is cut off: nothing is kept for it without end.
 */
export class Windows {
  readonly #options: WindowsOptions
  readonly #mostWaiting: number
  readonly #open = new Map<string, OpenWindow>()
  #kept: KeptEvent[] = []
  #keptCharacters = 0
  #number = 0
  #opened = 0
  readonly #listeners = createListeners<{ readonly changed: undefined }>()
  #heartbeat: NodeJS.Timeout | undefined

  constructor(options: WindowsOptions) {
    this.#options = options
    this.#mostWaiting = options.mostWaiting ?? 8 * 1024 * 1024
  }

  get size(): number {
    return this.#open.size
  }

  /**
   * Opens a stream for one window.
   *
   * @param first makes the event that says everything, for windows that missed too much, or the one that says that nothing was lost
   * @param onEnd called once, whoever ends it
   */
  open({
    after,
    first,
    onEnd,
  }: {
    readonly after: string | undefined
    readonly first: (window: string, missed: 'nothing' | 'everything') => ConsoleEvent
    readonly onEnd: () => void
  }): { readonly window: string; readonly stream: ReadableStream<Uint8Array>; readonly end: () => void } {
    const window = `window-${(this.#opened += 1)}`
    const missed = this.#after(after)
    let end = (): void => undefined
    const stream = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          const send = (text: string): void => {
            try {
              controller.enqueue(encoder.encode(text))
              if ((controller.desiredSize ?? 0) < 0) end()
            } catch {
              end()
            }
          }
          end = () => {
            if (!this.#open.delete(window)) return
            if (this.#open.size === 0) this.#stopHeartbeat()
            closeQuietly(controller)
            onEnd()
            this.#listeners.emit('changed', undefined)
          }
          this.#open.set(window, { send, end: () => end() })
          this.#startHeartbeat()
          this.#listeners.emit('changed', undefined)
          const event = JSON.stringify(first(window, missed === undefined ? 'everything' : 'nothing'))
          // Whoever is cut off in the middle of what was missed comes back for the rest of it.
          send(this.#format(missed?.after ?? this.#number, event))
          for (const { number, data } of missed?.events ?? []) send(this.#format(number, data))
        },
        cancel: () => end(),
      },
      new ByteLengthQueuingStrategy({ highWaterMark: this.#mostWaiting }),
    )
    return { window, stream, end: () => end() }
  }

  /** Sends an event to every window, and keeps it for those that come back. */
  tell(event: ConsoleEvent, about?: string): void {
    const data = JSON.stringify(event)
    const number = (this.#number += 1)
    this.#keep({ number, data, about })
    const text = this.#format(number, data)
    for (const { send } of this.#open.values()) send(text)
  }

  /** Sends one window its last event, and ends it. */
  dismiss(window: string, last: ConsoleEvent): void {
    const open = this.#open.get(window)
    open?.send(this.#line(last))
    open?.end()
  }

  /** A window was opened or closed. @returns the function that undoes it */
  onChange(listener: () => void): () => void {
    return this.#listeners.on('changed', listener)
  }

  /** Ends all. Safe to call twice. */
  close(): void {
    for (const { end } of this.#open.values()) end()
    this.#stopHeartbeat()
  }

  /** What came after an event; undefined where that is not known any more. */
  #after(id: string | undefined): { readonly after: number; readonly events: readonly KeptEvent[] } | undefined {
    const { run } = this.#options
    const text = id?.startsWith(`${run}:`) ? id.slice(run.length + 1) : ''
    const number = /^\d{1,15}$/.test(text) ? Number(text) : Infinity
    if (number > this.#number) return undefined
    const oldest = this.#kept[0]?.number ?? this.#number + 1
    if (number < this.#number && number < oldest - 1) return undefined
    return { after: number, events: this.#kept.filter((event) => event.number > number && event.data !== '') }
  }

  #keep(event: KeptEvent): void {
    const { mostEvents = 2000, mostCharacters = 4_000_000 } = this.#options
    if (event.about !== undefined) this.#forgetAbout(event.about)
    this.#kept.push(event)
    this.#keptCharacters += event.data.length
    let tooMany = 0
    for (let index = 0; this.#kept.length - tooMany > mostEvents || this.#keptCharacters > mostCharacters; index += 1) {
      this.#keptCharacters -= this.#kept[index]?.data.length ?? 0
      tooMany += 1
    }
    if (tooMany > 0) this.#kept = this.#kept.slice(tooMany)
  }

  /** Its place stays, so that the numbers have no gap; what it said is said by the later one. */
  #forgetAbout(about: string): void {
    const index = this.#kept.findLastIndex((event) => event.about === about)
    const event = this.#kept[index]
    if (event === undefined) return
    this.#keptCharacters -= event.data.length
    this.#kept[index] = { number: event.number, data: '', about: undefined }
  }

  #line(event: ConsoleEvent): string {
    return this.#format(this.#number, JSON.stringify(event))
  }

  #format(number: number, data: string): string {
    return `id: ${this.#options.run}:${number}\ndata: ${data}\n\n`
  }

  #startHeartbeat(): void {
    this.#heartbeat ??= setInterval(() => {
      for (const { send } of this.#open.values()) send(': still here\n\n')
    }, heartbeatMs).unref()
  }

  #stopHeartbeat(): void {
    clearInterval(this.#heartbeat)
    this.#heartbeat = undefined
  }
}

const encoder = new TextEncoder()

function closeQuietly(controller: ReadableStreamDefaultController<Uint8Array>): void {
  try {
    controller.close()
  } catch {
    // It was cancelled by the other side.
  }
}
