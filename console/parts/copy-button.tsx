import { Button } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

export function CopyButton({ text, label }: { readonly text: string; readonly label: string }): ReactNode {
  const { t } = useTranslation()
  const { copy, copied } = useClipboard()
  return (
    <Button
      size="compact-sm"
      variant="default"
      leftSection={copied ? <IconCheck size={15} aria-hidden /> : <IconCopy size={15} aria-hidden />}
      onClick={() => copy(text)}
    >
      <span aria-live="polite">{copied ? t('common.copied') : label}</span>
    </Button>
  )
}
