import { Button, Stack } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { GrantRow } from '../../src/console-api/contract.ts'
import { useAct } from '../desk/use-call.ts'
import { isDay } from '../parts/calendar-days.ts'
import { DayField } from '../parts/day-field.tsx'
import { Dialog, DialogActions } from '../parts/dialog.tsx'
import classes from '../parts/list.module.css'
import { localDay } from '../parts/moment.tsx'
import { Failure } from '../parts/page.tsx'
import { visibleText } from '../parts/server-text.tsx'

interface GrantEndProps {
  /** Undefined: it is closed. */
  readonly grant: GrantRow | undefined
  readonly onClose: () => void
}

/** Asks for the day with which a consent ends. */
export function GrantEnd({ grant, onClose }: GrantEndProps): ReactNode {
  const { t } = useTranslation()
  return (
    <Dialog isOpen={grant !== undefined} onClose={onClose} title={t('servers.changeEnd')}>
      {grant && <EndForm grant={grant} onDone={onClose} />}
    </Dialog>
  )
}

function EndForm({ grant: { id, server, expiresAt }, onDone }: { readonly grant: GrantRow; readonly onDone: () => void }): ReactNode {
  const { t } = useTranslation()
  const today = localDay(Date.now())
  const [until, setUntil] = useState(expiresAt === undefined ? '' : localDay(expiresAt))
  const change = useAct('grants/change', ['servers/get', 'roots/list', 'grants/list'])
  const isOver = isDay(until) && until < today
  return (
    <Stack gap="sm">
      <p className={classes['none']}>{t('servers.endText', { server: visibleText(server, 60) })}</p>
      <DayField label={t('servers.rule.until')} min={today} value={until} error={isOver ? t('servers.endOver') : undefined} onWrite={setUntil} />
      {change.data?.changed === false && <p role="alert">{t('servers.stale')}</p>}
      <Failure error={change.error} />
      <DialogActions>
        <Button
          disabled={!isDay(until) || isOver}
          loading={change.isPending}
          onClick={() => change.mutate({ id, until }, { onSuccess: ({ changed }) => void (changed && onDone()) })}
        >
          {t('servers.setEnd')}
        </Button>
      </DialogActions>
    </Stack>
  )
}
