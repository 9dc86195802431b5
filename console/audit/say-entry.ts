import type { i18n, TFunction } from 'i18next'
import type { AuditRow } from '../../src/console-api/contract.ts'
import { sayOutcome } from '../language/say-outcome.ts'
import { visibleText } from '../parts/server-text.tsx'

/** What was asked for, and as what. */
export function sayRequest({ request, mode }: Pick<AuditRow, 'request' | 'mode'>, t: TFunction): string {
  return mode === undefined ? t(`audit.requests.${request}`) : `${t(`audit.requests.${request}`)} · ${t(`inbox.kinds.${mode}`)}`
}

/** What the user had set decides in two ways: by a rule, and by a limit. */
export function sayDecider({ by, error }: AuditRow, t: TFunction): string {
  return by === undefined ? '' : t(`audit.deciders.${by === 'rule' && error === 'LIMIT_REACHED' ? 'limit' : by}`)
}

/** How it came out. A list of folders is an answer also where it is empty: how many stood in it says more. */
export function sayEntryOutcome({ event, request, outcome, unanswered, error, facts }: AuditRow, i18next: i18n): string {
  const told = event === 'answered' && request === 'roots' && unanswered === undefined ? facts?.['roots'] : undefined
  if (Array.isArray(told)) return i18next.t('audit.foldersTold', { count: told.length })
  return visibleText(sayOutcome(i18next, outcome ?? unanswered ?? '') || (error ?? ''), 60)
}
