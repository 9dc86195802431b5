import { Center, Code, Stack, Text, Title } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { useEffect, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Slotted, slot } from '../parts/slotted.tsx'
import { forgetKey, onOtherKey } from '../desk/session.ts'
import { useLink } from '../desk/use-desk.ts'

/** Nothing on this page holds any more: what it showed is taken off the screen. It comes back by itself as soon as this browser is let in again. */
export function EndedSession(): ReactNode {
  const { t } = useTranslation()
  const isDemo = useLink().read().view?.desk.demo === true
  useEffect(() => {
    document.title = 'Consentry'
    const comeBack = (): void => location.reload()
    // The desk was started again, and has let in another tab meanwhile, or this one comes with a fresh link.
    if (!forgetKey()) return comeBack()
    const stop = onOtherKey(comeBack)
    window.addEventListener('hashchange', comeBack)
    return () => {
      stop()
      window.removeEventListener('hashchange', comeBack)
    }
  }, [])
  return (
    <Center component="main" h="100%" p="lg">
      <Stack gap="sm" maw={460} align="center" ta="center">
        <IconLock size={36} stroke={1.4} aria-hidden />
        <Title order={1}>{t('shell.ended.title')}</Title>
        <Text c="dimmed">
          <Slotted text={t('shell.ended.text', { command: slot('command') })} slots={{ command: <Code>{isDemo ? 'consentry demo' : 'consentry up'}</Code> }} />
        </Text>
      </Stack>
    </Center>
  )
}
