import type { Writable } from 'node:stream'
import type { Keyboard } from './keyboard.ts'
import { CTRL_C } from './menu-keys.ts'

/** A text that is written while it comes. */
export interface GrowingText {
  add(text: string): void
  /** Gives the keyboard back. Safe to call twice. */
  end(): void
}

/** Writes a text as it grows, plainly: nothing is drawn over, so that it works everywhere. Ctrl-C stops it, and nothing else. @param onStop runs at Ctrl-C, once */
export function growText({ input, output }: { readonly input: Keyboard; readonly output: Writable }, title: string, onStop: () => void): GrowingText {
  let isOver = false
  const wasRaw = input.isRaw === true
  const read = (keys: Uint8Array | string): void => {
    if (!keys.toString().includes(CTRL_C)) return
    end()
    onStop()
  }
  const end = (): void => {
    if (isOver) return
    isOver = true
    input.off('data', read)
    input.setRawMode?.(wasRaw)
    input.pause()
    output.write('\n')
  }
  input.setRawMode?.(true)
  input.on('data', read)
  input.resume()
  output.write(`│\n│  ${title}\n`)
  return {
    // In raw mode of the keyboard, some terminals do not go back to the beginning of a line by themselves.
    add: (text) => void (isOver || output.write(text.replaceAll('\n', '\r\n'))),
    end,
  }
}
