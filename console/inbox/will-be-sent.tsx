import { useMediaQuery } from '@mantine/hooks'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { visibleText } from '../parts/server-text.tsx'
import classes from './will-be-sent.module.css'

interface WillBeSentProps {
  readonly server: string
  readonly title?: string | undefined
  /** The same in one line, for while it is folded. */
  readonly summary?: string | undefined
  readonly children: ReactNode
}

/** Exactly what goes out, to whom, and nothing else: always in sight above the buttons, folded to a line where there is little room. */
export function WillBeSent({ server, title, summary, children }: WillBeSentProps): ReactNode {
  const { t } = useTranslation()
  const isRoomy = useMediaQuery('(min-width: 768px) and (min-height: 640px)', true, { getInitialValueInEffect: false })
  const [chosen, setChosen] = useState<boolean>()
  const isOpen = chosen ?? isRoomy
  return (
    <details className={classes['sent']} open={isOpen} onToggle={(event) => event.currentTarget.open !== isOpen && setChosen(event.currentTarget.open)}>
      <summary className={classes['title']}>
        <span>{title ?? t('inbox.willBeSent', { server: visibleText(server, 60) })}</span>
        {!isOpen && summary !== undefined && <code className={classes['summary']}>{visibleText(summary, 200)}</code>}
      </summary>
      <div className={classes['content']}>{children}</div>
    </details>
  )
}
