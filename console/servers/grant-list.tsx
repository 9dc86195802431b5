import { Button } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { GrantRow } from '../../src/console-api/contract.ts'
import { useAct } from '../desk/use-call.ts'
import { Folded } from '../parts/folded.tsx'
import { JsonBlock } from '../parts/json-block.tsx'
import classes from '../parts/list.module.css'
import { formatMoment } from '../parts/moment.tsx'
import { Failure } from '../parts/page.tsx'
import { GrantEnd } from './grant-end.tsx'
import { grantWords } from './grant-words.ts'

/** What a person had remembered, a yes or a no, each with its end, and the ways to move that and to take it back. */
export function GrantList({ grants }: { readonly grants: readonly GrantRow[] }): ReactNode {
  const { t, i18n } = useTranslation()
  const [changed, setChanged] = useState<GrantRow>()
  const revoke = useAct('grants/revoke', ['servers/get', 'roots/list'])
  if (grants.length === 0) return <p className={classes['none']}>{t('servers.noGrants')}</p>
  return (
    <>
      <ul className={classes['list']}>
        {grants.map((grant) => {
          const { id, kind, details, grantedAt, expiresAt } = grant
          const known = grantWords(grant, t)
          const words = known ?? t(`audit.requests.${kind}`)
          return (
            <li key={id} className={classes['row']}>
              <span className={classes['main']}>
                {words}
                {known === undefined && (
                  <Folded title={t('audit.details')}>
                    <JsonBlock value={details} label={t('audit.details')} />
                  </Folded>
                )}
              </span>
              <span className={classes['side']}>
                {t('servers.granted', { day: formatMoment(grantedAt, i18n.language) })} ·{' '}
                {expiresAt === undefined ? t('servers.forever') : t('roots.until', { day: formatMoment(expiresAt, i18n.language) })}
              </span>
              <span className={classes['actions']}>
                <Button size="compact-xs" variant="default" aria-label={`${t('servers.changeEnd')}: ${words}`} onClick={() => setChanged(grant)}>
                  {t('servers.changeEnd')}
                </Button>
                <Button size="compact-xs" variant="default" aria-label={`${t('roots.revoke')}: ${words}`} onClick={() => revoke.mutate({ id })}>
                  {t('roots.revoke')}
                </Button>
              </span>
            </li>
          )
        })}
      </ul>
      <Failure error={revoke.error} />
      <GrantEnd grant={changed} onClose={() => setChanged(undefined)} />
    </>
  )
}
