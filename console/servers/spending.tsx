import { Button, Group, Stack } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ServerDetail } from '../../src/console-api/contract.ts'
import { useAct } from '../desk/use-call.ts'
import { ChangeOutcome } from '../parts/change-outcome.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { LimitFields, readLimits, writtenLimits } from '../parts/limit-fields.tsx'
import { LimitRow } from '../parts/limit-row.tsx'
import classes from '../parts/list.module.css'
import { Failure, Section } from '../parts/page.tsx'
import { visibleText } from '../parts/server-text.tsx'

/** What a server may spend, how much of it is gone, and the way to change it. */
export function Spending({ server }: { readonly server: ServerDetail }): ReactNode {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const close = (): void => setOpen(false)
  return (
    <Section
      title={t('servers.maySpend')}
      actions={
        <Button size="compact-sm" variant="default" onClick={() => setOpen(true)}>
          {t('servers.setLimits')}
        </Button>
      }
    >
      {server.budgets.length === 0 && <p className={classes['none']}>{t('servers.noBudget')}</p>}
      <Stack gap="sm" maw={520}>
        {server.budgets.map((limit) => (
          <LimitRow key={limit.scope + limit.limit} limit={limit} server={visibleText(server.name, 60)} />
        ))}
      </Stack>
      <Dialog isOpen={isOpen} onClose={close} title={t('servers.setLimits')}>
        <LimitForm server={server} onDone={close} />
      </Dialog>
    </Section>
  )
}

function LimitForm({ server: { name, ownLimits }, onDone }: { readonly server: ServerDetail; readonly onDone: () => void }): ReactNode {
  const { t } = useTranslation()
  const [written, setWritten] = useState(() => writtenLimits(ownLimits))
  const save = useAct('servers/limits', ['servers/get'])
  const limits = readLimits(written)
  return (
    <Stack gap="sm">
      <p className={classes['none']}>{t('servers.limitsText', { server: visibleText(name, 60) })}</p>
      <LimitFields written={written} onWrite={setWritten} />
      <ChangeOutcome change={save.data} />
      <Failure error={save.error} />
      <Group justify="flex-end">
        <Button
          disabled={limits === undefined}
          loading={save.isPending}
          onClick={() => limits && save.mutate({ name, limits }, { onSuccess: ({ status }) => void (status === 'changed' && onDone()) })}
        >
          {t('servers.write')}
        </Button>
      </Group>
    </Stack>
  )
}
