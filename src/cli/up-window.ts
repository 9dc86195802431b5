import type { Host } from '../host/index.ts'
import type { ConfigFile } from '../policy/index.ts'
import type { DeskWindow } from './desk-process.ts'
import type { OpenDesk } from './open-desk.ts'
import type { Place } from './place.ts'

export interface UpWindowParts {
  readonly opened: OpenDesk
  readonly host: Host
  readonly config: ConfigFile
  readonly port: number | undefined
  readonly notice: (sentence: string) => void
}

/** The console in the browser. */
export function openUpWindow(_parts: UpWindowParts, _place: Place): Promise<DeskWindow | undefined> {
  return Promise.resolve(undefined)
}
