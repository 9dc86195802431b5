import type { Typed } from './key-reader.ts'
import { words } from './words.ts'

/** Where keys go that count, and sentences about those that do not. */
export interface KeyTaker {
  send(keys: string): void
  /** Says a sentence where the prompt stands; undefined takes it away. */
  tell(sentence: string | undefined): void
  /** Goes back to what was before. Absent: there is nothing before. */
  back?(): void
}

/** How long a choice rests before it can be taken: nobody decides by a key that was meant for something else. */
export const REST_MS = 500

export const CTRL_C = '\u0003'
export const SHIFT_TAB = '\u001b[Z'
const UP = '\u001b[A'
export const DOWN = '\u001b[B'
const MOVES: ReadonlyMap<string, string> = new Map([
  [UP, UP],
  [DOWN, DOWN],
  ['\u001bOA', UP],
  ['\u001bOB', DOWN],
  ['\t', DOWN],
  [SHIFT_TAB, UP],
])
const TAKES: ReadonlyMap<string, string> = new Map([
  ['\r', '\r'],
  ['\n', '\r'],
])

/**
 * The keys of a menu: arrows and Tab move (Shift-Tab goes back, where there is something before), Enter takes, and nothing else counts. A letter, a paste, or Enter in the middle of other text means something else,
 * and so does what was typed before anybody can have read the question: it is thrown away, with a sentence.
 */
export class MenuKeys {
  readonly #taker: KeyTaker
  readonly #marks: boolean
  readonly #now: () => number
  #rests: number

  /** @param marks whether the space bar marks choices */
  constructor(taker: KeyTaker, { marks, now }: { readonly marks: boolean; readonly now: () => number }) {
    this.#taker = taker
    this.#marks = marks
    this.#now = now
    this.#rests = now() + REST_MS
  }

  take(typed: Typed): void {
    if (typed.kind === 'paste') return this.#ignore(words.pasteIgnored)
    const { keys } = typed
    const [key] = keys
    if (keys.length === 1 && key === CTRL_C) return this.#taker.send(CTRL_C)
    if (keys.length === 1 && key === SHIFT_TAB && this.#taker.back) return this.#taker.back()
    if (keys.every((one) => MOVES.has(one))) return this.#move(keys)
    if (keys.length > 1) return this.#ignore(this.#marks ? words.markIgnored : words.textIgnored)
    if (key!.startsWith('\u001b')) return
    const taken = TAKES.get(key!) ?? (this.#marks && key === ' ' ? key : undefined)
    if (taken === undefined) return this.#ignore(this.#marks ? words.markIgnored : words.textIgnored)
    if (this.isResting) return this.#ignore(words.tooSoon)
    this.#taker.tell(undefined)
    this.#taker.send(taken)
  }

  #move(keys: readonly string[]): void {
    if (this.isResting) return this.#taker.tell(words.tooSoon)
    this.#taker.tell(undefined)
    this.#taker.send(keys.map((key) => MOVES.get(key)!).join(''))
  }

  /** It may be followed by more: Enter at the end of a text must not be taken for an answer. */
  #ignore(sentence: string): void {
    this.#rests = this.#now() + REST_MS
    this.#taker.tell(sentence)
  }

  /** Nothing is taken yet. */
  get isResting(): boolean {
    return this.#now() < this.#rests
  }
}
