import type { Readable, Writable } from 'node:stream'

type Listener = Parameters<Readable['on']>[1]

/** Syllables of Yi: as wide as emoji, and as good as never typed. Those that are typed get a stand-in too. */
const FIRST = 0xa000
const MOST = 0x48d
const STOOD_FOR = /[\u{10000}-\u{10ffff}\ua000-\ua48c]/gu
const STAND_IN = /[\ua000-\ua48c]/g

/**
 * Keeps characters whole in an editor that counts UTF-16 units: what has two of them (emoji) would be torn apart by the cursor.
 *
 * While the editor runs it sees one stand-in of one unit for each; what it draws has the characters again.
 */
export class WholeCharacters {
  readonly #standIns = new Map<string, string>()
  readonly #characters = new Map<string, string>()

  hide(text: string): string {
    return text.replaceAll(STOOD_FOR, (character) => this.#standInFor(character))
  }

  show(text: string): string {
    return text.replaceAll(STAND_IN, (standIn) => this.#characters.get(standIn) ?? standIn)
  }

  /** The same keyboard, where every key that types something types its stand-in. */
  keyboard(input: Readable): Readable {
    const heard = new Map<Listener, (text: string | undefined, key: unknown) => void>()
    return through(input, {
      on: (event: string, listener: Listener) => {
        if (event !== 'keypress') return input.on(event, listener)
        const hear = (text: string | undefined, key: unknown): void => listener(text && this.hide(text), key)
        heard.set(listener, hear)
        return input.on(event, hear)
      },
      removeListener: (event: string, listener: Listener) => input.removeListener(event, heard.get(listener) ?? listener),
    })
  }

  /** The same screen, where every stand-in is drawn as what it stands for. */
  screen<Screen extends Writable>(output: Screen): Screen {
    return through(output, { write: (text: string) => output.write(this.show(text)) })
  }

  /** The character itself, where there are more of them than stand-ins. */
  #standInFor(character: string): string {
    const known = this.#standIns.get(character)
    if (known !== undefined) return known
    if (this.#standIns.size === MOST) return character
    const standIn = String.fromCharCode(FIRST + this.#standIns.size)
    this.#standIns.set(character, standIn)
    this.#characters.set(standIn, character)
    return standIn
  }
}

/** A stream with some methods of its own; everything else is the stream's. */
function through<Stream extends object>(stream: Stream, own: Readonly<Record<string, unknown>>): Stream {
  return new Proxy(stream, {
    get(target, key) {
      if (typeof key === 'string' && Object.hasOwn(own, key)) return own[key]
      const value: unknown = Reflect.get(target, key)
      return typeof value === 'function' ? (value as (...details: unknown[]) => unknown).bind(target) : value
    },
  })
}
