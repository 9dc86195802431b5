/**
 * The messages of a stream, one JSON value a line. Lines that are no JSON are skipped: a program under test may print anything.
 * Ends with the stream, or when the signal is aborted.
 */
export async function* readJsonLines(input: AsyncIterable<Uint8Array | string>, signal: AbortSignal): AsyncGenerator<unknown> {
  const decoder = new TextDecoder()
  const chunks = input[Symbol.asyncIterator]()
  const aborted = new Promise<{ done: true; value: undefined }>((resolve) => {
    signal.addEventListener('abort', () => resolve({ done: true, value: undefined }), { once: true })
  })
  let parts: string[] = []

  for (let next = await Promise.race([chunks.next(), aborted]); next.done !== true; next = await Promise.race([chunks.next(), aborted])) {
    const text = typeof next.value === 'string' ? next.value : decoder.decode(next.value, { stream: true })
    const [first = '', ...rest] = text.split('\n')
    parts.push(first)
    for (const start of rest) {
      yield* parse(parts.join(''))
      parts = [start]
    }
  }
  if (!signal.aborted) yield* parse(parts.join(''))
  // A stream that still waits for its next chunk would keep us waiting too.
  else void chunks.return?.()
}

function* parse(line: string): Generator<unknown> {
  try {
    yield JSON.parse(line)
  } catch {
    // Not for us.
  }
}
