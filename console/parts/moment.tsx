import { useSyncExternalStore, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useDesk } from '../desk/use-desk.ts'

/** The desk's clock, told anew every second while somebody looks. */
export function useDeskNow(): number {
  const { clockOffset } = useDesk()
  return useSyncExternalStore(subscribeSeconds, readSecond) + clockOffset
}

/** How long ago something was: "3 minutes ago". */
export function Ago({ at }: { readonly at: number }): ReactNode {
  const { i18n } = useTranslation()
  const now = useDeskNow()
  return (
    <time dateTime={new Date(at).toISOString()} title={formatMoment(at, i18n.language)}>
      {formatAgo(at, now, i18n.language)}
    </time>
  )
}

const units: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
]

export function formatAgo(at: number, now: number, language: string): string {
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  const past = Math.max(now - at, 0)
  const [unit, length] = units.find(([, milliseconds]) => past >= milliseconds) ?? ['second', 60_000]
  return unit === 'second' ? format.format(0, 'second') : format.format(-Math.floor(past / length), unit)
}

/** "29:03", or "2:05:00" where hours are left; never below zero. */
export function formatLeft(milliseconds: number): string {
  const seconds = Math.max(Math.floor(milliseconds / 1000), 0)
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  const tail = `${hours > 0 ? String(minutes).padStart(2, '0') : minutes}:${String(rest).padStart(2, '0')}`
  return hours > 0 ? `${hours}:${tail}` : tail
}

/** `medium`: with seconds. */
export function formatMoment(at: number, language: string, timeStyle: 'short' | 'medium' = 'short'): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle }).format(at)
}

export function formatClock(at: number, language: string): string {
  return new Intl.DateTimeFormat(language, { timeStyle: 'short' }).format(at)
}

/** The local day of a moment, as `YYYY-MM-DD`. */
export function localDay(at: number): string {
  const day = new Date(at)
  return `${day.getFullYear()}-${String(day.getMonth() + 1).padStart(2, '0')}-${String(day.getDate()).padStart(2, '0')}`
}

function readSecond(): number {
  return Math.floor(Date.now() / 1000) * 1000
}

function subscribeSeconds(listener: () => void): () => void {
  const timer = setInterval(listener, 1000)
  return () => clearInterval(timer)
}

/** "30 minutes", "12 hours". */
export function formatDuration(milliseconds: number, language: string): string {
  const [unit, length] = milliseconds >= 2 * 3_600_000 ? (['hour', 3_600_000] as const) : (['minute', 60_000] as const)
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long', maximumFractionDigits: 1 }).format(milliseconds / length)
}
