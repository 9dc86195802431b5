import type { i18n as I18n } from 'i18next'
import { useTranslation } from 'react-i18next'
import type { JsonObject, Phrase } from '../../src/console-api/contract.ts'
import { visibleText } from '../parts/server-text.tsx'
import { sayKey } from './say-key.ts'

/** Facts that are words of ours, and where they stand in the catalogue. */
const ownWords: Readonly<Record<string, string>> = { code: 'faults', demands: 'phrases.demands', niche: 'phrases.niches' }

/** Says sentences that the desk names by key. What they are about may come from outside, and is made harmless. */
export function usePhrase(): (phrase: Phrase) => string {
  const { i18n } = useTranslation()
  return ({ key, facts = {}, sentence }) =>
    sayKey(i18n, `phrases.${key}`, sayable(facts, i18n)) ?? (i18n.language === 'en' ? undefined : sayKey(i18n, faultKey(key))) ?? visibleText(sentence, 400)
}

/** A problem that is named after the code of an error. */
function faultKey(problem: string): string {
  return `faults.${problem.toUpperCase().replaceAll('-', '_')}`
}

function sayable(facts: JsonObject, i18n: I18n): Record<string, string> {
  return Object.fromEntries(Object.entries(facts).map(([name, fact]) => [name, say(name, fact, i18n)]))
}

function say(name: string, fact: unknown, i18n: I18n): string {
  const { language } = i18n
  if (Array.isArray(fact)) return new Intl.ListFormat(language, { type: 'conjunction' }).format(fact.map((one: unknown) => say(name, one, i18n)))
  if (typeof fact === 'number') return new Intl.NumberFormat(language).format(fact)
  if (typeof fact !== 'string') return visibleText(JSON.stringify(fact), 200)
  const place = Object.hasOwn(ownWords, name) ? ownWords[name] : undefined
  return (place === undefined ? undefined : sayKey(i18n, `${place}.${fact}`)) ?? visibleText(fact, 200)
}
