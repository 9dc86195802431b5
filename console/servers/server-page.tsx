import { Anchor, Button, Switch } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { IconFolderPlus } from '@tabler/icons-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ServerDetail, ServerSummary } from '../../src/console-api/contract.ts'
import { useAct, useCall } from '../desk/use-call.ts'
import { useEvents } from '../desk/use-desk.ts'
import { JsonBlock } from '../parts/json-block.tsx'
import lists from '../parts/list.module.css'
import { formatMoment } from '../parts/moment.tsx'
import { Failure, Loading, Page, Section } from '../parts/page.tsx'
import { ServerText, visibleText } from '../parts/server-text.tsx'
import { AddRoot } from '../roots/add-root.tsx'
import { RootList } from '../roots/root-list.tsx'
import { GrantList } from './grant-list.tsx'
import { RootMappings } from './root-mappings.tsx'
import { RuleList } from './rule-list.tsx'
import { ServerActions } from './server-actions.tsx'
import { ServerFacts } from './server-facts.tsx'
import { Spending } from './spending.tsx'
import { ServerState } from './server-state.tsx'
import { FaultText } from '../parts/fault-text.tsx'

/** One server: what it is, may see, may ask and may spend, what it was told, and its last words. */
export function ServerPage({ summary }: { readonly summary: ServerSummary }): ReactNode {
  const { t } = useTranslation()
  const { name } = summary
  const queries = useQueryClient()
  const { data, error } = useCall('servers/get', { name })
  useEvents((event) => {
    const isOurs = (event.type === 'server-touched' && event.name === name) || (event.type === 'server-changed' && event.server.name === name)
    if (isOurs) void queries.invalidateQueries({ queryKey: ['servers/get', { name }] })
  })
  return (
    <Page
      title={
        <>
          {visibleText(name, 80)} <ServerState server={summary} />
        </>
      }
      intro={<Anchor href="#/servers">{t('servers.back')}</Anchor>}
      actions={<ServerActions summary={summary} detail={data} />}
    >
      {summary.fault && (
        <p role="alert" className={lists['warning']}>
          <FaultText fault={summary.fault} />
        </p>
      )}
      {data === undefined ? <Loading error={error} /> : <Details server={data} />}
    </Page>
  )
}

function Details({ server }: { readonly server: ServerDetail }): ReactNode {
  const { t, i18n } = useTranslation()
  const [isAdding, setAdding] = useState(false)
  return (
    <>
      <Section title={t('servers.identity')}>
        <ServerFacts server={server} />
      </Section>
      <Section
        title={t('servers.maySee')}
        actions={
          <Button size="compact-sm" variant="default" leftSection={<IconFolderPlus size={15} aria-hidden />} onClick={() => setAdding(true)}>
            {t('servers.addRoot')}
          </Button>
        }
      >
        <p className={lists['none']}>{t(`servers.${server.enforcement}`)}</p>
        {server.roots.length === 0 ? <p className={lists['none']}>{t('servers.noRoots')}</p> : <RootList roots={server.roots} />}
        <AddRoot isOpen={isAdding} onClose={() => setAdding(false)} server={server.name} />
      </Section>
      <RootMappings server={server} />
      <RuleList server={server} />
      <Spending server={server} />
      <Section title={t('servers.grants')}>
        <GrantList grants={server.grants} />
      </Section>
      <Section title={t('servers.wasTold')}>
        {server.told.length === 0 && <p className={lists['none']}>{t('servers.toldNothing')}</p>}
        <ul className={lists['list']}>
          {server.told.map(({ uri, at }) => (
            <li key={uri} className={lists['row']}>
              <span className={`${lists['main']} ${lists['mono']}`}>
                <ServerText text={uri} maximum={Infinity} />
              </span>
              <span className={lists['side']}>{formatMoment(Date.parse(at), i18n.language)}</span>
            </li>
          ))}
        </ul>
      </Section>
      <LastLines server={server} />
    </>
  )
}

/** What it wrote last, and whether its traffic is kept. */
function LastLines({ server }: { readonly server: ServerDetail }): ReactNode {
  const { t } = useTranslation()
  const traffic = useAct('timeline/traffic', ['servers/get'])
  return (
    <Section title={t('servers.stderr')}>
      {server.stderr.length === 0 ? (
        <p className={lists['none']}>{t('servers.noStderr')}</p>
      ) : (
        <JsonBlock value={server.stderr.join('\n')} label={t('servers.stderr')} />
      )}
      <Switch
        size="sm"
        label={t('servers.traffic')}
        checked={traffic.isPending ? traffic.variables.on : server.traffic}
        onChange={(event) => traffic.mutate({ server: server.name, on: event.currentTarget.checked })}
      />
      <Failure error={traffic.error} />
    </Section>
  )
}
