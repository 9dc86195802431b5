import type { Inbox } from '../inbox/index.ts'
import type { Place } from './place.ts'

const AFTER_MS = 500
const EVERY_MS = 1000

export interface Progress {
  /** What is awaited now. */
  update(what: string): void
  stop(): void
}

/** One line on a terminal that says what is awaited and since when; it makes room while a person is asked. Silent where nobody looks. */
export function showProgress(what: string, { stderr }: Place, inbox: Inbox | undefined): Progress {
  if (!stderr.isTTY) return { update: () => undefined, stop: () => undefined }
  let since = Date.now()
  let awaited = what
  let isShown = false
  const clear = (): void => {
    if (isShown) stderr.write('\r\u001b[2K')
    isShown = false
  }
  const draw = (): void => {
    const seconds = Math.round((Date.now() - since) / 1000)
    if (inbox !== undefined && inbox.size > 0) return clear()
    if (Date.now() - since < AFTER_MS) return
    stderr.write(`\r\u001b[2K${awaited} · ${seconds} s`)
    isShown = true
  }
  const timer = setInterval(draw, EVERY_MS)
  const first = setTimeout(draw, AFTER_MS)
  const stopOpened = inbox?.on('review-opened', clear)
  const stopClosed = inbox?.on('review-closed', () => (since = Date.now()))
  return {
    update(next) {
      awaited = next
      since = Date.now()
    },
    stop() {
      clearInterval(timer)
      clearTimeout(first)
      stopOpened?.()
      stopClosed?.()
      clear()
    },
  }
}
