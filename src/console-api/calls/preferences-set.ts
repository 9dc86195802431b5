import type { CallNeeds, Handler } from '../call.ts'
import { readPreferences } from '../preferences-file.ts'

export function setPreferences({ preferences, tell }: Pick<CallNeeds, 'preferences' | 'tell'>): Handler<'preferences/set'> {
  return async (body) => {
    const current = await preferences.set(readPreferences(body.members))
    tell({ type: 'preferences-changed', preferences: current })
    return current
  }
}
