/** A local date and time as the protocol wants it, with the offset that holds here on that day: `2026-03-01T10:05:00+09:00`. */
export function withOffset(local: string, offsetOf: (date: Date) => number = (date) => -date.getTimezoneOffset()): string {
  if (local === '') return ''
  const minutes = offsetOf(new Date(local))
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  const two = (number: number): string => String(number).padStart(2, '0')
  return `${local.length === 16 ? `${local}:00` : local}${minutes < 0 ? '-' : '+'}${two(hours)}:${two(rest)}`
}
