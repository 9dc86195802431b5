import { Anchor } from '@mantine/core'
import { IconMapOff } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../parts/empty-state.tsx'

export function NotFound(): ReactNode {
  const { t } = useTranslation()
  return (
    <EmptyState icon={<IconMapOff size={32} stroke={1.4} />} title={t('shell.notFound.title')}>
      <span>{t('shell.notFound.text')}</span>
      <Anchor href="#/inbox">{t('shell.notFound.link')}</Anchor>
    </EmptyState>
  )
}
