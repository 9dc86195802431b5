/**
 * Whether a number is a multiple of another, as the decimals that are written: 19.99 is a multiple of 0.01.
 * @see JSON Schema 2020-12 validation, "multipleOf"
 */
export function isMultipleOf(value: number, divisor: number): boolean {
  const whole = toDecimal(value)
  const part = toDecimal(divisor)
  const exponent = Math.min(whole.exponent, part.exponent)
  return scale(whole, exponent) % scale(part, exponent) === 0n
}

interface Decimal {
  readonly digits: bigint
  readonly exponent: number
}

function toDecimal(value: number): Decimal {
  const [mantissa = '0', power = '0'] = String(value).split('e')
  const [whole = '0', fraction = ''] = mantissa.split('.')
  return { digits: BigInt(whole + fraction), exponent: Number(power) - fraction.length }
}

function scale({ digits, exponent }: Decimal, to: number): bigint {
  return digits * 10n ** BigInt(exponent - to)
}
