import { Button, Code } from '@mantine/core'
import { IconFileImport, IconPlus, IconServer } from '@tabler/icons-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { useDesk } from '../desk/use-desk.ts'
import dotted from '../parts/dotted.module.css'
import { EmptyState } from '../parts/empty-state.tsx'
import { FaultText } from '../parts/fault-text.tsx'
import { Page } from '../parts/page.tsx'
import { ServerText, visibleText } from '../parts/server-text.tsx'
import { Slotted, slot } from '../parts/slotted.tsx'
import { ImportServers } from './import-servers.tsx'
import { ServerEntryDialog } from './server-entry-dialog.tsx'
import { ServerPage } from './server-page.tsx'
import { ServerState } from './server-state.tsx'
import classes from './servers.module.css'

/** All servers, or one of them with everything that can be said and changed about it. */
export function Servers({ name }: { readonly name?: string | undefined }): ReactNode {
  const { servers } = useDesk()
  const server = servers.find((one) => one.name === name)
  return server === undefined ? <ServerList /> : <ServerPage key={server.name} summary={server} />
}

function ServerList(): ReactNode {
  const { t } = useTranslation()
  const { servers } = useDesk()
  const [open, setOpen] = useState<'add' | 'import'>()
  return (
    <Page
      title={t('servers.title')}
      intro={t('servers.intro')}
      actions={
        <>
          <Button size="xs" variant="default" leftSection={<IconFileImport size={16} aria-hidden />} onClick={() => setOpen('import')}>
            {t('servers.import')}
          </Button>
          <Button size="xs" leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setOpen('add')}>
            {t('servers.add')}
          </Button>
        </>
      }
    >
      {servers.length === 0 ? (
        <EmptyState icon={<IconServer size={32} stroke={1.4} />} title={t('servers.empty')}>
          <Slotted text={t('servers.emptyText', { command: slot('command') })} slots={{ command: <Code>consentry install</Code> }} />
        </EmptyState>
      ) : (
        <ul className={classes['list']}>
          {servers.map((server) => (
            <li key={server.name}>
              <Link href={`/servers/${encodeURIComponent(server.name)}`} className={classes['card']}>
                <span className={classes['name']}>{visibleText(server.name, 80)}</span>
                <ServerState server={server} />
                <span className={classes['target']}>
                  <ServerText text={server.target} maximum={200} />
                </span>
                <span className={`${dotted['dotted']} ${classes['facts']}`}>
                  <span>{t(`servers.source.${server.source}`)}</span>
                  {server.clients.map((client) => (
                    <span key={client}>{visibleText(client, 40)}</span>
                  ))}
                  {server.revision && <span>{server.revision}</span>}
                </span>
                {server.waiting > 0 && <span className={classes['waiting']}>{t('servers.waiting', { count: server.waiting })}</span>}
                {server.fault && (
                  <span className={classes['fault']}>
                    <FaultText fault={server.fault} maximum={200} />
                  </span>
                )}
              </Link>
            </li>
          ))}
        </ul>
      )}
      <ServerEntryDialog isOpen={open === 'add'} onClose={() => setOpen(undefined)} />
      <ImportServers isOpen={open === 'import'} onClose={() => setOpen(undefined)} />
    </Page>
  )
}
