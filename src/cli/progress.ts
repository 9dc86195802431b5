import type { Place } from './place.ts'

const AFTER_MS = 500
const EVERY_MS = 1000
const HINT_AFTER_S = 3
const USUAL_COLUMNS = 80
const HINT = ' · Ctrl-C ends it'
/** Where every line stays: the first is for who wonders, then ever fewer. */
const FIRST_LINE_MS = 5000

export interface Progress {
  /** What is awaited now. */
  update(what: string): void
  /** The screen is needed for a question; once it is not any more, time is counted from there. */
  makeRoom(isAsking: boolean): void
  stop(): void
}

/** One line on a terminal that says what is awaited and since when. In a log a line now and then. */
export function showProgress(what: string, { stderr }: Pick<Place, 'stderr'>): Progress {
  if (!stderr.isTTY) return logProgress(what, stderr)
  let since = Date.now()
  let awaited = what
  let isShown = false
  let isAsking = false
  const clear = (): void => {
    if (isShown) stderr.write('\r\u001b[2K')
    isShown = false
  }
  const draw = (): void => {
    const seconds = Math.round((Date.now() - since) / 1000)
    if (isAsking || Date.now() - since < AFTER_MS) return
    stderr.write(`\r\u001b[2K${waitingLine(awaited, ` · ${seconds} s`, seconds >= HINT_AFTER_S ? HINT : '', (stderr.columns || USUAL_COLUMNS) - 1)}`)
    isShown = true
  }
  const timer = setInterval(draw, EVERY_MS)
  const first = setTimeout(draw, AFTER_MS)
  return {
    update(next) {
      awaited = next
      since = Date.now()
    },
    makeRoom(next) {
      isAsking = next
      since = Date.now()
      clear()
    },
    stop() {
      clearInterval(timer)
      clearTimeout(first)
      clear()
    },
  }
}

/** A line that went on into the next could not be drawn over: the hint goes first, then the end of the name. */
function waitingLine(awaited: string, since: string, hint: string, columns: number): string {
  const room = columns - since.length
  if (awaited.length + hint.length <= room) return awaited + since + hint
  return (awaited.length <= room ? awaited : `${awaited.slice(0, Math.max(0, room - 1))}…`) + since
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
    makeRoom: () => undefined,
    stop: () => clearTimeout(timer),
  }
}
