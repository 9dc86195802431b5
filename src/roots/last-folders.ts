/** Of a server that knew folders and was told none since: what else is done was not asked yet, is to be asked again, was asked, or is answered. */
type Question = 'none' | 'due' | 'asked' | 'answered'

/** The folders that a server was told last, and whether somebody has said what is done where it was told none since: not every server lets go of what it knew. */
export class LastFolders {
  readonly #onUndecided: (known: readonly string[] | undefined) => void
  #known: readonly string[] = []
  #isNone = false
  #question: Question = 'none'
  #undecided: readonly string[] | undefined

  /** @param onUndecided told what the server knew when the question comes up, and nothing once it is answered or without object */
  constructor(onUndecided: (known: readonly string[] | undefined) => void) {
    this.#onUndecided = onUndecided
  }

  /** The last that it was told, or may still know. */
  get known(): readonly string[] {
    return this.#known
  }

  /** Since then it was told none, or an empty folder in place of none. */
  get isNone(): boolean {
    return this.#isNone
  }

  /** It may go on in what it knew, and nobody is being asked about that, or has answered. */
  get isOpen(): boolean {
    return this.#isNone && this.#known.length > 0 && (this.#question === 'none' || this.#question === 'due')
  }

  /** Somebody was asked, and is to be asked again. */
  get isDue(): boolean {
    return this.isOpen && this.#question === 'due'
  }

  /** It is told these; an empty folder in place of none is none. */
  tell(uris: readonly string[]): void {
    this.#isNone = uris.length === 0
    if (this.#isNone) return
    this.#known = uris
    this.#become('none', uris)
  }

  /** It was told these by somebody else. @param undecided what it knew before that, where it was told none and nobody has answered */
  resume(uris: readonly string[], undecided: readonly string[] = []): void {
    this.tell(uris)
    if (!this.#isNone) return
    this.#known = undecided
    if (undecided.length > 0) this.#become('due', undecided)
  }

  /** Somebody is asked what is done about a server that knows these. */
  ask(known: readonly string[]): void {
    this.#become('asked', known)
  }

  /** That is asked again later. */
  postpone(known: readonly string[]): void {
    this.#become('due', known)
  }

  /** Somebody has said it. */
  answer(known: readonly string[]): void {
    this.#become('answered', known)
  }

  #become(question: Question, known: readonly string[]): void {
    // Meanwhile it was told others.
    if (known !== this.#known) return
    this.#question = question
    const undecided = question === 'due' || question === 'asked' ? known : undefined
    if (undecided === this.#undecided) return
    this.#undecided = undecided
    this.#onUndecided(undecided)
  }
}
