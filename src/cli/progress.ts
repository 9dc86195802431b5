import type { Inbox } from '../inbox/index.ts'
import type { Place } from './place.ts'

const AFTER_MS = 500
const EVERY_MS = 1000
const HINT_AFTER_S = 3
const HINT = ' · Ctrl-C ends it'
/** Where every line stays: the first is for who wonders, then ever fewer. */
const FIRST_LINE_MS = 5000

export interface Progress {
  /** What is awaited now. */
  update(what: string): void
  stop(): void
}

/** One line on a terminal that says what is awaited and since when; it makes room while a person is asked. In a log a line now and then. */
export function showProgress(what: string, { stderr }: Pick<Place, 'stderr'>, inbox: Inbox | undefined): Progress {
  if (!stderr.isTTY) return logProgress(what, stderr)
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
    stderr.write(`\r\u001b[2K${awaited} · ${seconds} s${seconds >= HINT_AFTER_S ? HINT : ''}`)
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

function logProgress(what: string, stderr: Place['stderr']): Progress {
  let awaited = what
  let timer: NodeJS.Timeout
  const sayLater = (milliseconds: number, passed: number): void => {
    timer = setTimeout(() => {
      stderr.write(`consentry: still ${awaited} (${(passed + milliseconds) / 1000} s)\n`)
      sayLater(passed + milliseconds, passed + milliseconds)
    }, milliseconds).unref()
  }
  sayLater(FIRST_LINE_MS, 0)
  return {
    update(next) {
      clearTimeout(timer)
      awaited = next
      sayLater(FIRST_LINE_MS, 0)
    },
    stop: () => clearTimeout(timer),
  }
}
