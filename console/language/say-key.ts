import type { i18n } from 'i18next'

/** A sentence whose key is known only when it is said; undefined where the catalogue has none. */
export function sayKey(i18next: i18n, key: string, facts: Readonly<Record<string, unknown>> = {}): string | undefined {
  return i18next.exists(key, facts) ? (i18next.t as (key: string, facts: object) => string)(key, facts) : undefined
}
