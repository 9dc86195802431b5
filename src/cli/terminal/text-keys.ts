import { lineEnds, type Typed } from './key-reader.ts'
import { CTRL_C, SHIFT_TAB, type KeyTaker } from './menu-keys.ts'
import type { WholeCharacters } from './whole-characters.ts'
import { words } from './words.ts'

/** Longer pastes are drawn as one sign, for they would be drawn anew with every character. */
const MOST_DRAWN = 1000

const [UP, DOWN, RIGHT, LEFT, DELETE, BACKSPACE, TAB, ENTER] = ['\u001b[A', '\u001b[B', '\u001b[C', '\u001b[D', '\u001b[3~', '\u007f', '\t', '\r']
const STEPS = [RIGHT, LEFT, DELETE, BACKSPACE]
/** Home, End, and what Emacs has for these and for deleting: Ctrl-A, B, E, F, K, U, W. */
const LINE_KEYS = [
  '\u001b[H',
  '\u001b[F',
  '\u001bOH',
  '\u001bOF',
  '\u001b[1~',
  '\u001b[4~',
  '\u0001',
  '\u0002',
  '\u0005',
  '\u0006',
  '\u000b',
  '\u0015',
  '\u0017',
]
const EDITING = {
  line: new Set([...STEPS, ...LINE_KEYS]),
  lines: new Set([...STEPS, UP, DOWN]),
}
/** Some terminals have other sequences for the same keys. */
const SPELLED_OTHERWISE: ReadonlyMap<string, string> = new Map([
  ['\u001bOA', UP],
  ['\u001bOB', DOWN],
  ['\u001bOC', RIGHT],
  ['\u001bOD', LEFT],
  ['\b', BACKSPACE],
  ['\n', ENTER],
])

export interface TextKeysOptions {
  readonly kind: 'line' | 'lines'
  readonly characters: WholeCharacters
  /** Runs with each change of the text. */
  readonly onTyped?: (() => void) | undefined
  /** Runs when the text is left with Ctrl-C or Shift-Tab: the editor is made to hand it over first, as if it were to be sent. */
  readonly onLeave?: (() => void) | undefined
}

/** The keys of a text: what is pasted goes into it as a whole, its line ends too, and only Enter that was typed goes on. */
export class TextKeys {
  readonly #taker: KeyTaker
  readonly #kind: 'line' | 'lines'
  readonly #characters: WholeCharacters
  readonly #onTyped: (() => void) | undefined
  readonly #onLeave: (() => void) | undefined
  #isOnSubmit = false

  constructor(taker: KeyTaker, { kind, characters, onTyped, onLeave }: TextKeysOptions) {
    this.#taker = taker
    this.#kind = kind
    this.#characters = characters
    this.#onTyped = onTyped
    this.#onLeave = onLeave
  }

  take(typed: Typed): void {
    if (typed.kind === 'paste') return this.#paste(typed.text)
    const keys = typed.keys.map((key) => SPELLED_OTHERWISE.get(key) ?? key)
    const enter = keys.indexOf(ENTER)
    // A terminal that does not tell what is pasted: nobody types a line and more of the next at once. (A slow line can bring a word and its Enter together.)
    const isPasted = enter >= 0 && keys.length > 1 && (this.#kind === 'lines' || enter < keys.length - 1)
    if (isPasted) this.#paste(lineEnds(typed.keys.join('')))
    else for (const key of keys) this.#press(key)
  }

  #press(key: string): void {
    if (key === CTRL_C && this.#onLeave !== undefined) this.#handOver(this.#onLeave)
    if (key === CTRL_C || key === ENTER || EDITING[this.#kind].has(key)) return this.#taker.send(key)
    if (key === SHIFT_TAB) {
      if (this.#taker.back === undefined) return
      if (this.#onLeave !== undefined) this.#handOver(this.#onLeave)
      return this.#taker.back()
    }
    if (key === TAB && this.#kind === 'lines') return this.#toggle()
    if (/^\p{Cc}/u.test(key)) return
    this.#isOnSubmit = false
    this.#onTyped?.()
    this.#taker.send(this.#characters.hide(key))
  }

  #handOver(onLeave: () => void): void {
    onLeave()
    if (this.#kind === 'lines' && !this.#isOnSubmit) this.#toggle()
    this.#taker.send(ENTER)
  }

  #paste(pasted: string): void {
    // Whoever copies a line often copies its end.
    const text = this.#kind === 'line' ? pasted.replace(/\n$/, '') : pasted
    if (text === '') return
    this.#onTyped?.()
    if (this.#isOnSubmit) this.#toggle()
    if (text.length > MOST_DRAWN) {
      this.#taker.send(this.#characters.hideAll(text))
      return this.#taker.tell(words.pastedLong(text.split('\n').length, text.length))
    }
    const isBroken = this.#kind === 'line' && text.includes('\n')
    const hidden = this.#kind === 'line' ? this.#characters.hideLine(text) : this.#characters.hide(text).replaceAll('\n', ENTER)
    // One by one: what comes at once is put at the end by the editor, wherever the cursor stands.
    for (const character of hidden) this.#taker.send(character)
    if (isBroken) this.#taker.tell(words.pastedLines)
  }

  #toggle(): void {
    this.#isOnSubmit = !this.#isOnSubmit
    this.#taker.send(TAB)
  }
}
