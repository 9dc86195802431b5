import type { Grant } from '../policy/index.ts'
import { isRefusal, readGrantedEntry, readKeptChoice } from '../roots/granted-folders.ts'
import type { GrantAbout, GrantRow } from './contract.ts'

/** A remembered consent as a window sees it: with what it is about, so that no window reads what the rooms below keep in it. */
export function showGrant(grant: Grant): GrantRow {
  const about = aboutGrant(grant)
  return { ...grant, ...(about && { about }) }
}

function aboutGrant({ kind, details }: Grant): GrantAbout | undefined {
  const { says, skip, answeredHereInPlaceOf: client } = details
  if (typeof client === 'string') return { what: 'answered-here', client }
  switch (kind) {
    case 'roots': {
      const path = readGrantedEntry(details)?.path
      const choice = readKeptChoice(details)
      if (path !== undefined) return { what: 'folder', path }
      if (choice !== undefined) return { what: `kept-${choice}` }
      return isRefusal(details) ? { what: 'no-folders' } : undefined
    }
    case 'sampling':
      if (says === 'deny') return { what: 'models-denied' }
      if (says !== 'allow') return undefined
      return { what: 'models-allowed', ...(skip === 'prompt' && { shown: 'completion' }), ...(skip === 'completion' && { shown: 'prompt' }) }
    case 'elicitation':
      return undefined
    default:
      return kind satisfies never
  }
}
