import { Center, Code, Stack, Text, Title } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { useEffect, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Slotted, slot } from '../parts/slotted.tsx'
import { forgetKey } from '../desk/session.ts'

/** Nothing on this page holds any more: what it showed is taken off the screen. */
export function EndedSession(): ReactNode {
  const { t } = useTranslation()
  useEffect(() => {
    forgetKey()
    document.title = 'Consentry'
  }, [])
  return (
    <Center component="main" h="100%" p="lg">
      <Stack gap="sm" maw={460} align="center" ta="center">
        <IconLock size={36} stroke={1.4} aria-hidden />
        <Title order={1}>{t('shell.ended.title')}</Title>
        <Text c="dimmed">
          <Slotted text={t('shell.ended.text', { command: slot('command') })} slots={{ command: <Code>consentry up</Code> }} />
        </Text>
      </Stack>
    </Center>
  )
}
