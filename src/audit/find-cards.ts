interface Span {
  readonly start: number
  readonly end: number
}

const BLANK = 32
const DASH = 45
const ZERO = 48
const NINE = 57
const LONGEST = 19
const lengths = [19, 16, 15, 14, 13]

/** Digits, and where in the text each of them ends. */
interface Run {
  readonly digits: Uint8Array
  readonly ends: Uint32Array
}

/** Finds card numbers: 13 to 19 digits, single blanks or dashes between, not part of anything longer, of an issuer's range and with a right check digit. */
export function findCards(text: string): readonly Span[] {
  const cards: Span[] = []
  const run: Run = { digits: new Uint8Array(LONGEST), ends: new Uint32Array(LONGEST) }
  const start = /(?<![A-Za-z0-9_-])[2-6]/g
  for (let first = start.exec(text); first !== null; first = start.exec(text)) {
    const count = readRun(text, first.index, run)
    const end = endOfCard(text, run, count)
    if (end === undefined) continue
    cards.push({ start: first.index, end })
    start.lastIndex = end
  }
  return cards
}

/** Reads as many digits as a card can have. Without a copy: a text may be nothing but digits. @returns how many */
function readRun(text: string, start: number, { digits, ends }: Run): number {
  let count = 0
  for (let at = start; count < LONGEST; at += 1) {
    let digit = text.charCodeAt(at)
    if (count > 0 && (digit === BLANK || digit === DASH)) digit = text.charCodeAt((at += 1))
    if (!(digit >= ZERO && digit <= NINE)) break
    digits[count] = digit - ZERO
    ends[count] = at + 1
    count += 1
  }
  return count
}

/** Where a card number ends that is as long as can be. */
function endOfCard(text: string, { digits, ends }: Run, count: number): number | undefined {
  for (const length of lengths) {
    if (length > count || !isOfIssuer(digits, length) || !hasCheckDigit(digits, length)) continue
    const end = ends[length - 1]!
    if (!/[A-Za-z0-9_-]/.test(text[end] ?? '')) return end
  }
  return undefined
}

function isOfIssuer(digits: Uint8Array, length: number): boolean {
  const two = digits[0]! * 10 + digits[1]!
  const three = two * 10 + digits[2]!
  const four = three * 10 + digits[3]!
  switch (length) {
    case 13:
    case 19:
      return digits[0] === 4
    case 14:
      return between(three, 300, 305) || two === 36 || two === 38
    case 15:
      return two === 34 || two === 37
    case 16:
      return (
        digits[0] === 4 ||
        between(two, 51, 55) ||
        between(four, 2221, 2720) ||
        four === 6011 ||
        between(three, 644, 649) ||
        two === 65 ||
        between(four, 3528, 3589)
      )
    default:
      return false
  }
}

function between(value: number, least: number, most: number): boolean {
  return value >= least && value <= most
}

/** Luhn. */
function hasCheckDigit(digits: Uint8Array, length: number): boolean {
  let sum = 0
  for (let place = length - 1, isDoubled = false; place >= 0; place -= 1, isDoubled = !isDoubled) {
    const digit = digits[place]!
    const weighted = isDoubled ? digit * 2 : digit
    sum += weighted > 9 ? weighted - 9 : weighted
  }
  return sum % 10 === 0
}
