import { Alert } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { formatAgo, useDeskNow } from '../../parts/moment.tsx'
import { visibleText } from '../../parts/server-text.tsx'
import { modKey } from '../../parts/use-shortcuts.ts'

/** The same was asked before, and answered too late: the answer is there, and goes out with one key if the person still wants it. */
export function RescuedNote({ at, server }: { readonly at: number; readonly server: string }): ReactNode {
  const { t, i18n } = useTranslation()
  const now = useDeskNow()
  return (
    <Alert variant="light" icon={<IconHistory size={18} aria-hidden />} role="status">
      {t('form.rescued', { ago: formatAgo(at, now, i18n.language), server: visibleText(server, 60), keys: `${modKey} ↵` })}
    </Alert>
  )
}
