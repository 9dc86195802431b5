import { createListeners, type Draft, type Listeners } from '../protocol/index.ts'

/** A draft whose listeners are told synchronously; unchanged values are not announced. One that throws keeps nobody from writing, or from being told. */
export function createDraft<Value>(initial: Value): Draft<Value> {
  let value = initial
  let listeners: Listeners<{ readonly changed: undefined }> | undefined
  return {
    get value() {
      return value
    },
    update(next) {
      if (next === value) return
      value = next
      listeners?.emit('changed', undefined)
    },
    subscribe(listener) {
      listeners ??= createListeners()
      return listeners.on('changed', () => listener(value))
    },
  }
}
