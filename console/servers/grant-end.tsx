import { Button, Group, Stack, TextInput } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { GrantRow } from '../../src/console-api/contract.ts'
import { useAct } from '../desk/use-call.ts'
import { Dialog } from '../parts/dialog.tsx'
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
  const isOver = until !== '' && until < today
  return (
    <Stack gap="sm">
      <p className={classes['none']}>{t('servers.endText', { server: visibleText(server, 60) })}</p>
      <TextInput
        label={t('servers.rule.until')}
        type="date"
        min={today}
        max="9999-12-31"
        value={until}
        error={isOver ? t('servers.endOver') : undefined}
        onChange={(event) => setUntil(event.currentTarget.value)}
      />
      {change.data?.changed === false && <p role="alert">{t('servers.stale')}</p>}
      <Failure error={change.error} />
      <Group justify="flex-end">
        <Button
          disabled={until === '' || isOver}
          loading={change.isPending}
          onClick={() => change.mutate({ id, until }, { onSuccess: ({ changed }) => void (changed && onDone()) })}
        >
          {t('servers.setEnd')}
        </Button>
      </Group>
    </Stack>
  )
}
