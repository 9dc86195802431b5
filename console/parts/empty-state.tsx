import { Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

interface EmptyStateProps {
  readonly icon: ReactNode
  readonly title: ReactNode
  readonly children?: ReactNode
}

/** What will come here, and how to try it. */
export function EmptyState({ icon, title, children }: EmptyStateProps): ReactNode {
  return (
    <Stack align="center" justify="center" gap="xs" p="xl" mih={280} ta="center">
      <Text c="dimmed" component="span" aria-hidden>
        {icon}
      </Text>
      <Title order={2}>{title}</Title>
      <Stack gap={6} maw={440} c="dimmed" fz="sm" style={{ textWrap: 'balance' }}>
        {children}
      </Stack>
    </Stack>
  )
}
