import type { CallNeeds, Handler } from '../call.ts'
import { readPreferences } from '../preferences-file.ts'

export function setPreferences({ preferences, tell }: Pick<CallNeeds, 'preferences' | 'tell'>): Handler<'preferences/set'> {
  return (body) => {
    const kept = preferences.set(readPreferences(body.members))
    // It holds at once, also where it cannot be kept.
    tell({ type: 'preferences-changed', preferences: preferences.current })
    return kept
  }
}
