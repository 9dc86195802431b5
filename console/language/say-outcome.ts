import type { i18n } from 'i18next'
import { sayKey } from './say-key.ts'

/** What came of something, in the language of the screen; a word that no catalogue has says less than none, but for whoever reads English. */
export function sayOutcome(i18next: i18n, outcome: string): string {
  const keys = [`inbox.actions.${outcome}`, `audit.outcomes.${outcome}`, `audit.unanswered.${outcome}`]
  const said = keys.map((key) => sayKey(i18next, key)).find((words) => words !== undefined)
  return said ?? (i18next.language === 'en' ? outcome : '')
}
