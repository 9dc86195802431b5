import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ModelRow } from '../../src/console-api/contract.ts'
import { useAct, useCall } from '../desk/use-call.ts'
import { formatCost } from '../parts/amounts.ts'
import classes from '../parts/list.module.css'
import { Loading } from '../parts/page.tsx'
import { ServerText, visibleText } from '../parts/server-text.tsx'

/** The models that may answer, each with a button that asks it for a few words. */
export function ModelList(): ReactNode {
  const { t } = useTranslation()
  const { data, error } = useCall('models/list', {})
  if (data === undefined) return <Loading error={error} />
  return (
    <>
      <p className={classes['none']}>{data.models.length === 0 ? t('settings.noModels') : t('settings.modelsText')}</p>
      <ul className={classes['list']}>
        {data.models.map((model) => (
          <Model key={model.id} model={model} />
        ))}
      </ul>
    </>
  )
}

function Model({ model: { id, hasKey, local, cost } }: { readonly model: ModelRow }): ReactNode {
  const { t, i18n } = useTranslation()
  const test = useAct('models/test')
  const price = (amount: number | undefined): string => (amount === undefined ? '–' : formatCost(amount, i18n.language))
  return (
    <li className={classes['row']}>
      <span className={`${classes['main']} ${classes['mono']}`}>{visibleText(id, 120)}</span>
      <span className={classes['side']}>{local ? t('settings.local') : hasKey ? t('settings.hasKey') : t('settings.noKey')}</span>
      <span className={classes['side']}>
        {cost === undefined ? t('settings.priceUnknown') : t('settings.price', { input: price(cost.input), output: price(cost.output) })}
      </span>
      <Button size="compact-xs" variant="default" title={t('settings.testHelp')} loading={test.isPending} onClick={() => test.mutate({ id })}>
        {t('settings.test')}
      </Button>
      {test.data?.ok === true && (
        <span className={classes['side']} role="status">
          {t('settings.testOk', { milliseconds: test.data.milliseconds })}: <ServerText text={test.data.text} maximum={200} />
        </span>
      )}
      {(test.data?.ok === false || test.error) && (
        <span className={classes['warning']} role="alert">
          <ServerText text={test.data?.ok === false ? test.data.fault.message : (test.error?.message ?? '')} maximum={300} />
        </span>
      )}
    </li>
  )
}
