import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import type { Language } from '../../src/console-api/contract.ts'
import type { Catalogue } from './catalogue.ts'

/** Each in its own letters, whatever the screen speaks. */
export const languages: Readonly<Record<Language, string>> = { en: 'English', ko: '한국어', zh: '简体中文' }

/** The page's own tag, which picks letters, line breaks and voices. */
const tags: Readonly<Record<Language, string>> = { en: 'en', ko: 'ko', zh: 'zh-Hans' }

const KEPT = 'consentry.language'

const catalogues: Readonly<Record<Language, () => Promise<Catalogue>>> = {
  en: async () => (await import('./en/index.ts')).en,
  ko: async () => (await import('./ko/index.ts')).ko,
  zh: async () => (await import('./zh/index.ts')).zh,
}

/** The language that was chosen before, or else the first of the browser's that we speak. */
export function preferredLanguage(kept: string | null, wanted: readonly string[]): Language {
  const known = Object.keys(languages) as Language[]
  const chosen = known.find((language) => language === kept)
  return chosen ?? wanted.flatMap((tag) => known.find((language) => language === tag.toLowerCase().split('-')[0]) ?? [])[0] ?? 'en'
}

/** Starts with one catalogue; the others are loaded when somebody asks for them. */
export async function startLanguage(): Promise<void> {
  const language = preferredLanguage(localStorage.getItem(KEPT), navigator.languages)
  await i18next.use(initReactI18next).init({
    lng: language,
    resources: { [language]: { translation: await catalogues[language]() } },
    fallbackLng: false,
    interpolation: { escapeValue: false },
  })
  document.documentElement.lang = tags[language]
}

/** Changes the language of everything on screen, and keeps it in this browser. */
export async function chooseLanguage(language: Language): Promise<void> {
  if (language === i18next.language) return
  i18next.addResourceBundle(language, 'translation', await catalogues[language]())
  await i18next.changeLanguage(language)
  document.documentElement.lang = tags[language]
  localStorage.setItem(KEPT, language)
}
