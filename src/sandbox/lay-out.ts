import { ConsentryError } from '../errors.ts'
import { isInside, isSamePlace, isWithin, nameOf, parentOf, pathOf, placeAt, placeBelow, type Place } from '../paths/index.ts'
import type { Boundary, HeldFolder, Layout } from './boundary.ts'
import type { Machine } from './machine.ts'

/** What programs of this system need to start; those that are there. No part of it holds anything of a user's. */
const SYSTEM = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/nix/store', '/gnu/store']
const SETTINGS =
  'ld.so.cache ld.so.conf ld.so.conf.d alternatives nsswitch.conf resolv.conf hosts host.conf gai.conf services protocols passwd group localtime timezone locale.conf locale.alias os-release mime.types ssl/certs ssl/openssl.cnf pki/tls/certs pki/ca-trust ca-certificates crypto-policies fonts'
    .split(' ')
    .map((name) => `/etc/${name}`)
/** The same on macOS; what lies in `/System/Volumes` is the user's. */
const SYSTEM_OF_MAC = [
  ...['bin', 'lib', 'libexec', 'sbin', 'share'].map((name) => `/usr/${name}`),
  '/bin',
  '/sbin',
  '/System/Library',
  '/System/Cryptexes',
  '/System/Volumes/Preboot/Cryptexes',
  '/Library/Apple',
  '/Library/Frameworks',
  '/Library/Java',
  '/Library/Developer/CommandLineTools',
  ...['/opt/homebrew', '/usr/local'].flatMap((prefix) =>
    ['bin', 'lib', 'opt', 'Cellar', 'Frameworks', 'share', 'etc/openssl@3', 'etc/ca-certificates'].map((name) => `${prefix}/${name}`),
  ),
  '/private/var/select',
  '/private/var/db/timezone',
  '/private/var/db/dyld',
  '/nix/store',
]
/** Where programs keep their keys, below home. */
const KEYS = [
  '.ssh',
  '.aws',
  '.gnupg',
  '.kube',
  '.docker',
  '.config',
  '.local/share/keyrings',
  '.mozilla',
  '.password-store',
  '.netrc',
  '.npmrc',
  '.pypirc',
  '.git-credentials',
]

/** Where the running system listens. */
const SOCKETS = ['containerd', 'dbus', 'docker.sock', 'podman', 'snapd.socket', 'systemd', 'user'].map((name) => `/run/${name}`)

/**
 * Puts together what a held server may see: its roots, what it needs, and what is kept from it inside of those.
 *
 * @throws ConsentryError `SANDBOX_UNAVAILABLE` for a folder that can be given to no server
 */
export function layOut(
  { readable, home, state }: Boundary,
  held: readonly HeldFolder[],
  startup: readonly string[],
  cwd: string | undefined,
  machine: Machine,
): Layout {
  const statePlace = realPlaceOf(state, machine)
  for (const path of [...held.map((root) => root.path), ...readable.flatMap((one) => machine.realPath(one) ?? [])]) {
    const place = placeOf(path)
    if (isWithin(place, statePlace))
      throw new ConsentryError('SANDBOX_UNAVAILABLE', `${path} cannot be given to a held server: Consentry keeps its own state there.`)
    if (isBelowAny(place, ['/proc', '/sys', '/dev']) || place.names.length === 0)
      throw new ConsentryError(
        'SANDBOX_UNAVAILABLE',
        `${path} cannot be given to a held server: it holds the insides of the running system. Give it narrower folders.`,
      )
  }
  // Where a server can write, it could put links that lead elsewhere when it is started again.
  const isMac = machine.platform === 'darwin'
  const system = isMac ? [...SYSTEM_OF_MAC, ...SETTINGS.map((path) => `/private${path}`)] : [...SYSTEM, ...SETTINGS]
  const identities = new Map(held.flatMap(({ path, identity }) => (identity === undefined ? [] : [[path, identity] as const])))
  const needed = [...system, ...startup, ...readable].filter((path) => {
    if (isCovered(path, writableOf(held))) return false
    if (system.includes(path)) return machine.kindOf(path) !== undefined
    // What is granted is looked at again when it is mounted: nothing is granted without a sight of it.
    const sight = machine.lookAt(path)
    if (sight) identities.set(path, sight.identity)
    return sight !== undefined
  })
  const grants = [...held.map(({ path }) => path), ...needed].map(placeOf)
  const homePlace = placeOf(machine.realPath(home) ?? home)
  const own = [...held.map(({ path }) => path), ...startup, ...readable].map(placeOf)
  const isGranted = homePlace.names.length === 0 || own.some((grant) => isWithin(homePlace, grant))
  const hidden = findHidden([state, ...(isGranted ? [] : [pathOf(homePlace)])], grants, home, machine)
  // What is made there later would not be hidden.
  const isBelow = (places: readonly Place[]): boolean => places.some((place) => isWithin(statePlace, place))
  if (machine.kindOf(state) === undefined && isBelow(grants) && !isBelow(hidden.map(placeOf)))
    throw new ConsentryError(
      'SANDBOX_UNAVAILABLE',
      `Consentry will keep its own state in ${state}, inside of what this server is given: make that folder first (consentry up does), or give narrower folders.`,
    )
  const here = [cwd, held.find(({ path }) => machine.kindOf(path) === 'folder')?.path].find(
    (path) => path !== undefined && grants.some((grant) => isWithin(placeOf(path), grant)) && !hidden.some((one) => isWithin(placeOf(path), placeOf(one))),
  )
  return { roots: held, readable: [...new Set(needed)], identities, hidden, cwd: here, home: isGranted ? undefined : pathOf(homePlace) }
}

