import { endAtMark } from './end-at-mark.ts'

const LARGEST_ANSWER_BYTES = 32 * 1024 * 1024

/** Never follows a redirect: a prompt goes where the user said, and nowhere else. Nor does it read an answer without end, or a stream beyond its end mark. */
export const fetchBounded: typeof fetch = async (input, init) => {
  const response = await fetch(input, { ...init, redirect: 'error' })
  let left = LARGEST_ANSWER_BYTES
  const count = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      left -= chunk.length
      if (left < 0) controller.error(new Error(`the answer is larger than ${LARGEST_ANSWER_BYTES} bytes`))
      else controller.enqueue(chunk)
    },
  })
  const { status, statusText, headers } = response
  const isStream = headers.get('content-type')?.startsWith('text/event-stream') === true
  const body = response.body?.pipeThrough(count)
  return new Response((isStream ? body?.pipeThrough(endAtMark()) : body) ?? null, { status, statusText, headers })
}
