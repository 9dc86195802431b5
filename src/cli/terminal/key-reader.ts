/** What came from a keyboard at once: keys in their order, or a text that was pasted. */
export type Typed = { readonly kind: 'keys'; readonly keys: readonly string[] } | { readonly kind: 'paste'; readonly text: string }

/** Asks the terminal to say what is pasted, and to leave it. */
export const PASTE_MODE = { on: '\u001b[?2004h', off: '\u001b[?2004l' } as const

const PASTE_BEGINS = '\u001b[200~'
const PASTE_ENDS = '\u001b[201~'
/** A sequence of the terminal, Escape with a key, a character that is not a letter by itself, or a letter. */
const KEY = /\u001b(?:\[[0-9;<=>?]*[ -/]*[@-~]|O[ -~]|[^\u001b[O])?|[\s\S]/gu
/** The beginning of a sequence whose rest may come a moment later. */
const BEGUN = /\u001b(?:\[[0-9;<=>?]*[ -/]*|O)?$/u

/** Tells keys from pastes in what a terminal sends, wherever it cuts its chunks. */
export class KeyReader {
  /** Text of a paste that has not ended; undefined outside of one. */
  #pasted: string | undefined
  #begun = ''

  /** Whether something has begun whose rest should come soon. */
  get isWaiting(): boolean {
    return this.#pasted !== undefined || this.#begun !== ''
  }

  get isPasting(): boolean {
    return this.#pasted !== undefined
  }

  read(chunk: string): readonly Typed[] {
    const typed: Typed[] = []
    let rest = this.#begun + chunk
    this.#begun = ''
    while (rest !== '') rest = this.#pasted === undefined ? this.#readKeys(rest, typed) : this.#readPaste(rest, this.#pasted, typed)
    return typed
  }

  /** The rest does not come: what has come of a paste was pasted, half a sequence is no key. */
  giveUp(): readonly Typed[] {
    const text = this.#pasted
    this.#pasted = undefined
    this.#begun = ''
    return text === undefined ? [] : [{ kind: 'paste', text: lineEnds(text) }]
  }

  #readKeys(text: string, typed: Typed[]): string {
    const begins = text.indexOf(PASTE_BEGINS)
    const before = begins < 0 ? text : text.slice(0, begins)
    const cut = begins < 0 ? (BEGUN.exec(before)?.index ?? before.length) : before.length
    this.#begun = before.slice(cut)
    const keys = before.slice(0, cut).match(KEY) ?? []
    if (keys.length > 0) typed.push({ kind: 'keys', keys })
    if (begins < 0) return ''
    this.#pasted = ''
    return text.slice(begins + PASTE_BEGINS.length)
  }

  #readPaste(text: string, before: string, typed: Typed[]): string {
    const pasted = before + text
    const ends = pasted.indexOf(PASTE_ENDS, Math.max(0, before.length - PASTE_ENDS.length))
    if (ends < 0) {
      this.#pasted = pasted
      return ''
    }
    this.#pasted = undefined
    typed.push({ kind: 'paste', text: lineEnds(pasted.slice(0, ends)) })
    return pasted.slice(ends + PASTE_ENDS.length)
  }
}

/** Terminals paste the end of a line as Enter. */
export function lineEnds(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n')
}
