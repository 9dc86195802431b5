import type { Language } from '../../src/console-api/contract.ts'
import type { Catalogue } from './catalogue.ts'

/** Each in its own letters, whatever the screen speaks. */
export const languages: Readonly<Record<Language, string>> = { en: 'English', ko: '한국어', zh: '简体中文' }

const KEPT = 'consentry.language'

const catalogues: Readonly<Record<Language, () => Promise<Catalogue>>> = {
  en: async () => (await import('./en/index.ts')).en,
  ko: async () => (await import('./ko/index.ts')).ko,
  zh: async () => (await import('./zh/index.ts')).zh,
}

/** Each is loaded once, when somebody asks for it. */
export function loadCatalogue(language: Language): Promise<Catalogue> {
  return catalogues[language]()
}

/** The language that was chosen before, or else the first of the browser's that we speak. */
export function preferredLanguage(kept: string | null, wanted: readonly string[]): Language {
  const known = Object.keys(languages) as Language[]
  const chosen = known.find((language) => language === kept)
  return chosen ?? wanted.flatMap((tag) => known.find((language) => language === tag.toLowerCase().split('-')[0]) ?? [])[0] ?? 'en'
}

/** That of this browser. */
export function ownLanguage(): Language {
  return preferredLanguage(localStorage.getItem(KEPT), navigator.languages)
}

export function keepLanguage(language: Language): void {
  localStorage.setItem(KEPT, language)
}
