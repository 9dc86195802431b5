import { constants } from 'node:fs'
import { access, stat, statfs } from 'node:fs/promises'
import { openStore } from '../../store/index.ts'
import type { Place } from '../place.ts'
import { nearestAbove, openStateFolder, openToOthers } from '../state-folder.ts'
import { readRecord } from '../install/keep-record.ts'
import type { Finding } from './finding.ts'

const LEAST_BYTES = 100 * 1024 * 1024

/** The state folder: for the user alone, writable, with room, and with a database that opens. */
export async function checkState(place: Place): Promise<readonly Finding[]> {
  const state = openStateFolder(place)
  const { path, databaseFile } = state
  const folder = await stat(path).catch(() => undefined)
  const findings: Finding[] = []
  const wrong = (says: string, advice: string): void => void findings.push({ check: 'state', about: path, state: 'wrong', says, advice })
  const there = folder === undefined ? nearestAbove(path) : path
  await access(there, constants.W_OK).catch((error: Error) =>
    wrong(`it cannot be written (${error.message})`, `let your user write to ${there}, or set CONSENTRY_HOME`),
  )
  const room = await statfs(there).catch(() => undefined)
  if (room !== undefined && room.bavail * room.bsize < LEAST_BYTES)
    wrong(
      `there is little room on its disk (${Math.round((room.bavail * room.bsize) / 1024 / 1024)} MB)`,
      'without room for the log no question is answered: make some',
    )
  if (folder !== undefined && place.platform !== 'win32') {
    const open = openToOthers(state, place)
    if (open.length > 0) wrong(`others can look into ${open.slice(0, 5).join(', ')}`, `chmod -R go= '${path}'`)
    const uid = process.getuid?.()
    if (uid !== undefined && folder.uid !== uid) wrong(`it belongs to another user (${folder.uid})`, 'run consentry as one and the same user, never with sudo')
  }
  const database = await tryDatabase(databaseFile)
  if (database !== undefined) wrong(database, 'move the database away, and keep it: its log may still be read')
  await readRecord(place).catch((error: Error) => wrong(error.message, 'until then nothing can be installed or taken out'))
  if (findings.length > 0) return findings
  return [{ check: 'state', about: path, state: 'ok', says: folder === undefined ? 'it is made when something is written' : 'for you alone, and writable' }]
}

async function tryDatabase(file: string): Promise<string | undefined> {
  if ((await stat(file).catch(() => undefined)) === undefined) return undefined
  try {
    const store = await openStore({ file })
    await store.close()
    return undefined
  } catch (error) {
    return `the database cannot be opened: ${(error as Error).message}`
  }
}
