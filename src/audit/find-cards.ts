interface Span {
  readonly start: number
  readonly end: number
}

const ZERO = 48
const lengths = [19, 16, 15, 14, 13]

/** Finds card numbers: 13 to 19 digits, single blanks or dashes between, not part of anything longer, of an issuer's range and with a right check digit. */
export function findCards(text: string): readonly Span[] {
  const cards: Span[] = []
  const start = /(?<![A-Za-z0-9_-])[2-6]/g
  const longest = /[0-9](?:[ -]?[0-9]){12,18}/y
  for (let first = start.exec(text); first !== null; first = start.exec(text)) {
    longest.lastIndex = first.index
    const run = longest.exec(text)?.[0]
    const length = run === undefined ? undefined : lengthOfCard(run, text[longest.lastIndex] ?? '')
    if (length === undefined) continue
    cards.push({ start: first.index, end: first.index + length })
    start.lastIndex = first.index + length
  }
  return cards
}

/** How much of a run of digits is a card number: as much as can be. */
function lengthOfCard(run: string, next: string): number | undefined {
  const digits = run.replaceAll(/[ -]/g, '')
  for (const count of lengths) {
    const card = digits.slice(0, count)
    if (card.length < count || !isOfIssuer(card) || !hasCheckDigit(card)) continue
    const length = lengthOfDigits(run, count)
    if (!/[A-Za-z0-9_-]/.test(run[length] ?? next)) return length
  }
  return undefined
}

function lengthOfDigits(run: string, count: number): number {
  let length = 0
  for (let left = count; left > 0; length += 1) if (/[0-9]/.test(run[length] ?? '0')) left -= 1
  return length
}

function isOfIssuer(digits: string): boolean {
  const first = (count: number): number => Number(digits.slice(0, count))
  const between = (value: number, least: number, most: number): boolean => value >= least && value <= most
  switch (digits.length) {
    case 13:
    case 19:
      return first(1) === 4
    case 14:
      return between(first(3), 300, 305) || first(2) === 36 || first(2) === 38
    case 15:
      return first(2) === 34 || first(2) === 37
    case 16:
      return (
        first(1) === 4 ||
        between(first(2), 51, 55) ||
        between(first(4), 2221, 2720) ||
        first(4) === 6011 ||
        between(first(3), 644, 649) ||
        first(2) === 65 ||
        between(first(4), 3528, 3589)
      )
    default:
      return false
  }
}

/** Luhn. */
function hasCheckDigit(digits: string): boolean {
  let sum = 0
  for (let place = digits.length - 1, isDoubled = false; place >= 0; place -= 1, isDoubled = !isDoubled) {
    const digit = digits.charCodeAt(place) - ZERO
    const weighted = isDoubled ? digit * 2 : digit
    sum += weighted > 9 ? weighted - 9 : weighted
  }
  return sum % 10 === 0
}
