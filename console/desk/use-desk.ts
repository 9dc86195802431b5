import { createContext, useContext, useEffect, useRef, useSyncExternalStore } from 'react'
import type { ConsoleEvent } from '../../src/console-api/contract.ts'
import type { DeskLink, LinkState } from './desk-link.ts'
import type { DeskView } from './desk-view.ts'

export const LinkContext: React.Context<DeskLink | undefined> = createContext<DeskLink | undefined>(undefined)

export function useLink(): DeskLink {
  return useContext(LinkContext)!
}

export function useLinkState(): LinkState {
  const link = useLink()
  return useSyncExternalStore(link.subscribe, () => link.read().state)
}

/** The desk as this tab knows it; screens are drawn only once there is one. */
export function useDesk(): DeskView {
  const link = useLink()
  return useSyncExternalStore(link.subscribe, () => link.read().view!)
}

/** Hears events that change no view, such as drafts of other windows. */
export function useEvents(listener: (event: ConsoleEvent) => void): void {
  const link = useLink()
  const latest = useRef(listener)
  useEffect(() => {
    latest.current = listener
  })
  useEffect(() => link.onEvent((event) => latest.current(event)), [link])
}
