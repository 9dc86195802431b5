import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useCall } from '../desk/use-call.ts'
import { JsonBlock } from '../parts/json-block.tsx'
import lists from '../parts/list.module.css'
import { Loading } from '../parts/page.tsx'

/** The JSON of one message, with secrets masked by the desk. */
export function MessageView({ id }: { readonly id: number }): ReactNode {
  const { t } = useTranslation()
  const { data, error } = useCall('timeline/message', { id })
  if (data === undefined) return <Loading error={error} />
  return data.json === undefined ? <p className={lists['none']}>{t('timeline.gone')}</p> : <JsonBlock value={data.json} label={t('timeline.message')} />
}
