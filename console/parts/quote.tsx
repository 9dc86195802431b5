import { useTranslation } from 'react-i18next'
import { useId, type ReactNode } from 'react'
import classes from './quote.module.css'
import { ServerText, visibleText } from './server-text.tsx'

/** What a server wrote stands in here, under its name; nothing that we say ever does. */
export function Quote({ server, text, children }: { readonly server: string; readonly text?: string | undefined; readonly children?: ReactNode }): ReactNode {
  const { t } = useTranslation()
  const label = useId()
  return (
    <figure className={classes['quote']} aria-labelledby={label}>
      <figcaption id={label} className={classes['who']}>
        {t('common.says', { server: visibleText(server, 60) })}
      </figcaption>
      {text !== undefined && <ServerText text={text} lines />}
      {children}
    </figure>
  )
}
