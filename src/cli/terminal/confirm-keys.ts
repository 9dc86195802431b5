import type { Typed } from './key-reader.ts'
import { DOWN, MenuKeys, type KeyTaker } from './menu-keys.ts'
import { words } from './words.ts'

const ENTERS: readonly string[] = ['\r', '\n']
const ANSWERS = ['no', 'yes'] as const

/**
 * The keys of a question about what somebody has just ordered: those of a menu of No and Yes, in that order, and the words themselves or their
 * beginning, which mark that choice until Enter takes it. Whatever else is typed marks No again. For nothing that a server asks: there a letter may be meant for something else.
 */
export class ConfirmKeys {
  readonly #menu: MenuKeys
  readonly #taker: KeyTaker
  #marked: 0 | 1 = 0
  #written = ''

  constructor(taker: KeyTaker, { now }: { readonly now: () => number }) {
    this.#taker = {
      send: (keys) => {
        // Of two, every step leads to the other one.
        if (keys.split('\u001b').length % 2 === 0) this.#marked = this.#marked === 0 ? 1 : 0
        taker.send(keys)
      },
      tell: (sentence) => {
        if (sentence === words.textIgnored || sentence === words.pasteIgnored) this.#mark(0)
        taker.tell(sentence === words.textIgnored ? words.answerIgnored : sentence)
      },
    }
    this.#menu = new MenuKeys(this.#taker, { marks: false, now })
  }

  take(typed: Typed): void {
    const keys = typed.kind === 'paste' ? [] : typed.keys
    const takes = ENTERS.includes(keys.at(-1) ?? '')
    const letters = (takes ? keys.slice(0, -1) : keys).join('').toLowerCase()
    // Whoever changes their mind types the other word.
    const written = [this.#written + letters, letters].find((text) => ANSWERS.some((answer) => answer.startsWith(text)))
    this.#written = ''
    if (letters === '' || written === undefined || this.#menu.isResting) return this.#menu.take(typed)
    this.#written = written
    this.#mark(ANSWERS.findIndex((answer) => answer.startsWith(written)) as 0 | 1)
    this.#taker.tell(undefined)
    if (takes) this.#taker.send('\r')
  }

  #mark(wanted: 0 | 1): void {
    if (this.#marked !== wanted) this.#taker.send(DOWN)
  }
}
