import { findLandlockLauncher } from '../../sandbox/landlock.ts'
import { probeBubblewrap } from '../../sandbox/bubblewrap.ts'
import { findHolder } from '../../sandbox/holder.ts'
import { thisMachine } from '../../sandbox/machine.ts'
import { holdServer } from '../../sandbox/sandbox.ts'
import { ConsentryError } from '../../errors.ts'
import { homeOf, stateFolderOf, type Place } from '../place.ts'
import { canOpenBrowser } from '../up-window.ts'
import type { Finding } from './finding.ts'

const leastNode: readonly [major: number, minor: number] = [20, 19]

export function checkNode(version: string = process.versions.node): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isNewEnough = major > leastNode[0] || (major === leastNode[0] && minor >= leastNode[1])
  const says = `node ${version}, ${process.execPath}`
  if (isNewEnough) return { check: 'node', state: 'ok', says }
  return { check: 'node', state: 'wrong', says, advice: `install node ${leastNode.join('.')} or later, and run consentry install with it` }
}

/** What could hold a server to its folders here. None is no fault: only servers that are to be held need it. */
export async function checkSandbox(place: Place): Promise<readonly Finding[]> {
  const { platform, environment } = place
  const check = 'sandbox'
  if (platform === 'darwin') return [await tryOnMac(place)]
  if (platform !== 'linux') return [{ check, state: 'note', says: `--sandbox roots holds nothing on ${platform}: a server that is to be held is not started` }]
  const find = (name: string): string | undefined => findHolder(name, environment['PATH'] ?? '', [], thisMachine)
  const [bubblewrap, landlock] = await Promise.all([
    probeBubblewrap(find('bwrap'), false, thisMachine),
    findLandlockLauncher({ perl: find('perl'), koffi: thisMachine.findPackage('koffi') }, thisMachine),
  ])
  const advice = 'install the package bubblewrap of your system, and see docs/sandbox.md'
  if (bubblewrap === undefined)
    return [{ check, about: 'bubblewrap', state: 'ok', says: 'files, other processes and sockets are enforced; with roots,offline the network too' }]
  if (typeof landlock !== 'string')
    return [{ check, about: 'Landlock', state: 'ok', says: `only files are enforced (version ${landlock.version}), because ${bubblewrap}`, advice }]
  return [{ check, state: 'note', says: `nothing can hold a server here: ${bubblewrap}, and ${landlock}`, advice }]
}

/** There, each start tries the sandbox out: so does this. */
async function tryOnMac(place: Place): Promise<Finding> {
  const check = 'sandbox'
  const boundary = { roots: [], readable: [], isOffline: false, home: homeOf(place), state: stateFolderOf(place) }
  try {
    const held = await holdServer({ command: '/bin/sh', args: [], env: {} }, boundary)
    held.close()
    return {
      check,
      about: 'sandbox-exec',
      state: 'note',
      says: 'experimental, and written without a Mac to run it on: files are enforced as far as it was tried out just now',
    }
  } catch (error) {
    if (error instanceof ConsentryError) return { check, state: 'note', says: error.message, advice: 'see docs/sandbox.md' }
    throw error
  }
}

export function checkBrowser(place: Place): Finding {
  const check = 'browser'
  if (canOpenBrowser(place)) return { check, state: 'ok', says: 'the desk can open its window by itself' }
  const says = 'no browser can be opened here (no DISPLAY, no BROWSER): a desk that a wrap starts can show nothing'
  return { check, state: 'note', says, advice: 'keep consentry inbox open in a terminal, or consentry up and visit its address' }
}
