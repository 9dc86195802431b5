import { useMantineColorScheme } from '@mantine/core'
import { useEffect } from 'react'
import { useDesk } from '../desk/use-desk.ts'
import { chooseLanguage } from '../language/language.ts'

/** The desk keeps what a person likes: the browser forgets it with the port. Another window's choice holds here too. */
export function usePreferences(): void {
  const { language, theme } = useDesk().preferences
  const { setColorScheme } = useMantineColorScheme()
  useEffect(() => {
    if (language) void chooseLanguage(language)
  }, [language])
  useEffect(() => {
    setColorScheme(theme ?? 'auto')
  }, [theme, setColorScheme])
}
