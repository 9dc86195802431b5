import { backslash } from './json-bytes.ts'

/** What a key is: one of the set, or something that some receiver could take for one (escaped, or in other letters of the same meaning), or neither. */
export interface KeyMatch {
  /** The place in the set; -1: none of it. */
  readonly index: number
  readonly isExact: boolean
}

const none: KeyMatch = { index: -1, isExact: true }

/**
 * Some keys, compared as bytes.
 *
 * A key that is written with an escape is the same key for whoever parses it; one in capitals is the same for parsers that know no case (Go's). Neither
 * is ever sent by an honest peer, and both would let a message mean one thing here and another further on.
 */
export class KeySet<Name extends string> {
  readonly names: readonly Name[]
  readonly #exact: readonly { readonly bytes: Buffer; readonly match: KeyMatch; readonly similar: KeyMatch }[]
  readonly #folded: ReadonlyMap<string, number>

  constructor(names: readonly Name[]) {
    this.names = names
    this.#exact = names.map((name, index) => ({ bytes: Buffer.from(name), match: { index, isExact: true }, similar: { index, isExact: false } }))
    this.#folded = new Map(names.map((name, index) => [fold(name), index]))
  }

  /** @param start just behind the opening quote @param end the closing quote */
  find(bytes: Buffer, start: number, end: number): KeyMatch {
    const length = end - start
    for (const { bytes: name, match, similar } of this.#exact) {
      if (name.length !== length) continue
      const likeness = compare(bytes, start, name)
      if (likeness !== 'different') return likeness === 'same' ? match : similar
    }
    return isPlain(bytes, start, end) ? none : this.#decode(bytes, start, end)
  }

  #decode(bytes: Buffer, start: number, end: number): KeyMatch {
    try {
      const index = this.#folded.get(fold(JSON.parse(bytes.toString('utf8', start - 1, end + 1)) as string))
      return index === undefined ? none : { index, isExact: false }
    } catch {
      return none
    }
  }
}

const lowerCaseBit = 0x20

function compare(bytes: Buffer, start: number, name: Buffer): 'same' | 'similar' | 'different' {
  let likeness: 'same' | 'similar' = 'same'
  for (let index = 0; index < name.length; index += 1) {
    const [given, wanted] = [bytes[start + index]!, name[index]!]
    if (given === wanted) continue
    if ((given | lowerCaseBit) !== (wanted | lowerCaseBit) || !isLetter(wanted)) return 'different'
    likeness = 'similar'
  }
  return likeness
}

function isLetter(byte: number): boolean {
  const lower = byte | lowerCaseBit
  return lower >= 0x61 && lower <= 0x7a
}

/** Neither escapes nor bytes above ASCII: then the bytes are the key. */
function isPlain(bytes: Buffer, start: number, end: number): boolean {
  for (let here = start; here < end; here += 1) if (isSpecial(bytes[here]!)) return false
  return true
}

function isSpecial(byte: number): boolean {
  return byte === backslash || byte >= 0x80
}

/** Letters that some parser takes for the same: both cases, the long s, the Kelvin sign. */
function fold(text: string): string {
  return text.toUpperCase().toLowerCase()
}
