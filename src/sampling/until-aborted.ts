/**
 * Waits for work no longer than its asker does: whoever does not listen to a signal holds up nobody.
 *
 * @param leave runs once the asker is gone
 * @throws the signal's reason
 */
export async function untilAborted<Result>(work: Promise<Result>, signal: AbortSignal, leave: () => void = () => undefined): Promise<Result> {
  let stop = (): void => {}
  const aborted = new Promise<never>((_, reject) => {
    stop = () => {
      leave()
      reject((signal as { reason: Error }).reason)
    }
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
