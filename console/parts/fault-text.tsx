import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Fault } from '../../src/console-api/contract.ts'
import { sayKey } from '../language/say-key.ts'
import classes from './fault-text.module.css'
import { ServerText } from './server-text.tsx'

interface FaultTextProps {
  /** An error that is none of the desk's is told as it is. */
  readonly fault: Fault | Error
  readonly maximum?: number | undefined
  /** What its code means, and what to do, was said before it. */
  readonly isExplained?: boolean | undefined
}

/** What went wrong: what its code means in the language of the screen, and the desk's own English, which names the place, as a detail of it. */
export function FaultText({ fault, maximum = 400, isExplained = false }: FaultTextProps): ReactNode {
  const { t, i18n } = useTranslation()
  const code = 'code' in fault ? fault.code : ''
  // What the browser says of a lost connection helps nobody.
  if (code === 'DESK_UNREACHABLE') return t('faults.DESK_UNREACHABLE')
  const detail = <ServerText text={fault.message} maximum={maximum} />
  if (i18n.language === 'en') return detail
  return (
    <>
      {!isExplained && <>{sayKey(i18n, `faults.${code}`)} </>}
      <code lang="en" className={classes['detail']}>
        {detail}
      </code>
    </>
  )
}
