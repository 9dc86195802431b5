const watchers = new WeakMap<AbortSignal, Set<() => void>>()

/**
 * Runs the action once when the signal is aborted; one that is aborted already calls nobody.
 *
 * Many may watch one signal: it gets a single listener for all of them, where Node takes more than ten for a leak.
 *
 * @returns the function that undoes it
 */
export function onAbort(signal: AbortSignal, action: () => void): () => void {
  const present = watchers.get(signal)
  const actions = present ?? new Set()
  // Each watches for itself, even where two hand in the same function.
  const own = (): void => action()
  actions.add(own)
  if (present === undefined) {
    watchers.set(signal, actions)
    signal.addEventListener('abort', run, { once: true })
  }
  return () => {
    if (!actions.delete(own) || actions.size > 0 || watchers.get(signal) !== actions) return
    watchers.delete(signal)
    signal.removeEventListener('abort', run)
  }
}

function run(this: AbortSignal): void {
  const actions = watchers.get(this)
  watchers.delete(this)
  for (const action of actions ?? []) action()
}
