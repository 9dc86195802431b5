import { ConsentryError } from '../errors.ts'

export interface BodyLimit {
  readonly maxBytes: number
  /** A stream of events has no end: each of them is held to the limit instead. */
  readonly isEvents: boolean
}

const lineFeed = 10
const carriageReturn = 13

/** The same bytes; ends with a ConsentryError `PROTOCOL_VIOLATION`, and lets go of what sends them, where there are too many. */
export function limitBody(body: ReadableStream<Uint8Array>, { maxBytes, isEvents }: BodyLimit): ReadableStream<Uint8Array> {
  const count = isEvents ? countEvent() : countAll()
  const what = isEvents ? 'an event' : 'a response'
  const transform = (chunk: Uint8Array, controller: TransformStreamDefaultController<Uint8Array>): void => {
    if (count(chunk) <= maxBytes) controller.enqueue(chunk)
    else controller.error(new ConsentryError('PROTOCOL_VIOLATION', `The server sent ${what} of more than ${Math.floor(maxBytes / 1024 / 1024)} MB`))
  }
  return body.pipeThrough(new TransformStream({ transform }))
}

function countAll(): (chunk: Uint8Array) => number {
  let bytes = 0
  return (chunk) => (bytes += chunk.length)
}

/** Counts anew after each blank line, which ends an event. @see WHATWG HTML "Parsing an event stream" */
function countEvent(): (chunk: Uint8Array) => number {
  let bytes = 0
  let isLineEmpty = true
  let last = 0
  return (chunk) => {
    let most = 0
    for (const byte of chunk) {
      bytes += 1
      const isSecondHalf = byte === lineFeed && last === carriageReturn
      const isLineEnd = byte === lineFeed || byte === carriageReturn
      if (isLineEnd && !isSecondHalf) {
        most = Math.max(most, bytes)
        if (isLineEmpty) bytes = 0
        isLineEmpty = true
      } else if (!isLineEnd) isLineEmpty = false
      last = byte
    }
    return Math.max(most, bytes)
  }
}
