import type { Completion, CompletionDraft, Draft } from '../protocol/index.ts'
import type { ModelAnswer } from './ask-model.ts'
import { isSameJson } from './same-json.ts'

/** An answer as people see it: it grows while the model writes, until somebody stops it or puts in words of their own. */
export class AnswerView {
  /** The model has not ended yet. */
  isStreaming = true
  #value: CompletionDraft
  #draft: Draft<CompletionDraft> | undefined
  /** Somebody has written into it: their words stay. */
  #isTaken = false
  readonly #onTaken: () => void

  /** @param onTaken runs when somebody stops or edits the answer while it comes */
  constructor(model: string, onTaken: () => void) {
    this.#value = { content: [], model, progress: 'streaming' }
    this.#onTaken = onTaken
  }

  get value(): CompletionDraft {
    return this.#value
  }

  /** True where people see it, in one window at least. */
  get isShown(): boolean {
    return this.#draft !== undefined
  }

  /** From now on, whatever comes is seen in the draft. */
  show(draft: Draft<CompletionDraft>): void {
    this.#draft = draft
    draft.subscribe((value) => this.#notice(value))
    draft.update(this.#value)
  }

  grow(completion: Completion): void {
    if (this.isStreaming && !this.#isTaken) this.#put({ ...completion, progress: 'streaming' })
  }

  finish({ completion, spent, end, notes }: ModelAnswer): void {
    this.isStreaming = false
    const said = this.#isTaken ? this.#value : completion
    this.#put({ ...said, progress: end === 'finished' ? 'finished' : 'stopped', answer: completion, spent, ...(notes.length > 0 && { notes }) })
  }

  #put(value: CompletionDraft): void {
    this.#value = value
    this.#draft?.update(value)
  }

  #notice(value: CompletionDraft): void {
    if (value === this.#value) return
    const isEdit = !isSameJson(value.content, this.#value.content)
    this.#value = value
    if (!this.isStreaming) return
    this.#isTaken ||= isEdit
    if (isEdit || value.progress !== 'streaming') this.#onTaken()
  }
}
