/** Days of a calendar, as `YYYY-MM-DD`: their arithmetic knows no clock and no time zone. */
export function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/u.test(text) && textOf(momentOf(text)) === text
}

export function addDays(day: string, count: number): string {
  return textOf(momentOf(day) + count * DAY_MS)
}

/** The same day of another month, or the last one where that month is shorter. */
export function addMonths(day: string, count: number): string {
  const date = new Date(momentOf(day))
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + count]
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  return textOf(Date.UTC(year, month, Math.min(date.getUTCDate(), last)))
}

/** The weeks that a day's month touches, each of seven days; weeks begin on `firstDay` (1: Monday … 7: Sunday). */
export function weeksOf(day: string, firstDay: number): readonly (readonly string[])[] {
  const first = `${day.slice(0, 8)}01`
  const start = startOfWeek(first, firstDay)
  const end = addMonths(first, 1)
  const weeks = Math.ceil((momentOf(end) - momentOf(start)) / (7 * DAY_MS))
  return Array.from({ length: weeks }, (_, week) => Array.from({ length: 7 }, (_unused, place) => addDays(start, week * 7 + place)))
}

export function startOfWeek(day: string, firstDay: number): string {
  return addDays(day, -((new Date(momentOf(day)).getUTCDay() - firstDay + 7) % 7))
}

/** How a day is written in a language; parts as for `Intl.DateTimeFormat`. */
export function sayDay(day: string, language: string, options: Intl.DateTimeFormatOptions): string {
  return !isDay(day) ? day : new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' }).format(momentOf(day))
}

const DAY_MS = 86_400_000

function momentOf(day: string): number {
  return Date.parse(`${day}T00:00:00Z`)
}

function textOf(moment: number): string {
  return Number.isNaN(moment) ? '' : new Date(moment).toISOString().slice(0, 10)
}
