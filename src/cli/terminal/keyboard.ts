import type { Readable, Writable } from 'node:stream'
import { KeyReader, PASTE_MODE, type Typed } from './key-reader.ts'

/** Keyboards of a terminal can be read key by key. */
export type Keyboard = Readable & { setRawMode?(isRaw: boolean): unknown; readonly isRaw?: boolean }

export interface Listening {
  /** Leaves what is typed where it is, until it is heard again. */
  pause(): void
  resume(): void
  /** Gives the keyboard back as it was. Safe to call twice. */
  stop(): void
}

const SEQUENCE_MS = 60
const PASTE_MS = 2000

/** Reads a keyboard key by key, with pastes told apart. @param onGone runs when nothing can be typed any more: the terminal was closed */
export function listen(
  { input, output }: { readonly input: Keyboard; readonly output: Writable },
  hear: (typed: Typed) => void,
  onGone: () => void,
): Listening {
  const reader = new KeyReader()
  const decoder = new TextDecoder()
  const wasRaw = input.isRaw === true
  let isOver = false
  let timer: NodeJS.Timeout | undefined
  const tell = (all: readonly Typed[]): void => {
    for (const typed of all) if (!isOver) hear(typed)
  }
  const read = (chunk: Uint8Array | string): void => {
    clearTimeout(timer)
    tell(reader.read(typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true })))
    if (!isOver && reader.isWaiting) timer = setTimeout(() => tell(reader.giveUp()), reader.isPasting ? PASTE_MS : SEQUENCE_MS)
  }
  const leave = (): void => {
    if (!isOver) onGone()
  }
  const ends = ['end', 'close', 'error'] as const
  for (const end of ends) input.on(end, leave)
  input.setRawMode?.(true)
  input.on('data', read)
  input.resume()
  output.write(PASTE_MODE.on)
  return {
    pause: () => void input.pause(),
    resume: () => void (isOver || input.resume()),
    stop() {
      if (isOver) return
      isOver = true
      clearTimeout(timer)
      input.off('data', read)
      for (const end of ends) input.off(end, leave)
      output.write(PASTE_MODE.off)
      input.setRawMode?.(wasRaw)
      input.pause()
    },
  }
}
