import { TextInput } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { isDay } from './calendar-days.ts'
import { DayPicker } from './day-picker.tsx'

interface DayFieldProps {
  readonly label: string
  /** As it is typed: a day when `isDay` says so. */
  readonly value: string
  readonly onWrite: (text: string) => void
  readonly min?: string | undefined
  readonly error?: string | undefined
  readonly size?: 'xs' | undefined
}

/** A day to be typed, the same in every language, or picked from a calendar. */
export function DayField({ label, value, onWrite, min, error, size }: DayFieldProps): ReactNode {
  const { t } = useTranslation()
  const [isLeft, setLeft] = useState(false)
  const isWrong = isLeft && value !== '' && !isDay(value)
  return (
    <TextInput
      label={label}
      {...(size && { size })}
      placeholder="YYYY-MM-DD"
      inputMode="numeric"
      autoComplete="off"
      value={value}
      error={isWrong ? t('common.day.wrong') : error}
      onFocus={() => setLeft(false)}
      onBlur={() => setLeft(true)}
      onChange={(event) => onWrite(event.currentTarget.value.trim())}
      rightSection={<DayPicker value={value} min={min} onPick={onWrite} />}
    />
  )
}
