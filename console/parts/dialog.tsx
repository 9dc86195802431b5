import { CloseButton } from '@mantine/core'
import { createContext, useContext, useEffect, useId, useRef, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './dialog.module.css'

/** Whether what a dialog belongs to is over: then nothing that is picked in it would count, and it closes. */
export const DialogsOver: React.Context<boolean> = createContext(false)

interface DialogProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly title: ReactNode
  /** `side`: along the left edge, for the menu of a narrow screen. `small`: for a calendar. */
  readonly place?: 'middle' | 'side' | 'small' | undefined
  readonly children: ReactNode
}

/** The browser's own dialog: it keeps the focus in, gives it back, and closes on Escape. */
export function Dialog({ isOpen, onClose, title, place = 'middle', children }: DialogProps): ReactNode {
  const { t } = useTranslation()
  const dialog = useRef<HTMLDialogElement>(null)
  const label = useId()
  // Whoever marks words in a field and lets go outside of it has not pressed outside.
  const isPressedOutside = useRef(false)
  const isOver = useContext(DialogsOver)
  useEffect(() => {
    if (!isOpen) return undefined
    const opener = document.activeElement
    dialog.current?.showModal()
    return () => {
      // The browser gives the focus back to whoever closes it, but not where it is taken away because its work is done.
      if (opener instanceof HTMLElement && document.activeElement === document.body) opener.focus({ preventScroll: true })
    }
  }, [isOpen])
  useEffect(() => {
    if (isOpen && isOver) onClose()
  }, [isOpen, isOver, onClose])
  if (!isOpen || isOver) return null
  return (
    <dialog
      ref={dialog}
      className={classes['dialog']}
      data-place={place}
      aria-labelledby={label}
      onClose={(event) => {
        if (event.target === dialog.current) onClose()
      }}
      onPointerDown={(event) => {
        isPressedOutside.current = event.target === dialog.current
      }}
      onClick={(event) => {
        if (event.target === dialog.current && isPressedOutside.current) dialog.current.close()
      }}
    >
      <div className={classes['sheet']}>
        <header className={classes['head']}>
          <h2 id={label} className={classes['title']}>
            {title}
          </h2>
          <CloseButton aria-label={t('common.close')} onClick={() => dialog.current?.close()} />
        </header>
        <div className={classes['content']}>{children}</div>
      </div>
    </dialog>
  )
}

/** What can be done with a dialog, in sight however long it is. */
export function DialogActions({ children }: { readonly children: ReactNode }): ReactNode {
  return <div className={classes['actions']}>{children}</div>
}
