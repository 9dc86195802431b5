import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ServerSummary } from '../../src/console-api/contract.ts'
import classes from './server-state.module.css'

/** How it stands with a server: a dot and a word. */
export function ServerState({ server: { state } }: { readonly server: ServerSummary }): ReactNode {
  const { t } = useTranslation()
  return (
    <span className={classes['state']} data-state={state}>
      <span className={classes['dot']} aria-hidden />
      {t(`servers.states.${state}`)}
    </span>
  )
}
