import { useEffect, useLayoutEffect, useRef } from 'react'

/** What a key does. `Mod` is Command on a Mac and Control elsewhere. */
export type Shortcuts = Readonly<Record<string, (() => void) | undefined>>

/** Right after it is opened, the focus is still on the button that opened it. */
const OPEN_MENU = '[aria-haspopup="menu"][aria-expanded="true"]'

/**
 * Keys for the whole page. Single letters rest while somebody types; combinations and Escape work everywhere.
 * Held keys count once, and a dialog or an open menu keeps its keys for itself: Escape closes the menu, never what lies under it.
 */
export function useShortcuts(shortcuts: Shortcuts): void {
  const latest = useRef(shortcuts)
  // With what is shown, not after it: a key that comes as soon as a button is awake must not meet what held before.
  useLayoutEffect(() => {
    latest.current = shortcuts
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.repeat || event.isComposing || event.altKey) return
      const target = event.target as HTMLElement
      if (target.closest('dialog[open], [role="menu"]') || document.querySelector(OPEN_MENU)) return
      const isMod = event.metaKey || event.ctrlKey
      if (!isMod && event.key !== 'Escape' && isTyping(target)) return
      const action = latest.current[isMod ? `Mod+${event.key}` : nameOf(event)]
      if (action === undefined) return
      event.preventDefault()
      action()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}

/** By the place of the key where its letter is none of ours: also where Korean or Cyrillic is written. */
function nameOf({ key, code }: KeyboardEvent): string {
  const letter = /^Key([A-Z])$/u.exec(code)?.[1]
  return letter !== undefined && /^[^\x00-\x7f]$/u.test(key) ? letter.toLowerCase() : key
}

function isTyping(target: HTMLElement): boolean {
  if (target instanceof HTMLInputElement) return !['checkbox', 'radio', 'button'].includes(target.type)
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement || target.isContentEditable
}

/** As it stands on the keyboard. */
export const modKey: string = /Mac|iPhone|iPad/u.test(navigator.userAgent) ? '⌘' : 'Ctrl'
