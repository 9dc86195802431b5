let count = 0

/**
 * Calls of this process that a disk leaves without an answer. Each holds one of the few threads that the process has for all its files,
 * and the process cannot end by itself before they are answered.
 */
export function countHangingCalls(): number {
  return count
}

/** Counts one until it is answered. */
export function countHanging(answer: Promise<unknown>): void {
  count += 1
  const end = (): void => void (count -= 1)
  answer.then(end, end)
}
