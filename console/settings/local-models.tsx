import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useCall } from '../desk/use-call.ts'
import { Dialog } from '../parts/dialog.tsx'
import classes from '../parts/list.module.css'
import { Loading } from '../parts/page.tsx'
import { visibleText } from '../parts/server-text.tsx'
import type { WrittenModel } from './written-model.ts'

interface LocalModelsProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  /** Somebody wants to add one. */
  readonly onPick: (picked: Partial<WrittenModel>) => void
}

/** Models that answer on this machine. They were asked for their names and nothing else, and are used once somebody has added them. */
export function LocalModels({ isOpen, onClose, onPick }: LocalModelsProps): ReactNode {
  const { t } = useTranslation()
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={t('settings.findModels')}>
      <Found onPick={onPick} />
    </Dialog>
  )
}

function Found({ onPick }: Pick<LocalModelsProps, 'onPick'>): ReactNode {
  const { t } = useTranslation()
  const { data, error } = useCall('models/find', {})
  if (data === undefined) return <Loading error={error} />
  if (data.found.length === 0) return <p className={classes['none']}>{t('settings.foundNone')}</p>
  return data.found.map(({ provider, baseUrl, models }) => (
    <section key={provider} aria-label={provider}>
      <h3>{provider}</h3>
      <p className={classes['side']}>{baseUrl}</p>
      <ul className={classes['list']}>
        {models.map(({ model, isConfigured }) => (
          <li key={model} className={classes['row']}>
            <span className={`${classes['main']} ${classes['mono']}`}>{visibleText(model, 120)}</span>
            {isConfigured ? (
              <span className={classes['side']}>{t('servers.known.same')}</span>
            ) : (
              <Button size="compact-xs" variant="default" onClick={() => onPick({ provider, model })}>
                {t('settings.addFound')}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  ))
}
