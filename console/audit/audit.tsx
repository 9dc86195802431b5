import { Alert, Button } from '@mantine/core'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { IconAlertTriangle, IconDownload, IconHistory, IconShieldCheck } from '@tabler/icons-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { AuditFilter } from '../../src/console-api/contract.ts'
import { call } from '../desk/call.ts'
import { useAct } from '../desk/use-call.ts'
import { EmptyState } from '../parts/empty-state.tsx'
import { Failure, Loading, Page } from '../parts/page.tsx'
import { saveFile } from '../parts/save-file.ts'
import { AuditFilters } from './audit-filters.tsx'
import { AuditTable } from './audit-table.tsx'

const PER_PAGE = 100

/** All that was asked and answered, with who decided; it can be verified and taken along. */
export function Audit(): ReactNode {
  const { t } = useTranslation()
  const [filter, setFilter] = useState<AuditFilter>({})
  const list = useInfiniteQuery({
    queryKey: ['audit/list', filter],
    queryFn: ({ pageParam, signal }) => call('audit/list', { before: pageParam, limit: PER_PAGE, filter }, { signal }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
  const verify = useAct('audit/verify')
  const save = useAct('audit/export')
  const entries = list.data?.pages.flatMap((page) => page.entries) ?? []
  const isFiltered = Object.values(filter).some((value) => value !== undefined && value !== '')
  return (
    <Page
      title={t('audit.title')}
      intro={t('audit.intro')}
      actions={
        <>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconShieldCheck size={16} aria-hidden />}
            loading={verify.isPending}
            onClick={() => verify.mutate({})}
          >
            {t('audit.verify')}
          </Button>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconDownload size={16} aria-hidden />}
            loading={save.isPending}
            onClick={() => save.mutate({ filter }, { onSuccess: saveFile })}
          >
            {t('audit.export')}
          </Button>
        </>
      }
    >
      {verify.data && (
        <Alert
          {...(!verify.data.ok && { color: 'red' })}
          variant="light"
          role="status"
          icon={verify.data.ok ? <IconShieldCheck aria-hidden /> : <IconAlertTriangle aria-hidden />}
        >
          {verify.data.ok ? t('audit.verified', { count: verify.data.entries }) : t(`audit.broken.${verify.data.fault}`, { position: verify.data.firstBad })}
        </Alert>
      )}
      <Failure error={verify.error ?? save.error} />
      <AuditFilters filter={filter} onFilter={setFilter} />
      {list.data === undefined ? (
        <Loading error={list.error} />
      ) : entries.length === 0 ? (
        <EmptyState icon={<IconHistory size={32} stroke={1.4} />} title={isFiltered ? t('audit.none') : t('audit.empty')}>
          {!isFiltered && t('audit.emptyText')}
        </EmptyState>
      ) : (
        <AuditTable entries={entries} />
      )}
      {list.hasNextPage && (
        <div>
          <Button variant="default" size="xs" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            {t('audit.more')}
          </Button>
        </div>
      )}
    </Page>
  )
}
