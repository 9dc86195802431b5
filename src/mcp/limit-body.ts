import { ConsentryError } from '../errors.ts'

export interface BodyLimit {
  readonly maxBytes: number
  /** A stream of events has no end: each of them is held to the limit instead. */
  readonly isEvents: boolean
}

const lineFeed = 10
const carriageReturn = 13

/** A stream of Node: what is needed of one here. */
export interface Body {
  on(event: 'data', listener: (chunk: Uint8Array) => void): unknown
  on(event: 'end' | 'close', listener: () => void): unknown
  on(event: 'error', listener: (error: Error) => void): unknown
  pause(): unknown
  resume(): unknown
  destroy(): unknown
}

/** So many bytes wait for whoever reads before no more are taken. */
const mostWaiting = 64 * 1024

/**
 * The same bytes, as a response wants them; ends with a ConsentryError `PROTOCOL_VIOLATION`, and lets go of what sends them, where there are too many.
 * Made by hand: Node's own way goes through three streams, for each answer anew.
 */
export function limitBody(body: Body, { maxBytes, isEvents }: BodyLimit): ReadableStream<Uint8Array> {
  const count = isEvents ? countEvent() : countAll()
  let isOver = false
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const end = (error?: Error): void => {
          if (isOver) return
          isOver = true
          if (error) controller.error(error)
          else controller.close()
        }
        body.on('data', (chunk) => {
          if (isOver) return
          if (count(chunk) > maxBytes) {
            end(tooMuch(isEvents ? 'an event' : 'a response', maxBytes))
            body.destroy()
            return
          }
          controller.enqueue(chunk)
          if (controller.desiredSize! <= 0) body.pause()
        })
        body.on('end', () => end())
        body.on('error', end)
        body.on('close', () => end(brokenOff()))
      },
      pull: () => void body.resume(),
      cancel() {
        isOver = true
        body.destroy()
      },
    },
    new ByteLengthQueuingStrategy({ highWaterMark: mostWaiting }),
  )
}

/** All of a body that nobody reads in parts, within the same limit: a stream would cost more than the rest of a short answer. @throws ConsentryError as above */
export function readWhole(body: Body, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = []
    const count = countAll()
    body.on('data', (chunk) => {
      if (count(chunk) > maxBytes) {
        reject(tooMuch('a response', maxBytes))
        body.destroy()
      } else chunks.push(chunk)
    })
    body.on('end', () => resolve(Buffer.concat(chunks)))
    body.on('error', reject)
    body.on('close', () => reject(brokenOff()))
  })
}

function tooMuch(what: string, maxBytes: number): ConsentryError {
  return new ConsentryError('PROTOCOL_VIOLATION', `The server sent ${what} of more than ${Math.floor(maxBytes / 1024 / 1024)} MB`)
}

function brokenOff(): Error {
  return new Error('the connection ended in the middle of a message')
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
