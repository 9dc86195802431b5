const base = 36
const highestCodePoint = 0x10ffff

/**
 * A host with its own letters: every `xn--` label decoded. A label that cannot be decoded stays as it is.
 * @see RFC 3492, section 6.2
 */
export function toUnicodeHost(host: string): string {
  return host
    .split('.')
    .map((label) => (label.startsWith('xn--') ? (decode(label.slice(4)) ?? label) : label))
    .join('.')
}

function decode(encoded: string): string | undefined {
  const delimiter = encoded.lastIndexOf('-')
  const output = Array.from(encoded.slice(0, Math.max(0, delimiter)), (character) => character.codePointAt(0)!)
  let codePoint = 128
  let position = 0
  let bias = 72
  for (let index = delimiter + 1; index < encoded.length;) {
    const before = position
    let weight = 1
    for (let step = base; ; step += base) {
      const digit = digitOf(encoded.charCodeAt(index))
      index += 1
      if (digit === undefined) return undefined
      position += digit * weight
      const threshold = Math.min(26, Math.max(1, step - bias))
      if (digit < threshold) break
      weight *= base - threshold
    }
    const length = output.length + 1
    bias = adapt(position - before, length, before === 0)
    codePoint += Math.floor(position / length)
    position %= length
    if (codePoint > highestCodePoint) return undefined
    output.splice(position, 0, codePoint)
    position += 1
  }
  return String.fromCodePoint(...output)
}

/** `a` to `z` are 0 to 25, `0` to `9` are 26 to 35. */
function digitOf(unit: number): number | undefined {
  if (unit >= 0x61 && unit <= 0x7a) return unit - 0x61
  return unit >= 0x30 && unit <= 0x39 ? unit - 0x30 + 26 : undefined
}

function adapt(delta: number, length: number, isFirst: boolean): number {
  let rest = Math.floor(delta / (isFirst ? 700 : 2))
  rest += Math.floor(rest / length)
  let step = 0
  for (; rest > 455; step += base) rest = Math.floor(rest / 35)
  return step + Math.floor((36 * rest) / (rest + 38))
}
