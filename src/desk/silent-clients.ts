import { inputKinds, type ClientSilence, type ConnectionOrigin, type InputKind, type Settlement } from '../protocol/index.ts'
import { SilentClient, type TakeOvers } from './silent-client.ts'

export interface SilentClientsNeeds {
  readonly takeOvers: TakeOvers | undefined
  readonly canReview: (kind: InputKind) => boolean
  readonly review: (kind: InputKind, reason: ClientSilence, signal: AbortSignal) => Promise<Settlement<'silent-client'>>
  /** What the client would be asked of this kind is asked here from now on. */
  readonly takeOver: (kind: InputKind) => void
  /** The client is asked again what it declared. */
  readonly giveBack: (kind: InputKind) => void
}

/** One client, which may answer some of what it is asked, and show nobody the rest. */
export class SilentClients {
  readonly #kinds: Readonly<Record<InputKind, SilentClient>>
  /** Resolves when it is known what of it is taken over because that is remembered. Never rejects. */
  readonly known: Promise<void>

  constructor(origin: ConnectionOrigin, { takeOvers, canReview, review, takeOver, giveBack }: SilentClientsNeeds) {
    const open = (kind: InputKind): SilentClient =>
      new SilentClient(origin, kind, {
        takeOvers,
        canReview: () => canReview(kind),
        review: (reason, signal) => review(kind, reason, signal),
        takeOver: () => takeOver(kind),
        giveBack: () => giveBack(kind),
      })
    this.#kinds = { roots: open('roots'), elicitation: open('elicitation'), sampling: open('sampling') }
    this.known = Promise.all(Object.values(this.#kinds).map(({ known }) => known)).then(() => undefined)
  }

  /** What is asked here in its place. */
  get takenOver(): ReadonlySet<InputKind> {
    return new Set(inputKinds.filter((kind) => this.#kinds[kind].isTakenOver))
  }

  /** Whether it is still taken over, at this moment. */
  holds(kind: InputKind): Promise<boolean> {
    return this.#kinds[kind].holds()
  }

  report(kind: InputKind, how: ClientSilence | 'answers'): void {
    this.#kinds[kind].report(how)
  }

  /** Safe to call twice. */
  close(): void {
    for (const kind of inputKinds) this.#kinds[kind].close()
  }
}
