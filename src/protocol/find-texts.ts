/** One text in another. */
export interface FoundText {
  readonly what: string
  readonly from: number
  readonly to: number
}

/** Finds many texts in another in one pass, however many they are: each place of each of them that lies within no other. @see Aho and Corasick, 1975 */
export function findTexts(text: string, wanted: Iterable<string>): readonly FoundText[] {
  const tree = new Tree(wanted)
  const found: FoundText[] = []
  let state = 0
  for (let to = 1; to <= text.length; to += 1) {
    state = tree.step(state, text[to - 1]!)
    const length = tree.endingAt(state)
    if (length === 0) continue
    const from = to - length
    while (found.length > 0 && found.at(-1)!.from >= from) found.pop()
    found.push({ what: text.slice(from, to), from, to })
  }
  return found
}

/** All texts, letter by letter. A state is what was read of one of them. */
class Tree {
  readonly #letters: ReadonlyMap<string, number>
  readonly #next = new Map<number, number>()
  /** Where it goes on if the next letter fits nowhere: the longest end of a state that another begins with. */
  readonly #otherwise: number[] = [0]
  /** How long the longest text is that ends at a state. */
  readonly #ending: number[] = [0]

  /** Grown level by level: what is shorter is complete. */
  constructor(wanted: Iterable<string>) {
    const texts = [...new Set(wanted)].filter((text) => text !== '')
    this.#letters = numberLetters(texts)
    let growing = texts.map((text) => ({ text, state: 0 }))
    for (let length = 1; growing.length > 0; length += 1) {
      growing = growing.flatMap(({ text, state }) => {
        const grown = this.#grow(state, text[length - 1]!)
        if (text.length > length) return [{ text, state: grown }]
        this.#ending[grown] = length
        return []
      })
    }
  }

  step(state: number, letter: string): number {
    const number = this.#letters.get(letter)
    if (number === undefined) return 0
    for (let from = state; ; from = this.#otherwise[from]!) {
      const to = this.#next.get(from * this.#letters.size + number)
      if (to !== undefined || from === 0) return to ?? 0
    }
  }

  endingAt(state: number): number {
    return this.#ending[state]!
  }

  #grow(state: number, letter: string): number {
    const key = state * this.#letters.size + this.#letters.get(letter)!
    const known = this.#next.get(key)
    if (known !== undefined) return known
    const otherwise = state === 0 ? 0 : this.step(this.#otherwise[state]!, letter)
    const grown = this.#otherwise.push(otherwise) - 1
    this.#ending.push(this.#ending[otherwise]!)
    this.#next.set(key, grown)
    return grown
  }
}

/** Small numbers make small keys, which are found fastest. */
function numberLetters(texts: readonly string[]): ReadonlyMap<string, number> {
  const letters = new Map<string, number>()
  for (const text of texts) for (let at = 0; at < text.length; at += 1) if (!letters.has(text[at]!)) letters.set(text[at]!, letters.size)
  return letters
}
