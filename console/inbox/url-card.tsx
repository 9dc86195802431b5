import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { UrlCard } from '../../src/console-api/contract.ts'
import { usePhrase } from '../language/use-phrase.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import { ServerText } from '../parts/server-text.tsx'
import classes from './url-card.module.css'

/** An address as it is: the site large, every warning a sentence, the whole of it below, never cut and never a link. */
export function UrlCardView({ card, title, children }: { readonly card: UrlCard; readonly title: string; readonly children?: ReactNode }): ReactNode {
  const { t } = useTranslation()
  const say = usePhrase()
  const { host, site, unicodeHost, url, warnings } = card
  const loud = warnings.filter(({ quiet }) => !quiet)
  const quiet = warnings.filter((warning) => warning.quiet)
  const own = host === site || host.endsWith(`.${site}`) ? host.slice(0, host.length - site.length) : undefined
  const place = url.indexOf(host)
  return (
    <section className={classes['card']} data-warned={loud.length > 0 || undefined} aria-label={title}>
      <p className={classes['host']}>
        {own === undefined ? (
          <ServerText text={host} maximum={400} />
        ) : (
          <>
            <ServerText text={own} maximum={400} />
            <b>
              <ServerText text={site} maximum={400} />
            </b>
          </>
        )}
      </p>
      {unicodeHost !== undefined && (
        <p className={classes['spelling']}>
          <ServerText text={unicodeHost} maximum={400} /> <span className={classes['which']}>({t('url.ownLetters')})</span>
        </p>
      )}
      {loud.length > 0 && (
        <ul className={classes['warnings']} aria-label={t('url.warnings', { count: loud.length })}>
          {loud.map((warning) => (
            <li key={warning.code}>
              <IconAlertTriangle size={16} aria-hidden /> <span>{say(warning)}</span>
            </li>
          ))}
        </ul>
      )}
      {quiet.map((warning) => (
        <p key={warning.code} className={classes['quiet']}>
          <IconInfoCircle size={15} aria-hidden /> <span>{say(warning)}</span>
        </p>
      ))}
      <p className={classes['url']}>
        {place < 0 ? (
          <ServerText text={url} maximum={Infinity} />
        ) : (
          <>
            <span className={classes['dim']}>
              <ServerText text={url.slice(0, place)} maximum={Infinity} />
            </span>
            <ServerText text={host} maximum={Infinity} />
            <span className={classes['dim']}>
              <ServerText text={url.slice(place + host.length)} maximum={Infinity} />
            </span>
          </>
        )}
      </p>
      <p className={classes['tools']}>
        {children}
        <CopyButton text={url} label={t('url.copy')} />
      </p>
    </section>
  )
}
