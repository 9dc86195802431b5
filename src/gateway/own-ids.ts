import type { RequestId } from './envelope.ts'

/** Ids for requests of ours: nobody can guess one, and none is ever taken for one of the client's. */
export class OwnIds {
  readonly #newSecret: () => string
  /** Made with the first id: most connections need none. */
  #mark: string | undefined

  constructor(newSecret: () => string) {
    this.#newSecret = newSecret
  }

  create(): string {
    this.#mark ??= `consentry-${this.#newSecret().slice(0, 8)}-`
    return this.#mark + this.#newSecret()
  }

  has(id: RequestId): boolean {
    return this.#mark !== undefined && typeof id === 'string' && id.startsWith(this.#mark)
  }
}
