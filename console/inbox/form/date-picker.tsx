import { ActionIcon } from '@mantine/core'
import { IconCalendar } from '@tabler/icons-react'
import { useRef, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './date-picker.module.css'
import { withOffset } from './with-offset.ts'

interface DatePickerProps {
  readonly format: 'date' | 'date-time'
  readonly value: string
  readonly onPick: (text: string) => void
}

/** The browser's own calendar beside a field that holds exactly what will be sent. */
export function DatePicker({ format, value, onPick }: DatePickerProps): ReactNode {
  const { t } = useTranslation()
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <ActionIcon variant="subtle" color="gray" aria-label={t('form.pickDate')} onClick={() => input.current?.showPicker()}>
        <IconCalendar size={17} aria-hidden />
      </ActionIcon>
      <input
        ref={input}
        className={classes['hidden']}
        type={format === 'date' ? 'date' : 'datetime-local'}
        tabIndex={-1}
        aria-hidden
        value={format === 'date' ? value : value.slice(0, 16)}
        onChange={(event) => onPick(format === 'date' ? event.currentTarget.value : withOffset(event.currentTarget.value))}
      />
    </>
  )
}
