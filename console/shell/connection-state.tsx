import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLinkState } from '../desk/use-desk.ts'
import classes from './connection-state.module.css'

/** Whether what is on screen is what the desk knows now. */
export function ConnectionState(): ReactNode {
  const { t } = useTranslation()
  const state = useLinkState()
  return (
    <p className={classes['state']} data-state={state} role="status">
      <span className={classes['dot']} aria-hidden />
      <span className={classes['words']}>{t(`shell.connection.${state}`)}</span>
    </p>
  )
}
