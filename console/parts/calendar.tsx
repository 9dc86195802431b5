import { ActionIcon, NativeSelect } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { addDays, addMonths, isDay, sayDay, startOfWeek, weeksOf } from './calendar-days.ts'
import classes from './calendar.module.css'
import { localDay } from './moment.tsx'

interface CalendarProps {
  /** `YYYY-MM-DD`; anything else: none is picked. */
  readonly day: string
  /** The first day that can be picked. */
  readonly min?: string | undefined
  readonly onPick: (day: string) => void
}

/** One month at a time, in the language of the console; arrow keys go by days and weeks, Page Up and Page Down by months. */
export function Calendar({ day, min = '', onPick }: CalendarProps): ReactNode {
  const { t, i18n } = useTranslation()
  const today = localDay(Date.now())
  const [at, setAt] = useState(isDay(day) ? day : today)
  const grid = useRef<HTMLTableElement>(null)
  const [isByKey, setByKey] = useState(true)
  const label = useId()
  useEffect(() => {
    if (isByKey) grid.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
  }, [at, isByKey])
  const firstDay = firstDayOf(i18n.language)
  const weeks = weeksOf(at, firstDay)
  const turn = (months: number) => () => {
    setByKey(false)
    setAt(addMonths(at, months))
  }
  const move = (event: KeyboardEvent): void => {
    const next = moved(event.key, at, firstDay)
    if (next === undefined || !isDay(next)) return
    event.preventDefault()
    setByKey(true)
    setAt(next)
  }
  return (
    <div>
      <div className={classes['head']}>
        <ActionIcon variant="subtle" color="gray" aria-label={t('common.day.previous')} onClick={turn(-1)}>
          <IconChevronLeft size={18} aria-hidden />
        </ActionIcon>
        <span className={classes['month']} data-year-first={i18n.language !== 'en' || undefined}>
          <b id={label} aria-live="polite" className={classes['name']}>
            {sayDay(at, i18n.language, { year: 'numeric', month: 'long' })}
          </b>
          <b aria-hidden>{sayDay(at, i18n.language, { month: 'long' })}</b>
          <NativeSelect
            size="xs"
            aria-label={t('common.day.year')}
            value={at.slice(0, 4)}
            data={yearsAround(at, today, min)}
            onChange={(event) => {
              setByKey(false)
              setAt(addMonths(at, 12 * (Number(event.currentTarget.value) - Number(at.slice(0, 4)))))
            }}
          />
        </span>
        <ActionIcon variant="subtle" color="gray" aria-label={t('common.day.next')} onClick={turn(1)}>
          <IconChevronRight size={18} aria-hidden />
        </ActionIcon>
      </div>
      <table ref={grid} role="grid" aria-labelledby={label} className={classes['grid']} onKeyDown={move}>
        <thead>
          <tr>
            {(weeks[0] ?? []).map((one) => (
              <th key={one} scope="col" abbr={sayDay(one, i18n.language, { weekday: 'long' })}>
                {sayDay(one, i18n.language, { weekday: 'narrow' })}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]}>
              {week.map((one) => (
                <td key={one} aria-selected={one === day}>
                  <button
                    type="button"
                    className={classes['day']}
                    tabIndex={one === at ? 0 : -1}
                    disabled={one < min}
                    aria-current={one === today ? 'date' : undefined}
                    data-other={one.slice(0, 7) !== at.slice(0, 7) || undefined}
                    onClick={() => onPick(one)}
                  >
                    <span aria-hidden>{Number(one.slice(8))}</span>
                    <span className={classes['name']}>{sayDay(one, i18n.language, { dateStyle: 'full' })}</span>
                  </button>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** From long before to some time after, so that a day of birth and the end of a lease are a few keys away. */
function yearsAround(at: string, today: string, min: string): readonly string[] {
  const [shown, now] = [Number(at.slice(0, 4)), Number(today.slice(0, 4))]
  const first = Math.min(shown, isDay(min) ? Number(min.slice(0, 4)) : now - 120)
  return Array.from({ length: Math.max(shown, now + 30) - first + 1 }, (_, place) => String(first + place).padStart(4, '0')).toReversed()
}

function moved(key: string, day: string, firstDay: number): string | undefined {
  switch (key) {
    case 'ArrowLeft':
      return addDays(day, -1)
    case 'ArrowRight':
      return addDays(day, 1)
    case 'ArrowUp':
      return addDays(day, -7)
    case 'ArrowDown':
      return addDays(day, 7)
    case 'PageUp':
      return addMonths(day, -1)
    case 'PageDown':
      return addMonths(day, 1)
    case 'Home':
      return startOfWeek(day, firstDay)
    case 'End':
      return addDays(startOfWeek(day, firstDay), 6)
    default:
      return undefined
  }
}

/** 1: Monday … 7: Sunday, as the browser knows it of the language. */
function firstDayOf(language: string): number {
  const locale: Intl.Locale & { readonly getWeekInfo?: () => { readonly firstDay: number } } = new Intl.Locale(language)
  return locale.getWeekInfo?.().firstDay ?? 7
}
