import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import type { Language } from '../../src/console-api/contract.ts'
import { addParticles } from './korean-particles.ts'
import { keepLanguage, loadCatalogue, ownLanguage } from './load-catalogue.ts'

/** The page's own tag, which picks letters, line breaks and voices. */
const tags: Readonly<Record<Language, string>> = { en: 'en', ko: 'ko', zh: 'zh-Hans' }

/** Starts with one catalogue; the others are loaded when somebody asks for them. */
export async function startLanguage(): Promise<void> {
  const language = ownLanguage()
  await i18next.use(initReactI18next).init({
    lng: language,
    resources: { [language]: { translation: await loadCatalogue(language) } },
    fallbackLng: false,
    interpolation: { escapeValue: false },
  })
  addParticles(i18next.services.formatter)
  document.documentElement.lang = tags[language]
}

/** Changes the language of everything on screen, and keeps it in this browser. */
export async function chooseLanguage(language: Language): Promise<void> {
  if (language === i18next.language) return
  i18next.addResourceBundle(language, 'translation', await loadCatalogue(language))
  await i18next.changeLanguage(language)
  document.documentElement.lang = tags[language]
  keepLanguage(language)
}
