/**
 * Tells whether a whole text fits a glob: `*` is any text (also none, also line breaks), `?` is one character, everything else is itself.
 *
 * All positions of the glob are followed at once, as bits, so that no text can make it slow: the time is proportional to the text's length.
 */
export function matchesGlob(glob: string, text: string): boolean {
  const { steps, loops } = compile(glob)
  const words = (steps.length >> 5) + 1
  let reached: Uint32Array = new Uint32Array(words)
  let next: Uint32Array = new Uint32Array(words)
  reached[0] = 1

  const masks = new Map<string, Uint32Array>()
  for (const character of text) {
    let mask = masks.get(character)
    if (mask === undefined) masks.set(character, (mask = maskOf(character, steps, words)))
    let carry = 0
    let alive = 0
    for (let word = 0; word < words; word += 1) {
      const bits = reached[word] ?? 0
      next[word] = (((bits << 1) | carry) & (mask[word] ?? 0)) | (bits & (loops[word] ?? 0))
      carry = bits >>> 31
      alive |= next[word] ?? 0
    }
    if (alive === 0) return false
    ;[reached, next] = [next, reached]
  }
  return hasBit(reached, steps.length)
}

/** `steps` are the characters one after the other (undefined: any); bit n of `loops` says that a `*` stands after n steps. */
function compile(glob: string): { steps: readonly (string | undefined)[]; loops: Uint32Array } {
  const steps: (string | undefined)[] = []
  const stars: number[] = []
  for (const character of glob) {
    if (character === '*') stars.push(steps.length)
    else steps.push(character === '?' ? undefined : character)
  }
  const loops = new Uint32Array((steps.length >> 5) + 1)
  for (const star of stars) setBit(loops, star)
  return { steps, loops }
}

/** Bit n: this character leads from n - 1 to n steps. */
function maskOf(character: string, steps: readonly (string | undefined)[], words: number): Uint32Array {
  const mask = new Uint32Array(words)
  for (const [index, step] of steps.entries()) if (step === undefined || step === character) setBit(mask, index + 1)
  return mask
}

function setBit(bits: Uint32Array, position: number): void {
  bits[position >> 5] = (bits[position >> 5] ?? 0) | (1 << (position & 31))
}

function hasBit(bits: Uint32Array, position: number): boolean {
  return ((bits[position >> 5] ?? 0) & (1 << (position & 31))) !== 0
}
