/** Who wants to hear of what, by event. A listener that fails does not keep others from hearing. */
export class Listeners<Events extends object> {
  readonly #listeners = new Map<keyof Events, Set<(detail: never) => void>>()

  /** @returns the function that undoes it */
  on<Name extends keyof Events>(event: Name, listener: (detail: Events[Name]) => void): () => void {
    const listeners = this.#listeners.get(event) ?? new Set()
    this.#listeners.set(event, listeners.add(listener))
    return () => void listeners.delete(listener)
  }

  emit<Name extends keyof Events>(event: Name, detail: Events[Name]): void {
    for (const listener of this.#listeners.get(event) ?? []) {
      try {
        ;(listener as (detail: Events[Name]) => void)(detail)
      } catch (error) {
        // As if it had failed on its own, without taking us along.
        queueMicrotask(() => {
          throw error
        })
      }
    }
  }

  has(event: keyof Events): boolean {
    return (this.#listeners.get(event)?.size ?? 0) > 0
  }
}
