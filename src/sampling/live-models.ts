import { noModels, type Models } from './models.ts'

/** Models that may change while they are in use: what is asked for next is asked of those that are there then, and what is on its way goes on. */
export class LiveModels implements Models {
  #current: Models

  constructor(current: Models = noModels) {
    this.#current = current
  }

  /** Puts others in their place. */
  update(models: Models): void {
    this.#current = models
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
