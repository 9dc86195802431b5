import { Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ServerDetail } from '../../src/console-api/contract.ts'
import { LimitRow } from '../parts/limit-row.tsx'
import classes from '../parts/list.module.css'
import { visibleText } from '../parts/server-text.tsx'

/** What a server may spend, and how much of it is gone. */
export function Spending({ server }: { readonly server: ServerDetail }): ReactNode {
  const { t } = useTranslation()
  if (server.budgets.length === 0) return <p className={classes['none']}>{t('servers.noBudget')}</p>
  return (
    <Stack gap="sm" maw={520}>
      {server.budgets.map((limit) => (
        <LimitRow key={limit.scope + limit.limit} limit={limit} server={visibleText(server.name, 60)} />
      ))}
    </Stack>
  )
}
