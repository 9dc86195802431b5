import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { RootStatus } from '../../src/console-api/contract.ts'
import classes from './root-status.module.css'

/** How it stands with a folder: a dot and a word. */
export function RootStatusDot({ status }: { readonly status: RootStatus }): ReactNode {
  const { t } = useTranslation()
  return (
    <span className={classes['status']} data-status={status}>
      <span className={classes['dot']} aria-hidden />
      {t(`folders.status.${status}`)}
    </span>
  )
}
