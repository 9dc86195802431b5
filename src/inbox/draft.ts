import type { Draft } from '../protocol/index.ts'

/** A draft whose listeners are told synchronously; unchanged values are not announced. */
export function createDraft<Value>(initial: Value): Draft<Value> {
  let value = initial
  let listeners: Set<(value: Value) => void> | undefined
  return {
    get value() {
      return value
    },
    update(next) {
      if (next === value) return
      value = next
      for (const listener of listeners ?? []) listener(value)
    },
    subscribe(listener) {
      listeners ??= new Set()
      listeners.add(listener)
      return () => listeners?.delete(listener)
    },
  }
}
