import type { CallNeeds, Handler } from '../call.ts'

export function getDesk({ place, edited, sessions, windows }: Pick<CallNeeds, 'place' | 'edited' | 'sessions' | 'windows'>): Handler<'desk/get'> {
  return () => {
    const { version, stateFolder, pid, startedAt, humanTimeoutMs } = place
    return { version, configFile: edited.file, stateFolder, pid, startedAt, humanTimeoutMs, sessionIdleMs: sessions.idleMs, windows: windows.size }
  }
}
