import type { Writable } from 'node:stream'
import { visibleParts } from '../../protocol/index.ts'

/** Syllables of Yi: as wide as emoji, and as good as never typed. Those that are typed get a stand-in too. */
const FIRST = 0xa000
const MOST = 0x48d
/** Kept for what must not reach the editor: without one, an emoji is only torn. */
const RESERVED = 128
/** Characters of two units, signs that would act on the terminal or the editor, and the stand-ins themselves. */
const STOOD_FOR = /[\u{10000}-\u{10ffff}\ua000-\ua48c\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu
const STAND_IN = /[\ua000-\ua48c]/g

/** What is drawn for a text that is too long to be drawn. */
export const FOLDED = '[]'

/**
 * Keeps characters whole in an editor that counts UTF-16 units, and acts on controls: what has two units (emoji) would be torn apart by the cursor, a line end
 * that was pasted would end the answer.
 *
 * While the editor runs it sees one stand-in of one unit for each; what it draws has the characters again, or a mark.
 */
export class WholeCharacters {
  readonly #standIns = new Map<string, string>()
  readonly #characters = new Map<string, string>()

  /** Line ends stay. */
  hide(text: string): string {
    return text.replaceAll(STOOD_FOR, (character) => (character === '\n' ? character : this.#standInFor(character)))
  }

  /** Line ends too. */
  hideLine(text: string): string {
    return text.replaceAll(STOOD_FOR, (character) => this.#standInFor(character))
  }

  /** One stand-in for all of it. */
  hideAll(text: string): string {
    return this.#standInFor(text)
  }

  show(text: string): string {
    return text.replaceAll(STAND_IN, (standIn) => this.#characters.get(standIn) ?? standIn)
  }

  /** The same screen, where every stand-in is drawn as what it stands for. */
  screen<Screen extends Writable>(output: Screen): Screen {
    return through(output, { write: (text: string) => output.write(this.#draw(text)) })
  }

  #draw(text: string): string {
    return text.replaceAll(STAND_IN, (standIn) => {
      const character = this.#characters.get(standIn) ?? standIn
      return isOne(character) ? visibleParts(character)[0]!.text : FOLDED
    })
  }

  /** The text itself, where there are more of them than stand-ins. */
  #standInFor(text: string): string {
    const known = this.#standIns.get(text)
    if (known !== undefined) return known
    if (this.#standIns.size >= (isWide(text) ? MOST - RESERVED : MOST)) return text
    const standIn = String.fromCharCode(FIRST + this.#standIns.size)
    this.#standIns.set(text, standIn)
    this.#characters.set(standIn, text)
    return standIn
  }
}

/** One character of two units. */
function isWide(text: string): boolean {
  return text.length === 2 && isOne(text)
}

function isOne(text: string): boolean {
  return text.length === String.fromCodePoint(text.codePointAt(0)!).length
}

/** A stream with some methods of its own; everything else is the stream's. */
export function through<Stream extends object>(stream: Stream, own: Readonly<Record<string, unknown>>): Stream {
  return new Proxy(stream, {
    get(target, key) {
      if (typeof key === 'string' && Object.hasOwn(own, key)) return own[key]
      const value: unknown = Reflect.get(target, key)
      return typeof value === 'function' ? (value as (...details: unknown[]) => unknown).bind(target) : value
    },
  })
}
