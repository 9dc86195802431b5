import { Button, Stack } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ServerDetail } from '../../src/console-api/contract.ts'
import { useAct } from '../desk/use-call.ts'
import { Dialog } from '../parts/dialog.tsx'
import { LimitForm } from '../parts/limit-form.tsx'
import { LimitRow } from '../parts/limit-row.tsx'
import classes from '../parts/list.module.css'
import { Section } from '../parts/page.tsx'
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
        <OwnLimits server={server} onDone={close} />
      </Dialog>
    </Section>
  )
}

function OwnLimits({ server: { name, ownLimits }, onDone }: { readonly server: ServerDetail; readonly onDone: () => void }): ReactNode {
  const { t } = useTranslation()
  const save = useAct('servers/limits', ['servers/get'])
  const text = t('servers.limitsText', { server: visibleText(name, 60) })
  return <LimitForm text={text} limits={ownLimits} save={save} requestOf={(limits, before) => ({ name, before, limits })} onDone={onDone} />
}
