/** One event of a stream: its id, where it has one, and its data. */
export interface StreamedEvent {
  readonly id: string | undefined
  readonly data: string
}

/**
 * Reads server-sent events out of text that comes in pieces cut anywhere. Comment lines are no events.
 *
 * @see HTML Living Standard, "Interpreting an event stream"
 */
export class EventReader {
  #rest = ''
  #id: string | undefined
  #data: string[] = []

  read(piece: string): readonly StreamedEvent[] {
    const lines = (this.#rest + piece).split('\n')
    this.#rest = lines.pop()!
    return lines.flatMap((line) => this.#take(line.endsWith('\r') ? line.slice(0, -1) : line))
  }

  #take(line: string): readonly StreamedEvent[] {
    if (line === '') return this.#flush()
    const colon = line.indexOf(':')
    const name = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1)
    if (name === 'id') this.#id = value
    if (name === 'data') this.#data.push(value)
    return []
  }

  #flush(): readonly StreamedEvent[] {
    const event = { id: this.#id, data: this.#data.join('\n') }
    const isEmpty = this.#data.length === 0
    this.#id = undefined
    this.#data = []
    return isEmpty ? [] : [event]
  }
}
