/** The line that ends a stream of events in the chat completions form; in an event, JSON has no bare line break. */
const END = /[\r\n]data: ?\[DONE\][\r\n]/
/** One byte less than the line with its breaks. */
const LONGEST_BEGINNING = '\ndata: [DONE]'.length

/** Ends a stream of events after its end mark, whether its sender closes it or not: what comes after is no part of the answer. */
export function endAtMark(): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  const decoder = new TextDecoder('latin1')
  let line = '\n'
  return new TransformStream({
    transform(chunk, controller) {
      controller.enqueue(chunk)
      const text = line + decoder.decode(chunk)
      if (END.test(text)) controller.terminate()
      else line = text.slice(-LONGEST_BEGINNING)
    },
  })
}
