import { ConsentryError } from '../../errors.ts'
import { takeFileLock } from '../../store/index.ts'
import { callDesk } from '../call-desk.ts'
import { readDeskFile } from '../desk-file.ts'
import type { Place } from '../place.ts'
import { openStateFolder } from '../state-folder.ts'
import type { Finding } from './finding.ts'

/** Whether a desk runs, and answers as one that we can speak to. None is started. */
export async function checkDesk(place: Place): Promise<Finding> {
  const check = 'desk'
  const { deskFile, deskLock } = openStateFolder(place)
  try {
    const { channel, address } = await callDesk(place)
    channel.close()
    const console = address.port === undefined ? 'without a console' : `with its console on http://127.0.0.1:${address.port}/`
    return { check, state: 'ok', says: `it runs (process ${address.pid}), ${console}` }
  } catch (error) {
    if (!(error instanceof ConsentryError)) throw error
    const isForeign = error.data?.['version'] !== undefined
    if (isForeign)
      return {
        check,
        state: 'wrong',
        says: error.message,
        advice: 'end that desk, or use the program that started it: consentry status shows which wraps lead where',
      }
    const address = await readDeskFile(deskFile)
    if (address === undefined || !(await isHeld(deskLock))) return { check, state: 'ok', says: 'none runs: the first wrap that needs one starts it' }
    return {
      check,
      state: 'wrong',
      says: `process ${address.pid} is the desk and does not answer: ${error.message}`,
      advice: `end process ${address.pid}; the next wrap starts another`,
    }
  }
}

/** A desk that was killed leaves its address behind, and no lock. */
async function isHeld(file: string): Promise<boolean> {
  const lock = await takeFileLock(file).catch(() => undefined)
  lock?.release()
  return lock === undefined
}
