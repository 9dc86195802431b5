import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { IconDownload, IconTimeline } from '@tabler/icons-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { TimelineEvent, TimelineFilter } from '../../src/console-api/contract.ts'
import { call } from '../desk/call.ts'
import { useAct } from '../desk/use-call.ts'
import { useDesk, useEvents } from '../desk/use-desk.ts'
import { Dialog } from '../parts/dialog.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { Failure, Loading, Page } from '../parts/page.tsx'
import { saveFile } from '../parts/save-file.ts'
import { visibleText } from '../parts/server-text.tsx'
import { MessageView } from './message-view.tsx'
import { Sequence } from './sequence.tsx'
import classes from './timeline.module.css'

const PER_PAGE = 100
const requests = ['elicitation', 'sampling', 'roots'] as const

/** What servers asked and what came of it, as a live diagram of five lanes. */
export function Timeline(): ReactNode {
  const { t } = useTranslation()
  const { servers } = useDesk()
  const queries = useQueryClient()
  const [filter, setFilter] = useState<TimelineFilter>({})
  const [shown, setShown] = useState<TimelineEvent>()
  const list = useInfiniteQuery({
    queryKey: ['timeline/list', filter],
    queryFn: ({ pageParam, signal }) => call('timeline/list', { before: pageParam, limit: PER_PAGE, filter }, { signal }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
  const save = useAct('timeline/export')
  useEvents((event) => {
    if (event.type === 'timeline-grew') void queries.invalidateQueries({ queryKey: ['timeline/list', filter] })
  })
  const events = list.data?.pages.flatMap((page) => page.events) ?? []
  const dropped = list.data?.pages[0]?.dropped ?? 0
  const isFiltered = Object.values(filter).some((one) => one !== undefined)
  const set = (part: Partial<TimelineFilter>): void => setFilter({ ...filter, ...part })
  return (
    <Page
      title={t('timeline.title')}
      intro={t('timeline.intro')}
      actions={(['mermaid', 'json'] as const).map((format) => (
        <Button
          key={format}
          size="xs"
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
          onClick={() => save.mutate({ format, filter }, { onSuccess: saveFile })}
        >
          {t(`timeline.${format}`)}
        </Button>
      ))}
    >
      <div className={classes['filters']} role="search" aria-label={t('audit.filters')}>
        <NativeSelect
          size="xs"
          label={t('timeline.server')}
          value={filter.server ?? ''}
          onChange={(event) => set({ server: event.currentTarget.value === '' ? undefined : event.currentTarget.value })}
          data={[{ value: '', label: t('timeline.all') }, ...servers.map(({ name }) => ({ value: name, label: visibleText(name, 60) }))]}
        />
        <NativeSelect
          size="xs"
          label={t('timeline.request')}
          value={filter.request ?? ''}
          onChange={(event) => set({ request: requests.find((one) => one === event.currentTarget.value) })}
          data={[{ value: '', label: t('timeline.all') }, ...requests.map((value) => ({ value, label: t(`audit.requests.${value}`) }))]}
        />
        <TextInput
          size="xs"
          type="search"
          label={t('timeline.search')}
          value={filter.search ?? ''}
          onChange={(event) => set({ search: event.currentTarget.value === '' ? undefined : event.currentTarget.value })}
        />
        <Checkbox
          size="sm"
          label={t('timeline.questionsOnly')}
          checked={filter.questionsOnly === true}
          onChange={(event) => set({ questionsOnly: event.currentTarget.checked || undefined })}
        />
      </div>
      <Failure error={save.error} />
      {list.data === undefined ? (
        <Loading error={list.error} />
      ) : events.length === 0 ? (
        <EmptyState icon={<IconTimeline size={32} stroke={1.4} />} title={isFiltered ? t('audit.none') : t('timeline.empty')}>
          {!isFiltered && t('timeline.emptyText')}
        </EmptyState>
      ) : (
        <Sequence events={events} onOpen={setShown} />
      )}
      <div className={classes['older']}>
        {list.hasNextPage && (
          <Button size="xs" variant="default" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            {t('timeline.more')}
          </Button>
        )}
        {dropped > 0 && <p>{t('timeline.dropped', { count: dropped })}</p>}
      </div>
      <Dialog isOpen={shown !== undefined} onClose={() => setShown(undefined)} title={t('timeline.message')}>
        {shown && <MessageView id={shown.id} />}
      </Dialog>
    </Page>
  )
}
