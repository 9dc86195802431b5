import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ReviewEnd } from '../../src/console-api/contract.ts'
import { ServerText } from '../parts/server-text.tsx'

/** What the desk says of its own where nobody else gave a reason. */
const ours = {
  'the client cancelled its request': 'client-cancelled',
  'The client cancelled the call that this belonged to': 'client-cancelled',
  'the connection was closed': 'connection-closed',
  'the server is done with the page': 'done',
  'the call is over': 'call-over',
  'The call is over': 'call-over',
  'the server has read its folders': 'folders-read',
  'the client answers': 'client-answers',
  'Another question of this round cannot be answered': 'other-question',
  'The host is closed': 'host-closed',
} as const

/** Nobody took it back: the server is done with the page that it sent somebody to. */
export function isVisitDone({ reason }: Pick<ReviewEnd, 'reason'>): boolean {
  return reason !== undefined && Object.hasOwn(ours, reason) && ours[reason as keyof typeof ours] === 'done'
}

/** Why a question was taken back: in our words where it is a reason of ours, else as the server or the client gave it. */
export function WithdrawnReason({ reason }: { readonly reason: string }): ReactNode {
  const { t } = useTranslation()
  return Object.hasOwn(ours, reason) ? t(`inbox.reasons.${ours[reason as keyof typeof ours]}`) : <ServerText text={reason} maximum={300} />
}
