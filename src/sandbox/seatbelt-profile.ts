import { isTop, parentOf, pathOf, placeAt } from '../paths/index.ts'
import type { Layout } from './boundary.ts'
import { foldersAround } from './lay-out.ts'

/** A profile of macOS's sandbox: paths are its parameters, so that no path can say anything in its language. */
export interface SeatbeltProfile {
  readonly text: string
  readonly parameters: ReadonlyMap<string, string>
}

/** What any program needs, by Apple's names: itself, what it starts, what it asks of the machine. */
const BASE = `(version 1)
(deny default)
(allow process-fork)
(allow process-info* (target same-sandbox))
(allow signal (target same-sandbox))
(allow sysctl-read)
(allow ipc-posix-sem)
(allow ipc-posix-shm-read-data (ipc-posix-name "apple.shm.notification_center"))
(allow mach-lookup
  (global-name "com.apple.bsd.dirhelper")
  (global-name "com.apple.logd")
  (global-name "com.apple.system.logger")
  (global-name "com.apple.system.notification_center")
  (global-name "com.apple.system.opendirectoryd.libinfo")
  (global-name "com.apple.system.opendirectoryd.membership"))
(allow file-read* (literal "/") (literal "/dev/autofs_nowait") (literal "/dev/random") (literal "/dev/urandom"))
(allow file-read* file-write-data file-ioctl (literal "/dev/dtracehelper") (literal "/dev/null") (literal "/dev/zero"))
(allow file-read-metadata (literal "/etc") (literal "/tmp") (literal "/var"))`

/** The network, and of the sockets that are files only the one that finds addresses; keychains are asked through none of these. */
const NETWORK = `(allow system-socket)
(allow network*)
(deny network-outbound (remote unix-socket))
(allow network-outbound (remote unix-socket (path-literal "/private/var/run/mDNSResponder")))
(allow mach-lookup
  (global-name "com.apple.SystemConfiguration.DNSConfiguration")
  (global-name "com.apple.SystemConfiguration.configd")
  (global-name "com.apple.trustd")
  (global-name "com.apple.trustd.agent"))`

/** The last rule that fits decides: what lies deeper comes later. @param temporary a folder of the server's own */
export function writeProfile(
  { roots, readable, hidden }: Layout,
  { isOffline, temporary }: { readonly isOffline: boolean; readonly temporary: string },
): SeatbeltProfile {
  const parameters = new Map<string, string>()
  const name = (path: string): string => {
    const known = [...parameters].find(([, value]) => value === path)?.[0]
    const parameter = known ?? `PATH_${parameters.size}`
    parameters.set(parameter, path)
    return `(param "${parameter}")`
  }
  const below = (path: string): string => `(subpath ${name(path)})`
  const itself = (path: string): string => `(literal ${name(path)})`
  const read = (path: string): string => `(allow file-read* file-map-executable process-exec* ${below(path)})`

  const writable = [...roots.filter(({ access }) => access === 'read-write').map(({ path }) => path), temporary]
  const kept = [...hidden, ...roots.filter(({ access }) => access === 'read').map(({ path }) => path)]
  const rules = [
    ...readable.map((path) => ({ path, text: read(path) })),
    ...writable.map((path) => ({ path, text: `${read(path)}\n(allow file-write* ${below(path)})` })),
    ...roots.filter(({ access }) => access === 'read').map(({ path }) => ({ path, text: `${read(path)}\n(deny file-write* ${below(path)})` })),
    ...hidden.map((path) => ({ path, text: `(deny file-read* file-map-executable process-exec* file-write* ${below(path)})` })),
  ].toSorted((one, other) => depthOf(one.path) - depthOf(other.path))
  const above = new Set([...readable, ...roots.map(({ path }) => path), temporary].flatMap(pathsAbove))
  const text = [
    BASE,
    ...(isOffline ? [] : [NETWORK]),
    `(allow file-read-metadata ${[...above].map(itself).join(' ')})`,
    ...rules.map((rule) => rule.text),
    // A folder that is moved away would leave its name to a link, which the next start would follow.
    ...[...roots.map(({ path }) => path), ...foldersAround(kept, writable)].map((path) => `(deny file-write-unlink ${itself(path)})`),
  ].join('\n')
  return { text, parameters }
}

/** Each program looks where a path really leads, name by name. */
function pathsAbove(path: string): readonly string[] {
  const above = parentOf(placeAt(path, 'posix')!)
  return !above || isTop(above) ? [] : [pathOf(above), ...pathsAbove(pathOf(above))]
}

function depthOf(path: string): number {
  return path.split('/').length
}
