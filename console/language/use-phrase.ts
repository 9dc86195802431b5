import { useTranslation } from 'react-i18next'
import type { JsonObject, Phrase } from '../../src/console-api/contract.ts'
import { visibleText } from '../parts/server-text.tsx'
import { sayKey } from './say-key.ts'

/** Says sentences that the desk names by key. What they are about may come from outside, and is made harmless. */
export function usePhrase(): (phrase: Phrase) => string {
  const { i18n } = useTranslation()
  return ({ key, facts = {}, sentence }) => sayKey(i18n, `phrases.${key}`, sayable(facts, i18n.language)) ?? visibleText(sentence, 400)
}

function sayable(facts: JsonObject, language: string): Record<string, string> {
  return Object.fromEntries(Object.entries(facts).map(([name, fact]) => [name, say(fact, language)]))
}

function say(fact: unknown, language: string): string {
  if (Array.isArray(fact)) return new Intl.ListFormat(language, { type: 'conjunction' }).format(fact.map((one) => visibleText(String(one), 80)))
  if (typeof fact === 'number') return new Intl.NumberFormat(language).format(fact)
  return visibleText(typeof fact === 'string' ? fact : JSON.stringify(fact), 200)
}
