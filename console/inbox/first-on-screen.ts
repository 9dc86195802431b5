import { waitingOf, type DeskView } from '../desk/desk-view.ts'

/** The question that an address shows first: the one that it names, or else the oldest that waits. Undefined on other screens, and where nothing is known yet. */
export function firstOnScreen(view: DeskView | undefined, hash: string): string | undefined {
  const address = /^#?\/?(?:inbox(?:\/(?<id>[^/]+))?)?$/u.exec(hash)
  if (view === undefined || address === null) return undefined
  const id = address.groups?.['id']
  return id === undefined ? waitingOf(view)[0]?.id : decoded(id)
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part)
  } catch {
    return undefined
  }
}
