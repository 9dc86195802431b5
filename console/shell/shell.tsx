import { lazy, Suspense, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useDesk } from '../desk/use-desk.ts'
import { Dialog } from '../parts/dialog.tsx'
import { ConnectionState } from './connection-state.tsx'
import { DeskFaults } from './desk-faults.tsx'
import { Header } from './header.tsx'
import { KeyboardHelp } from './keyboard-help.tsx'
import { Navigation } from './navigation.tsx'
import classes from './shell.module.css'
import { useNews } from './use-news.ts'
import { usePreferences } from './use-preferences.ts'
import { Wordmark } from './wordmark.tsx'

const Tour = lazy(async () => ({ default: (await import('../tour/tour.tsx')).Tour }))

/** What stays around every screen. */
export function Shell({ children }: { readonly children: ReactNode }): ReactNode {
  const { t } = useTranslation()
  const [isMenuOpen, setMenuOpen] = useState(false)
  const [isHelpOpen, setHelpOpen] = useState(false)
  const { desk, preferences } = useDesk()
  usePreferences()
  useNews()
  return (
    <div className={classes['shell']}>
      <a className={classes['skip']} href="#content" onClick={focusContent}>
        {t('shell.skip')}
      </a>
      <Header onMenu={() => setMenuOpen(true)} onHelp={() => setHelpOpen(true)} />
      <div className={classes['side']}>
        <Navigation />
      </div>
      {/* The tour takes room: what is below it comes with it, so that nothing moves away under a click. */}
      <Suspense>
        {desk.demo && preferences.tourSeen !== true && <Tour />}
        <main id="content" className={classes['content']} tabIndex={-1}>
          <div className={classes['connection']}>
            <ConnectionState />
          </div>
          <DeskFaults />
          <div className={classes['screen']}>{children}</div>
        </main>
      </Suspense>
      <Dialog isOpen={isMenuOpen} onClose={() => setMenuOpen(false)} title={<Wordmark />} place="side">
        <Navigation onGo={() => setMenuOpen(false)} />
      </Dialog>
      <KeyboardHelp isOpen={isHelpOpen} onOpen={() => setHelpOpen(true)} onClose={() => setHelpOpen(false)} />
    </div>
  )
}

/** The address is the screen's: a jump within the page must not change it. */
function focusContent(event: React.MouseEvent): void {
  event.preventDefault()
  document.getElementById('content')?.focus()
}
