import { readId, type RequestId, type WrittenId } from './envelope.ts'
import type { Span } from './json-bytes.ts'
import { KeySet } from './key-set.ts'
import type { OwnIds } from './own-ids.ts'
import { readMembers } from './read-members.ts'
import { readKeptRequest } from './read-request.ts'

/** A request of the server that the client has. */
export interface QuestionAtClient {
  readonly writtenId: string
  readonly method: string
  /** When it was passed on. */
  readonly at: number
  /** The whole request, where somebody here could answer it in the client's place. */
  readonly line: Buffer | undefined
}

interface Open extends QuestionAtClient {
  /** What the server knows it by. */
  readonly id: RequestId
}

const progressParts = new KeySet(['progressToken'])

/**
 * The server's requests that the client has not answered yet, by the id that the client knows.
 *
 * Nearly always that is the server's own. Where the client may still answer a question of a server that is gone, a fresh one that counts as the old one did would get
 * that answer for its own: such a question goes to the client under an id of ours.
 */
export class QuestionsAtClient {
  readonly #ownIds: OwnIds
  readonly #open = new Map<RequestId, Open>()
  /** By the server's id: the one that the client knows. */
  readonly #renamed = new Map<RequestId, string>()
  /** Questions that the client has and nobody waits for any more: their ids, with the progress tokens of those that had one. */
  readonly #forgotten = new Map<RequestId, RequestId | undefined>()
  readonly #forgottenTokens = new Set<RequestId>()
  #bytes = 0

  constructor({ ownIds }: { readonly ownIds: OwnIds }) {
    this.#ownIds = ownIds
  }

  /** Of the requests that are kept. */
  get bytes(): number {
    return this.#bytes
  }

  /** @param id the server's */
  has(id: RequestId): boolean {
    return this.#open.has(id) || this.#renamed.has(id)
  }

  /** @returns what the client has to know it by, where that is another id */
  add({ value: id }: WrittenId, question: QuestionAtClient): string | undefined {
    const other = this.#forgotten.has(id) ? this.#ownIds.create() : undefined
    if (other !== undefined) this.#renamed.set(id, other)
    this.#open.set(other ?? id, { ...question, id })
    this.#bytes += question.line?.length ?? 0
    return other
  }

  /** The client answers: takes the question out. @returns undefined where it was asked no such thing, or nobody waits for it any more */
  take(knownAs: RequestId): Open | undefined {
    const question = this.#open.get(knownAs)
    if (question) this.#leave(knownAs, question)
    else this.#recall(knownAs)
    return question
  }

  /** The server wants no answer any more. @returns what the client knows the question as, where that is another id than the server's */
  takeBack(id: RequestId): string | undefined {
    const other = this.#renamed.get(id)
    this.take(other ?? id)
    return other
  }

  /** Their server is gone. @returns what the client knows them as */
  forget(): readonly RequestId[] {
    const ids = [...this.#open.keys()]
    for (const [knownAs, question] of this.#open) this.#forget(knownAs, question)
    return ids
  }

  /** Somebody else answers these from now on. @returns what the client knows them as, and the whole requests */
  takeAway(fits: (line: Buffer) => boolean): readonly { readonly knownAs: RequestId; readonly line: Buffer }[] {
    return [...this.#open].flatMap(([knownAs, question]) => {
      const { line } = question
      if (line === undefined || !fits(line)) return []
      this.#forget(knownAs, question)
      return [{ knownAs, line }]
    })
  }

  /** Whether progress is of a question whose server is gone. */
  isForgotten(bytes: Buffer, params: Span | undefined): boolean {
    if (this.#forgottenTokens.size === 0 || params === undefined) return false
    const token = readMembers(bytes, params, progressParts)?.spans.progressToken
    const value = token && readId(bytes, token)?.value
    return value !== undefined && this.#forgottenTokens.has(value)
  }

  clear(): void {
    this.#open.clear()
  }

  #forget(knownAs: RequestId, question: Open): void {
    this.#leave(knownAs, question)
    const token = question.line && readKeptRequest(question.line)?.parts.progressToken
    this.#forgotten.set(knownAs, token)
    if (token !== undefined) this.#forgottenTokens.add(token)
  }

  /** The client has answered, though nobody waits: it is done with it. */
  #recall(knownAs: RequestId): void {
    const token = this.#forgotten.get(knownAs)
    if (token !== undefined) this.#forgottenTokens.delete(token)
    this.#forgotten.delete(knownAs)
  }

  #leave(knownAs: RequestId, { id, line }: Open): void {
    this.#open.delete(knownAs)
    if (knownAs !== id) this.#renamed.delete(id)
    this.#bytes -= line?.length ?? 0
  }
}
