import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { JsonBlock } from './json-block.tsx'
import lists from './list.module.css'
import { showNow } from './show-now.ts'
import classes from './written-preview.module.css'

/** What will be written to the config, and what is to be minded of it, in sight before the button that writes it. */
export function WrittenPreview({ text, children }: { readonly text: string; readonly children?: ReactNode }): ReactNode {
  const { t } = useTranslation()
  return (
    <div className={classes['preview']} ref={showNow}>
      <p className={lists['none']}>{t('servers.previewTitle')}</p>
      <JsonBlock value={text} label={t('servers.previewTitle')} />
      {children}
    </div>
  )
}
