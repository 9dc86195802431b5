import { Center, Loader, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLinkState } from '../desk/use-desk.ts'

/** While a screen, or the desk itself, is on its way. */
export function Opening(): ReactNode {
  const { t } = useTranslation()
  const state = useLinkState()
  return (
    <Center h="100%" mih={240} role="status">
      <Stack align="center" gap="xs">
        <Loader size="sm" type="dots" aria-hidden />
        <Text c="dimmed" fz="sm">
          {state === 'live' ? t('common.loading') : t(`shell.connection.${state}`)}
        </Text>
      </Stack>
    </Center>
  )
}
