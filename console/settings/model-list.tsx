import { Button } from '@mantine/core'
import { IconDeviceDesktopSearch, IconPlus } from '@tabler/icons-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useQueryClient } from '@tanstack/react-query'
import type { ModelRow } from '../../src/console-api/contract.ts'
import { useAct, useCall } from '../desk/use-call.ts'
import { formatCost } from '../parts/amounts.ts'
import { ChangeOutcome } from '../parts/change-outcome.tsx'
import { FaultText } from '../parts/fault-text.tsx'
import classes from '../parts/list.module.css'
import { Failure, Loading, Section } from '../parts/page.tsx'
import { ServerText, visibleText } from '../parts/server-text.tsx'
import { LocalModels } from './local-models.tsx'
import { ModelDialog } from './model-dialog.tsx'
import type { WrittenModel } from './written-model.ts'

/** The models that may answer: each with a button that asks it for a few words, and one that takes it out. */
export function ModelList(): ReactNode {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const { data, error } = useCall('models/list', {})
  const [start, setStart] = useState<Partial<WrittenModel>>()
  const [isLooking, setLooking] = useState(false)
  const look = (): void => {
    // What answered before may have been started or stopped since.
    queries.removeQueries({ queryKey: ['models/find'] })
    setLooking(true)
  }
  return (
    <Section
      title={t('settings.models')}
      actions={
        <>
          <Button size="compact-sm" variant="default" leftSection={<IconDeviceDesktopSearch size={16} aria-hidden />} onClick={look}>
            {t('settings.findModels')}
          </Button>
          <Button size="compact-sm" leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setStart({})}>
            {t('settings.addModel')}
          </Button>
        </>
      }
    >
      {data === undefined ? (
        <Loading error={error} />
      ) : (
        <>
          <p className={classes['none']}>{data.models.length === 0 ? t('settings.noModels') : t('settings.modelsText')}</p>
          <ul className={classes['list']}>
            {data.models.map((model) => (
              <Model key={model.id} model={model} />
            ))}
          </ul>
          <ModelDialog start={start} providers={data.providers} onClose={() => setStart(undefined)} />
        </>
      )}
      <LocalModels
        isOpen={isLooking}
        onClose={() => setLooking(false)}
        onPick={(picked) => {
          setLooking(false)
          setStart(picked)
        }}
      />
    </Section>
  )
}

function Model({ model: { id, mark, baseUrl, key, keyInPlain, local, cost } }: { readonly model: ModelRow }): ReactNode {
  const { t, i18n } = useTranslation()
  const test = useAct('models/test')
  const remove = useAct('models/remove', ['models/list'])
  const [isSure, setSure] = useState(false)
  const price = (amount: number | undefined): string => (amount === undefined ? '–' : formatCost(amount, i18n.language))
  return (
    <li className={classes['row']}>
      <span className={classes['main']}>
        <span className={classes['mono']}>{visibleText(id, 120)}</span>
        <br />
        <span className={classes['side']}>
          {[
            local ? t('settings.local') : baseUrl && visibleText(baseUrl, 80),
            !local && <KeyPlace key="key" place={key} />,
            cost === undefined ? !local && t('settings.priceUnknown') : t('settings.price', { input: price(cost.input), output: price(cost.output) }),
          ]
            .filter((part) => part !== undefined && part !== false)
            .map((part, index) => (
              <span key={index}>
                {index > 0 && ' · '}
                {part}
              </span>
            ))}
        </span>
      </span>
      <span className={classes['actions']}>
        <Button size="compact-xs" variant="default" title={t('settings.testHelp')} loading={test.isPending} onClick={() => test.mutate({ id })}>
          {t('settings.test')}
        </Button>
        <Button
          size="compact-xs"
          {...(isSure ? { variant: 'filled', color: 'red' } : { variant: 'default' })}
          loading={remove.isPending}
          onBlur={() => setSure(false)}
          onClick={() => (isSure ? remove.mutate({ id, before: mark }) : setSure(true))}
        >
          {isSure ? t('settings.reallyRemove') : t('settings.removeModel')}
        </Button>
      </span>
      {keyInPlain === true && <span className={classes['warning']}>{t('settings.keyInPlain')}</span>}
      {key.kind === 'text' && <span className={classes['warning']}>{t('settings.keyInClear')}</span>}
      {test.data?.ok === true && (
        <span className={classes['under']} role="status">
          {t('settings.testOk', { milliseconds: test.data.milliseconds })}: <ServerText text={test.data.text} maximum={200} />
        </span>
      )}
      {test.data?.ok === false && (
        <span className={classes['warning']} role="alert">
          <FaultText fault={test.data.fault} />
        </span>
      )}
      <Failure error={test.error} />
      <ChangeOutcome change={remove.data} />
      <Failure error={remove.error} />
    </li>
  )
}

/** Where its key is found. */
function KeyPlace({ place }: { readonly place: ModelRow['key'] }): ReactNode {
  const { t } = useTranslation()
  switch (place.kind) {
    case 'none':
      return t('settings.keyPlaces.none')
    case 'text':
      return t('settings.keyPlaces.text')
    case 'variable':
      return t('settings.keyPlaces.variable', { name: place.name })
    case 'keyring':
      return t('settings.keyPlaces.keyring', { name: visibleText(place.name, 60) })
    case 'command':
      return t('settings.keyPlaces.command', { program: visibleText(place.program, 60) })
    default:
      return place satisfies never
  }
}
