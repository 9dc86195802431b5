/** Who wants to know what happened; events report, they never steer. */
export interface Listeners<Events> {
  /** @returns the function that undoes it */
  on<Name extends keyof Events>(event: Name, listener: (detail: Events[Name]) => void): () => void
  emit<Name extends keyof Events>(event: Name, detail: Events[Name]): void
  clear(): void
}

/** A listener that throws ends nothing but itself: the fault is thrown later, where it ends no question. */
export function createListeners<Events>(): Listeners<Events> {
  const all = new Map<keyof Events, Set<(detail: never) => void>>()
  return {
    on(event, listener) {
      const listeners = all.get(event) ?? new Set()
      all.set(event, listeners.add(listener))
      return () => listeners.delete(listener)
    },
    emit(event, detail) {
      for (const listener of all.get(event) ?? []) {
        try {
          listener(detail as never)
        } catch (fault) {
          queueMicrotask(() => {
            throw fault
          })
        }
      }
    },
    clear() {
      all.clear()
    },
  }
}
