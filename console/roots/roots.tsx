import { Button, Text } from '@mantine/core'
import { IconFolderPlus, IconFolders } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useCall } from '../desk/use-call.ts'
import { useEvents } from '../desk/use-desk.ts'
import { EmptyState } from '../parts/empty-state.tsx'
import { Loading, Page, Section } from '../parts/page.tsx'
import { visibleText } from '../parts/server-text.tsx'
import { AddRoot } from './add-root.tsx'
import { RootList } from './root-list.tsx'

/** Every folder that a server may be told about, by server, with how it stands now. */
export function Roots(): ReactNode {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const { data, error } = useCall('roots/list', {})
  const [isAdding, setAdding] = useState(false)
  useEvents((event) => {
    // Of another command than the one that is connected it is said so.
    const isAboutFolders = event.type === 'server-changed' || (event.type === 'server-touched' && event.what === 'roots')
    if (isAboutFolders) void queries.invalidateQueries({ queryKey: ['roots/list'] })
  })
  const servers = [...new Set(data?.roots.map(({ server }) => server))]
  return (
    <Page
      title={t('roots.title')}
      intro={t('roots.intro')}
      actions={
        <Button size="xs" leftSection={<IconFolderPlus size={16} aria-hidden />} onClick={() => setAdding(true)}>
          {t('roots.add')}
        </Button>
      }
    >
      {data === undefined && <Loading error={error} />}
      {data?.roots.length === 0 && (
        <EmptyState icon={<IconFolders size={32} stroke={1.4} />} title={t('roots.empty')}>
          {t('roots.emptyText')}
        </EmptyState>
      )}
      {servers.map((server) => (
        <Section key={server} title={server === '*' ? t('roots.everyServer') : visibleText(server, 60)}>
          <RootList roots={data!.roots.filter((root) => root.server === server)} />
        </Section>
      ))}
      <Text c="dimmed" fz="sm">
        {t('roots.guidance')}
      </Text>
      <AddRoot isOpen={isAdding} onClose={() => setAdding(false)} />
    </Page>
  )
}
