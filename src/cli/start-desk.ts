import { spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RemoteChannel } from '../desk/remote-channel.ts'
import { ConsentryError } from '../errors.ts'
import { privateFiles } from '../store/private-files.ts'
import { callDesk } from './call-desk.ts'
import type { Place } from './place.ts'
import { openStateFolder } from './state-folder.ts'

/** What a desk gets of the environment of whoever starts it: what is about the person and the machine, and nobody's keys. */
const kept: ReadonlySet<string> = new Set(
  [
    'HOME USER LOGNAME USERNAME SHELL PATH LANG LANGUAGE TZ TMPDIR TMP TEMP CONSENTRY_HOME',
    'DISPLAY WAYLAND_DISPLAY XAUTHORITY DBUS_SESSION_BUS_ADDRESS BROWSER WSL_DISTRO_NAME WSL_INTEROP',
    'SYSTEMROOT SYSTEMDRIVE WINDIR COMSPEC PATHEXT APPDATA LOCALAPPDATA PROGRAMDATA PROGRAMFILES USERPROFILE HOMEDRIVE HOMEPATH',
  ].flatMap((names) => names.split(' ')),
)
const longestStartMs = 8000
const lookEveryMs = 40

/** Calls the desk, and starts one where none runs. @param onStart told before one is started @throws ConsentryError `DESK_UNREACHABLE`, with why */
export async function callOrStartDesk(place: Place, onStart?: () => void): Promise<RemoteChannel> {
  try {
    return (await callDesk(place)).channel
  } catch (error) {
    // A newer desk serves others; an older one makes room because we called. One that stands still holds its place.
    const { data } = error as ConsentryError
    if (data?.['version'] === 'newer' || data?.['isSilent'] === true) throw error
  }
  onStart?.()
  const start = await startDesk(place)
  const end = Date.now() + longestStartMs
  for (;;) {
    await sleep(lookEveryMs)
    try {
      return (await callDesk(place)).channel
    } catch (error) {
      if (start.fault !== undefined || Date.now() > end) {
        const why = start.fault ?? (error as Error).message
        throw new ConsentryError('DESK_UNREACHABLE', `a desk could not be started: ${why}`, { cause: error })
      }
    }
  }
}

/** Starts a desk that outlives us, and holds nothing of ours. Of several that are started, the first stays. */
async function startDesk(place: Place): Promise<{ readonly fault: string | undefined }> {
  const { path, deskLog } = openStateFolder(place)
  const state: { fault: string | undefined } = { fault: undefined }
  let log: number | undefined
  try {
    await privateFiles.makeFolder(path)
    log = openSync(deskLog, 'w', 0o600)
    const child = spawn(process.execPath, [process.argv[1]!, 'up', '--background'], {
      cwd: path,
      env: scrub(place),
      detached: true,
      windowsHide: true,
      stdio: ['ignore', 'ignore', log],
    })
    child.once('error', ({ message }) => (state.fault = message))
    // One that found another desk ends well.
    child.once('exit', (code, signal) => {
      if (code !== 0) state.fault = lastWords(deskLog) ?? `it ended with ${code ?? signal}`
    })
    child.unref()
  } catch (error) {
    state.fault = (error as Error).message
  } finally {
    if (log !== undefined) closeSync(log)
  }
  return state
}

function scrub({ environment }: Place): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).filter(
      (pair): pair is [string, string] => pair[1] !== undefined && (kept.has(pair[0].toUpperCase()) || /^(LC|XDG)_/.test(pair[0].toUpperCase())),
    ),
  )
}

function lastWords(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .at(-1)
      ?.replace(/^consentry: /, '')
  } catch {
    return undefined
  }
}
