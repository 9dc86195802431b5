import { createListeners } from '../protocol/index.ts'
import { noModels, type Models } from './models.ts'

/** Models that may change while they are in use: what is asked for next is asked of those that are there then, and what is on its way goes on. */
export class LiveModels implements Models {
  #current: Models
  readonly #listeners = createListeners<{ readonly changed: undefined }>()

  constructor(current: Models = noModels) {
    this.#current = current
  }

  /** Puts others in their place; `announce` tells of it. */
  update(models: Models): void {
    this.#current = models
  }

  announce(): void {
    this.#listeners.emit('changed', undefined)
  }

  onChanged(listener: () => void): () => void {
    return this.#listeners.on('changed', listener)
  }

  get size(): number {
    return this.#current.size
  }

  list(): ReturnType<Models['list']> {
    return this.#current.list()
  }

  leavesOut(...question: Parameters<Models['leavesOut']>): ReturnType<Models['leavesOut']> {
    return this.#current.leavesOut(...question)
  }

  complete(...request: Parameters<Models['complete']>): ReturnType<Models['complete']> {
    return this.#current.complete(...request)
  }
}
