import { resolve } from 'node:path'
import { RecordingDesk } from '../desk/record-answers.ts'
import { readRootUri } from '../paths/index.ts'
import type { Desk } from '../protocol/index.ts'
import { privateFiles } from '../store/private-files.ts'
import type { Place } from './place.ts'

/** The same desk, with every answer of it written to a file. @param notice told when the file cannot be written */
export function recordTo(file: string, desk: Desk, place: Pick<Place, 'cwd' | 'platform'>, notice: (sentence: string) => void): Desk {
  const path = resolve(place.cwd, file)
  return new RecordingDesk(desk, {
    write: (text) => privateFiles.replace(path, text),
    pathOf: (uri) => {
      const reading = readRootUri(uri, place.platform === 'win32' ? 'win32' : 'posix')
      return reading.ok ? reading.path : uri
    },
    onFault: (error) => notice(`${error.message} (${path})`),
  })
}
