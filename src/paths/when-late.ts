/** Milliseconds by which a timer is late where this process itself was busy: the answer may be here already, and only not read. */
const BUSY = 20

/**
 * Acts once where an answer is not there after so many milliseconds. A process that was busy meanwhile is given as long again.
 * Until then it keeps the process alive, as any call that is waited for does.
 */
export function whenLate(answer: Promise<unknown>, milliseconds: number, act: () => void): void {
  let timer: NodeJS.Timeout
  const wait = (isLast = false): void => {
    const due = performance.now() + milliseconds
    timer = setTimeout(() => (performance.now() - due > BUSY && !isLast ? wait(true) : act()), milliseconds)
  }
  wait()
  const stop = (): void => clearTimeout(timer)
  answer.then(stop, stop)
}
