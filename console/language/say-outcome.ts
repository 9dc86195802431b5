import type { i18n } from 'i18next'
import { sayKey } from './say-key.ts'

const places = ['inbox.actions', 'audit.outcomes', 'audit.unanswered']

/** What came of something, in the language of the screen; a word that no catalogue has says less than none, but for whoever reads English. */
export function sayOutcome(i18next: i18n, outcome: string): string {
  const said = places.map((place) => sayKey(i18next, `${place}.${outcome}`)).find((words) => words !== undefined)
  return said ?? (i18next.language === 'en' ? outcome : '')
}
