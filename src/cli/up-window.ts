import { join } from 'node:path'
import { ConsentryError } from '../errors.ts'
import { createConsole, type Console, type Timeline } from '../console-api/index.ts'
import { openNodeDisk } from '../paths/index.ts'
import { clientInfo } from './client-info.ts'
import type { DemoState } from './demo-state.ts'
import type { DeskParts } from './desk-process.ts'
import { configPlaceOf } from './open-config.ts'
import { humanTimeoutMs } from './open-desk.ts'
import { otherClientFiles } from './other-clients.ts'
import { homeOf, type Place } from './place.ts'
import { openStateFolder } from './state-folder.ts'

export interface UpWindowOptions {
  /** The desk's observer. */
  readonly timeline: Timeline
  readonly port: number | undefined
  /** Where another desk listened before, which was killed: taken again if it is free, so that windows that are still open find this one. */
  readonly formerPort: number | undefined
  /** It is the desk of the demo. */
  readonly example: Pick<DemoState, 'workspace'> | undefined
  readonly notice: (sentence: string) => void
}

const appFolder = join(import.meta.dirname, '../console')

/** The console of the desk in the browser. @throws ConsentryError `PORT_IN_USE` */
export async function openUpWindow(parts: DeskParts, options: UpWindowOptions, place: Place): Promise<Console> {
  const { port, formerPort } = options
  if (port !== undefined || formerPort === undefined) return openAt(port, parts, options, place)
  try {
    return await openAt(formerPort, parts, options, place)
  } catch (error) {
    if (error instanceof ConsentryError && error.code === 'PORT_IN_USE') return openAt(undefined, parts, options, place)
    throw error
  }
}

function openAt(port: number | undefined, { opened, host, config }: DeskParts, { timeline, example, notice }: UpWindowOptions, place: Place): Promise<Console> {
  const state = openStateFolder(place)
  return createConsole({
    ...opened.rooms,
    inbox: opened.inbox!,
    host,
    config,
    edited: { file: state.configFile, ...configPlaceOf(place) },
    disk: openNodeDisk(),
    timeline,
    now: Date.now,
    place: {
      version: clientInfo().version,
      pid: process.pid,
      startedAt: Date.now(),
      home: example?.workspace ?? homeOf(place),
      cwd: place.cwd,
      stateFolder: state.path,
      humanTimeoutMs,
      isDemo: example !== undefined,
      otherClients: otherClientFiles(place),
    },
    port,
    appFolder,
    preferencesFile: state.preferencesFile,
    redirectFolder: state.redirectFolder,
    report: (error) => notice(`an error of ours, please report it: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`),
  })
}

/** Whether a window could be opened on this machine. */
export function canOpenBrowser({ platform, environment }: Place): boolean {
  if (platform === 'win32' || platform === 'darwin') return true
  return ['DISPLAY', 'WAYLAND_DISPLAY', 'BROWSER', 'WSL_DISTRO_NAME'].some((name) => (environment[name] ?? '') !== '')
}
