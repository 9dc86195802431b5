import { NativeSelect, UnstyledButton } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import { useCall } from '../desk/use-call.ts'
import { useDesk, useEvents } from '../desk/use-desk.ts'
import lists from '../parts/list.module.css'
import { Loading, Page } from '../parts/page.tsx'
import { visibleText } from '../parts/server-text.tsx'
import { ToolPanel } from './tool-panel.tsx'
import classes from './try-it.module.css'

/** A server's tools, to be called by hand: how an author tries roots, elicitation and sampling. */
export function TryIt({ server }: { readonly server?: string | undefined }): ReactNode {
  const { t } = useTranslation()
  const [, go] = useLocation()
  const ready = useDesk().servers.filter(({ state, source }) => state === 'ready' && source === 'config')
  const current = ready.find(({ name }) => name === server) ?? ready[0]
  return (
    <Page title={t('tryIt.title')} intro={t('tryIt.intro')}>
      {current === undefined ? (
        <p className={lists['none']}>{t('tryIt.noServer')}</p>
      ) : (
        <>
          <NativeSelect
            label={t('tryIt.server')}
            maw={320}
            value={current.name}
            onChange={(event) => go(`/try-it/${encodeURIComponent(event.currentTarget.value)}`)}
            data={ready.map(({ name }) => ({ value: name, label: visibleText(name, 60) }))}
          />
          <Tools key={current.name} server={current.name} />
        </>
      )}
    </Page>
  )
}

function Tools({ server }: { readonly server: string }): ReactNode {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const { data, error } = useCall('tools/list', { server })
  const [chosen, setChosen] = useState<string>()
  useEvents((event) => {
    if (event.type === 'server-touched' && event.what === 'tools') void queries.invalidateQueries({ queryKey: ['tools/list', { server }] })
  })
  if (data === undefined) return <Loading error={error} />
  const tool = data.tools.find(({ name }) => name === chosen) ?? data.tools[0]
  if (tool === undefined) return <p className={lists['none']}>{t('tryIt.noTools')}</p>
  return (
    <div className={classes['columns']}>
      <nav aria-label={t('tryIt.tools')}>
        <ul className={classes['tools']}>
          {data.tools.map(({ name, title }) => (
            <li key={name}>
              <UnstyledButton className={classes['tool']} aria-current={name === tool.name || undefined} onClick={() => setChosen(name)}>
                <span className={lists['mono']}>{visibleText(name, 80)}</span>
                {title !== undefined && <span className={lists['side']}>{visibleText(title, 80)}</span>}
              </UnstyledButton>
            </li>
          ))}
        </ul>
      </nav>
      <div className={classes['panel']}>
        <ToolPanel key={tool.name} server={server} tool={tool} />
      </div>
    </div>
  )
}
