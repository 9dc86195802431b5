import { ActionIcon, Button, Group, TextInput } from '@mantine/core'
import { IconCalendar } from '@tabler/icons-react'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from './dialog.tsx'

const Calendar = lazy(async () => ({ default: (await import('./calendar.tsx')).Calendar }))

interface DayPickerProps {
  /** `YYYY-MM-DD`, and `THH:MM` after it where there is a time; anything else: none yet. */
  readonly value: string
  readonly hasTime?: boolean | undefined
  readonly min?: string | undefined
  readonly onPick: (text: string) => void
}

/** A calendar beside a field that holds exactly what counts. It is ours: the browser's own speaks the browser's language. */
export function DayPicker({ value, hasTime = false, min, onPick }: DayPickerProps): ReactNode {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const take = (text: string): void => {
    setOpen(false)
    onPick(text)
  }
  return (
    <>
      <ActionIcon variant="subtle" color="gray" aria-label={t('common.day.pick')} onClick={() => setOpen(true)}>
        <IconCalendar size={17} aria-hidden />
      </ActionIcon>
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title={t('common.day.pick')} place="small">
        <Suspense>{hasTime ? <DayWithTime value={value} min={min} onTake={take} /> : <Calendar day={value} min={min} onPick={take} />}</Suspense>
      </Dialog>
    </>
  )
}

/** A time belongs to the day: both are taken together, as they are seen. */
function DayWithTime({ value, min, onTake }: { readonly value: string; readonly min: string | undefined; readonly onTake: (text: string) => void }): ReactNode {
  const { t } = useTranslation()
  const [day, setDay] = useState(value.slice(0, 10))
  const [time, setTime] = useState(value.slice(11, 16) || '12:00')
  const isTime = /^([01]\d|2[0-3]):[0-5]\d$/u.test(time)
  return (
    <>
      <Calendar day={day} min={min} onPick={setDay} />
      <Group align="flex-end" justify="space-between" mt="sm" wrap="nowrap">
        <TextInput
          label={t('common.day.time')}
          value={time}
          error={isTime ? undefined : t('common.day.wrongTime')}
          inputMode="numeric"
          onChange={(event) => setTime(event.currentTarget.value)}
        />
        <Button disabled={day === '' || !isTime} onClick={() => onTake(`${day}T${time}`)}>
          {t('common.day.take')}
        </Button>
      </Group>
    </>
  )
}
