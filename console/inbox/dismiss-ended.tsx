import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import type { ReviewSummary } from '../../src/console-api/contract.ts'
import { call } from '../desk/call.ts'

/** Takes all grey cards away at once, and what is open with them. */
export function DismissEnded({ ended }: { readonly ended: readonly ReviewSummary[] }): ReactNode {
  const { t } = useTranslation()
  const [location, go] = useLocation()
  const { mutate, isPending } = useMutation({
    mutationFn: () => Promise.allSettled(ended.map(({ id }) => call('review/dismiss', { id }))),
    onSuccess: () => {
      if (ended.some(({ id }) => location === `/inbox/${encodeURIComponent(id)}`)) go('/inbox')
    },
  })
  return (
    <Button ml="auto" variant="subtle" color="gray" size="compact-xs" onClick={() => mutate()} loading={isPending}>
      {t('inbox.dismissEnded', { count: ended.length })}
    </Button>
  )
}
