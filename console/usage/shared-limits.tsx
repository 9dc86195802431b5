import { Button, Stack } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { LimitScope, SharedLimits as Shared } from '../../src/console-api/contract.ts'
import { useAct, useCall } from '../desk/use-call.ts'
import { Dialog } from '../parts/dialog.tsx'
import { LimitForm } from '../parts/limit-form.tsx'
import { LimitRow } from '../parts/limit-row.tsx'
import classes from '../parts/list.module.css'
import { Loading, Section } from '../parts/page.tsx'

const scopes: readonly LimitScope[] = ['total', 'each']

/** What model requests may use that is not said of one server: all servers together, and each that has no limits of its own. */
export function SharedLimits(): ReactNode {
  const { t } = useTranslation()
  const { data, error } = useCall('limits/get', {})
  const [scope, setScope] = useState<LimitScope>()
  const close = (): void => setScope(undefined)
  return (
    <Section title={t('usage.limits')}>
      {data === undefined ? (
        <Loading error={error} />
      ) : (
        <>
          <ul className={classes['list']}>
            {scopes.map((each) => (
              <li key={each} className={classes['row']}>
                <span className={classes['main']}>{t(`usage.scopes.${each}`)}</span>
                <span className={classes['side']}>{t('usage.limitsSet', { count: Object.keys(data.limits[each]).length })}</span>
                <Button
                  size="compact-xs"
                  variant="default"
                  aria-label={`${t('servers.setLimits')}: ${t(`usage.scopes.${each}`)}`}
                  onClick={() => setScope(each)}
                >
                  {t('servers.setLimits')}
                </Button>
              </li>
            ))}
          </ul>
          <Stack gap="sm" maw={520}>
            {data.used.map((limit) => (
              <LimitRow key={limit.limit} limit={limit} server="*" />
            ))}
          </Stack>
          <Dialog isOpen={scope !== undefined} onClose={close} title={t('servers.setLimits')}>
            {scope && <ScopeForm scope={scope} shared={data} onDone={close} />}
          </Dialog>
        </>
      )}
    </Section>
  )
}

function ScopeForm({ scope, shared, onDone }: { readonly scope: LimitScope; readonly shared: Shared; readonly onDone: () => void }): ReactNode {
  const { t } = useTranslation()
  const save = useAct('limits/set', ['limits/get', 'servers/get'])
  return (
    <LimitForm
      text={t(`usage.limitsText.${scope}`)}
      limits={shared.limits[scope]}
      save={save}
      requestOf={(limits, before) => ({ scope, before, limits })}
      onDone={onDone}
    />
  )
}
