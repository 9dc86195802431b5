import { ConsentryError } from '../errors.ts'
import { isInside, isSamePlace, isWithin, pathOf, placeAt, placeBelow, type Place } from '../paths/index.ts'
import type { Boundary, HeldFolder, Layout } from './boundary.ts'
import type { Machine } from './machine.ts'

/** What programs of this system need to start; those that are there. No part of it holds anything of a user's. */
const SYSTEM = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/nix/store', '/gnu/store']
const SETTINGS =
  'ld.so.cache ld.so.conf ld.so.conf.d alternatives nsswitch.conf resolv.conf hosts host.conf gai.conf services protocols passwd group localtime timezone locale.conf locale.alias os-release mime.types ssl/certs ssl/openssl.cnf pki/tls/certs pki/ca-trust ca-certificates crypto-policies fonts'
    .split(' ')
    .map((name) => `/etc/${name}`)
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

/**
 * Puts together what a held server may see: its roots, what it needs, and what is kept from it inside of those.
 *
 * @throws ConsentryError `SANDBOX_UNAVAILABLE` for a root that can be given to no server
 */
export function layOut(
  { readable, home, state }: Boundary,
  held: readonly HeldFolder[],
  startup: readonly string[],
  cwd: string | undefined,
  machine: Machine,
): Layout {
  const statePlace = placeOf(machine.realPath(state) ?? state)
  for (const { path } of held) {
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
  const needed = [...SYSTEM, ...SETTINGS, ...startup, ...readable].filter((path) => machine.kindOf(path) !== undefined && !isCovered(path, writableOf(held)))
  const grants = [...held.map(({ path }) => path), ...needed].map(placeOf)
  const kept = [state, ...KEYS.map((name) => pathOf(placeBelow(placeOf(home), ...name.split('/'))))].flatMap((path) => machine.realPath(path) ?? [])
  const hidden = kept.filter((path) => {
    const place = placeOf(path)
    // What is granted by name is granted, except for our own state.
    return grants.some((grant) => isWithin(place, grant)) && (isSamePlace(place, statePlace) || !grants.some((grant) => isSamePlace(place, grant)))
  })
  const here = [cwd, held.find(({ path }) => machine.kindOf(path) === 'folder')?.path].find(
    (path) => path !== undefined && grants.some((grant) => isWithin(placeOf(path), grant)) && !hidden.some((one) => isWithin(placeOf(path), placeOf(one))),
  )
  return { roots: held, readable: [...new Set(needed)], hidden, cwd: here }
}

/** Real paths of the roots that are there, each once. One below another that grants as much adds nothing, and could be a link by now. */
export function findRoots(roots: readonly HeldFolder[], machine: Machine): readonly HeldFolder[] {
  const outermost = roots.filter(
    ({ path, access }) =>
      !roots.some((other) => other.path !== path && isCovered(path, [other.path]) && (other.access === access || other.access === 'read-write')),
  )
  const found = new Map<string, HeldFolder>()
  for (const { path, access } of outermost) {
    const real = machine.realPath(path)
    if (real !== undefined && found.get(real)?.access !== 'read-write') found.set(real, { path: real, access })
  }
  return [...found.values()]
}

export function writableOf(roots: readonly HeldFolder[]): readonly string[] {
  return roots.filter(({ access }) => access === 'read-write').map(({ path }) => path)
}

/** Whether a path lies in a folder of the layout that it covers. */
export function isCovered(path: string, folders: readonly string[]): boolean {
  return isInside(
    placeOf(path),
    folders.map((folder) => ({ path: folder, real: placeOf(folder) })),
  )
}

function placeOf(path: string): Place {
  return placeAt(path, 'posix') ?? { platform: 'posix', host: '', names: [] }
}

function isBelowAny(place: Place, folders: readonly string[]): boolean {
  return folders.some((folder) => isWithin(place, placeOf(folder)))
}
