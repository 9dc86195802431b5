export interface RetryOptions {
  readonly signal: AbortSignal
  /** By `performance.now()`: no try begins after it. */
  readonly endsAt: number
  /** False: what has come already is not asked for again. */
  readonly mayRetry: () => boolean
  /** Milliseconds before the second try, where the provider does not say; each later one waits twice as long. Default: 500. */
  readonly pauseMs?: number | undefined
}

const MOST_RETRIES = 3
const FIRST_PAUSE_MS = 500
/** Statuses that say "later", not "never". */
const passing: ReadonlySet<unknown> = new Set([408, 425, 429, 500, 502, 503, 504, 520, 522, 524, 529])

/** Tries again after a status that passes, a little later each time or when the provider says, as long as there is time. */
export async function withRetries<Result>(
  attempt: () => Promise<Result>,
  { signal, endsAt, mayRetry, pauseMs = FIRST_PAUSE_MS }: RetryOptions,
): Promise<Result> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await attempt()
    } catch (error) {
      const delay = tries < MOST_RETRIES && !signal.aborted && mayRetry() ? delayAfter(error, pauseMs * 2 ** tries) : undefined
      if (delay === undefined || performance.now() + delay >= endsAt) throw error
      await pause(delay, signal)
    }
  }
}

/** Milliseconds to wait; undefined where waiting does not help. */
function delayAfter(error: unknown, pauseMs: number): number | undefined {
  if (typeof error !== 'object' || error === null || !('statusCode' in error) || !passing.has(error.statusCode)) return undefined
  const headers = headersOf(error)
  // What a stream says once it has begun is no status: only where it says that it is overloaded, nothing was done.
  if (isWithinStream(error) && error.statusCode !== 529) return undefined
  return retryAfter(headers) ?? pauseMs * (1 + Math.random())
}

/** True where a client gave a status to something that came in a stream, which was answered with 200. */
export function isWithinStream(error: object): boolean {
  return headersOf(error)?.['content-type']?.includes('event-stream') ?? false
}

function headersOf(error: object): Readonly<Record<string, string>> | undefined {
  return 'responseHeaders' in error ? (error.responseHeaders as Readonly<Record<string, string>> | undefined) : undefined
}

/** What a provider asks for; nonsense is as if it had said nothing. @see RFC 9110 "Retry-After" */
function retryAfter(headers: Readonly<Record<string, string>> | undefined): number | undefined {
  const value = headers?.['retry-after']?.trim()
  if (value === undefined || value === '') return undefined
  const milliseconds = /^\d+(?:\.\d+)?$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now()
  return Number.isFinite(milliseconds) ? Math.max(0, milliseconds) : undefined
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer)
      reject((signal as { reason: Error }).reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, milliseconds)
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
  })
}