/** What is kept from a server inside of what it is granted: some always, keys and sockets but where they are granted by name. */
function findHidden(always: readonly string[], grants: readonly Place[], home: string, machine: Machine): readonly string[] {
  const keys = (machine.platform === 'darwin' ? [...KEYS, 'Library'] : KEYS).map((name) => pathOf(placeBelow(placeOf(home), ...name.split('/'))))
  const real = (paths: readonly string[]): readonly string[] => paths.flatMap((path) => machine.realPath(path) ?? [])
  const unnamed = real([...keys, ...SOCKETS]).filter((path) => !grants.some((grant) => isSamePlace(placeOf(path), grant)))
  return [...real(always), ...unnamed].filter((path) => grants.some((grant) => isWithin(placeOf(path), grant)))
}

/**
 * Real paths of the roots that are there, each once, and that are still what was consented to. One below another that grants the same adds nothing, and could be a link by now.
 *
 * @throws ConsentryError `SANDBOX_UNAVAILABLE` for one that leads out of the folder around it, in which a server could have put that link
 */
export function findRoots(roots: readonly HeldFolder[], machine: Machine): readonly HeldFolder[] {
  const found = new Map<string, HeldFolder>()
  for (const { path, access, identity } of roots) {
    const around = roots.filter((other) => other.path !== path && isCovered(path, [other.path])).toSorted((one, other) => other.path.length - one.path.length)
    const sight = around[0]?.access === access ? undefined : machine.lookAt(path)
    if (!sight || (identity !== undefined && identity !== sight.identity) || found.get(sight.path)?.access === 'read-write') continue
    const real = sight.path
    const left = writableOf(around).find((folder) => !isCovered(real, [machine.realPath(folder) ?? folder]))
    if (left !== undefined)
      throw new ConsentryError('SANDBOX_UNAVAILABLE', `${path} leads out of ${left}, in which a server can put links: name the folder that it leads to.`)
    found.set(real, { ...sight, access })
  }
  return [...found.values()]
}

export function writableOf(roots: readonly HeldFolder[]): readonly string[] {
  return roots.filter(({ access }) => access === 'read-write').map(({ path }) => path)
}

/** What lies between a folder that may be written and what is kept from it inside: nothing of it may be moved out of the way for the next start. */
export function foldersAround(kept: readonly string[], writable: readonly string[]): readonly string[] {
  const found = new Set<string>()
  for (const path of kept) {
    for (let above = folderAround(path); above !== undefined && isCovered(above, writable) && !writable.includes(above); above = folderAround(above))
      found.add(above)
  }
  return [...found].filter((path) => !kept.includes(path))
}

function folderAround(path: string): string | undefined {
  const above = parentOf(placeAt(path, 'posix')!)
  return above && pathOf(above)
}

/** Whether a path lies in a folder of the layout that it covers. */
export function isCovered(path: string, folders: readonly string[]): boolean {
  return isInside(
    placeOf(path),
    folders.map((folder) => ({ path: folder, real: placeOf(folder) })),
  )
}

/** Where something is, or would be if it were made. */
function realPlaceOf(path: string, machine: Machine): Place {
  const place = placeOf(path)
  const real = machine.realPath(path)
  const above = parentOf(place)
  if (real !== undefined || !above) return placeOf(real ?? path)
  return placeBelow(realPlaceOf(pathOf(above), machine), nameOf(place))
}

function placeOf(path: string): Place {
  return placeAt(path, 'posix') ?? { platform: 'posix', host: '', names: [] }
}

function isBelowAny(place: Place, folders: readonly string[]): boolean {
  return folders.some((folder) => isWithin(place, placeOf(folder)))
}
