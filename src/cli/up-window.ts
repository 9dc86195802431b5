import { join } from 'node:path'
import { createConsole, type Console, type Timeline } from '../console-api/index.ts'
import { openNodeDisk } from '../paths/index.ts'
import { clientInfo } from './client-info.ts'
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
  readonly notice: (sentence: string) => void
}

const appFolder = join(import.meta.dirname, '../console')

/** The console of the desk in the browser. @throws ConsentryError `PORT_IN_USE` */
export function openUpWindow({ opened, host, config }: DeskParts, { timeline, port, notice }: UpWindowOptions, place: Place): Promise<Console> {
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
      home: homeOf(place),
      cwd: place.cwd,
      stateFolder: state.path,
      humanTimeoutMs,
      isDemo: false,
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
