import { Button } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { RootRow } from '../../src/console-api/contract.ts'
import { useAct } from '../desk/use-call.ts'
import { usePhrase } from '../language/use-phrase.ts'
import { ChangeOutcome } from '../parts/change-outcome.tsx'
import classes from '../parts/list.module.css'
import { formatMoment } from '../parts/moment.tsx'
import { Failure } from '../parts/page.tsx'
import { RootStatusDot } from '../parts/root-status.tsx'
import { ServerText, visibleText } from '../parts/server-text.tsx'

/** Folders with their status, where the consent to each stands, and the way to take it back. */
export function RootList({ roots }: { readonly roots: readonly RootRow[] }): ReactNode {
  const { t, i18n } = useTranslation()
  const say = usePhrase()
  const remove = useAct('roots/remove', ['roots/list', 'servers/get'])
  const revoke = useAct('grants/revoke', ['roots/list', 'servers/get', 'grants/list'])
  const endRun = useAct('roots/end-run', ['roots/list', 'servers/get'])
  return (
    <>
      <ul className={classes['list']}>
        {roots.map(({ server, path, name, status, source, away, grant, expiresAt, warning, reason, uri, repository, elsewhere = [] }) => (
          <li key={`${server}${source}${path} ${away ?? ''}`} className={classes['row']}>
            <span className={classes['main']}>
              <span className={classes['mono']}>
                <ServerText text={path} maximum={Infinity} />
              </span>
              {name !== undefined && name !== '' && <span className={classes['side']}> · {visibleText(name, 80)}</span>}
            </span>
            <RootStatusDot status={status} />
            <span className={classes['side']}>
              {t(`roots.source.${source}`)}
              {expiresAt !== undefined && ` · ${t('roots.until', { day: formatMoment(expiresAt, i18n.language) })}`}
            </span>
            {source !== 'config' ? (
              <Button
                size="compact-xs"
                variant="default"
                aria-label={`${t('roots.revoke')}: ${visibleText(path, 120)}`}
                onClick={() => (grant === undefined ? endRun.mutate({ server, path }) : revoke.mutate({ id: grant }))}
              >
                {t('roots.revoke')}
              </Button>
            ) : (
              <Button
                size="compact-xs"
                variant="default"
                aria-label={`${t('roots.remove')}: ${visibleText(path, 120)}`}
                onClick={() => remove.mutate({ server, path, before: name === undefined ? {} : { name } })}
              >
                {t('roots.remove')}
              </Button>
            )}
            {away !== undefined && <span className={classes['under']}>{t('roots.away', { command: visibleText(away, 200) })}</span>}
            {status === 'ok' && uri !== undefined && away === undefined && (
              <span className={classes['under']}>
                {t('roots.sees', { uri: visibleText(uri, 300) })}
                {elsewhere.map((other) => (
                  <span key={other.server}>
                    {' · '}
                    {other.uri === null
                      ? t('roots.notSeenBy', { server: visibleText(other.server, 60) })
                      : t('roots.seenBy', { server: visibleText(other.server, 60), uri: visibleText(other.uri, 300) })}
                  </span>
                ))}
              </span>
            )}
            {repository !== undefined && <span className={classes['under']}>{t('roots.reads', { path: visibleText(repository, 300) })}</span>}
            {status !== 'ok' && reason && <span className={classes['warning']}>{say(reason)}</span>}
            {warning && (
              <span className={classes['warning']}>
                <IconAlertTriangle size={14} aria-hidden /> {say(warning)}
              </span>
            )}
          </li>
        ))}
      </ul>
      <ChangeOutcome change={remove.data} />
      <Failure error={remove.error ?? revoke.error ?? endRun.error} />
    </>
  )
}
