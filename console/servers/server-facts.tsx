import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ServerDetail } from '../../src/console-api/contract.ts'
import { useAct } from '../desk/use-call.ts'
import { Folded } from '../parts/folded.tsx'
import { JsonBlock } from '../parts/json-block.tsx'
import lists from '../parts/list.module.css'
import { Quote } from '../parts/quote.tsx'
import { ServerText, visibleText } from '../parts/server-text.tsx'

const promises = ['form', 'url', 'roots', 'sampling', 'samplingTools'] as const

/** What stands behind the name, what was agreed on, and what may be asked at this moment. */
export function ServerFacts({ server }: { readonly server: ServerDetail }): ReactNode {
  const { t } = useTranslation()
  const unmute = useAct('servers/unmute', ['servers/get'])
  const askAgain = useAct('grants/end-run', ['servers/get'])
  const { name, target, source, era, revision, description, clients, promised, instructions, capabilities, muted, forRun } = server
  const asked = promised && promises.filter((one) => promised[one]).map((one) => t(`servers.promised.${one}`))
  return (
    <>
      <dl className={lists['facts']}>
        <dt>{t('servers.target')}</dt>
        <dd className={lists['mono']}>
          <ServerText text={target} maximum={600} />
        </dd>
        <dt>{t('servers.cameFrom')}</dt>
        <dd>{t(`servers.source.${source}`)}</dd>
        {clients.length > 0 && (
          <>
            <dt>{t('servers.clients')}</dt>
            <dd>{clients.map((client) => visibleText(client, 60)).join(', ')}</dd>
          </>
        )}
        {revision !== undefined && (
          <>
            <dt>{t('servers.protocol')}</dt>
            <dd>
              {revision}
              {era !== undefined && ` (${t(`servers.eras.${era}`)})`}
            </dd>
          </>
        )}
        {description?.name !== undefined && (
          <>
            <dt>{t('servers.itsName')}</dt>
            <dd>
              <ServerText text={`${description.name} ${description.version ?? ''}`} maximum={200} />
            </dd>
          </>
        )}
        {asked && (
          <>
            <dt>{t('servers.mayAsk')}</dt>
            <dd>{asked.length === 0 ? t('servers.promised.none') : asked.join(', ')}</dd>
          </>
        )}
      </dl>
      {muted && (
        <p className={lists['row']}>
          {t('servers.muted')}
          <Button size="compact-xs" variant="default" onClick={() => unmute.mutate({ name })}>
            {t('servers.unmute')}
          </Button>
        </p>
      )}
      {forRun && (
        <p className={lists['row']}>
          {t(`servers.forRun.${forRun}`)}
          <Button size="compact-xs" variant="default" onClick={() => askAgain.mutate({ server: name })}>
            {t('servers.askAgain')}
          </Button>
        </p>
      )}
      {instructions !== undefined && instructions !== '' && (
        <Folded title={t('servers.instructions')}>
          <Quote server={name} text={instructions} />
        </Folded>
      )}
      {Object.keys(capabilities).length > 0 && (
        <Folded title={t('servers.capabilities')}>
          <JsonBlock value={capabilities} label={t('servers.capabilities')} />
        </Folded>
      )}
    </>
  )
}
