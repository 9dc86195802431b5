import { isSamePlace, isTop, isWithin, nameOf, parentOf, placeAt, placeBelow, type Place } from './place.ts'
import { foldName } from './windows-names.ts'

/** What telling a server about a folder needs: nothing more, a second confirmation, or it is not done. */
export type FolderLevel = 'ok' | 'confirm' | 'block'

/** What there is to say about a folder before it is told, as a key for every language with its English sentence. */
export const folderConcerns = {
  top: 'This is the top of the file system: everything would be told.',
  kernel: 'These are no files but the insides of the running system.',
  home: 'This is your home folder: everything in it would be told.',
  'above-home': 'Your home folder lies in it: everything in there would be told.',
  'other-home': 'This belongs to another user.',
  system: 'This folder belongs to the system.',
  shared: 'This folder is shared by everything on this machine.',
  keys: 'Programs keep their passwords and keys here.',
  state: 'Consentry keeps its own state here.',
  network: 'This folder lies on another machine.',
  'git-dir': 'These are the insides of a git repository, whose hooks and config run programs.',
} as const

export type FolderConcern = keyof typeof folderConcerns

export interface Judgement {
  readonly level: FolderLevel
  readonly concern?: FolderConcern | undefined
}

export interface Surroundings {
  /** The user's home folder. Like all places here, and the one that is judged, without links. */
  readonly home?: Place | undefined
  readonly temporary?: readonly Place[] | undefined
  /** Where our own config, keys and audit log lie. */
  readonly state?: Place | undefined
}

const BLOCKED: readonly FolderConcern[] = ['top', 'kernel', 'git-dir']
const KERNEL = ['/proc', '/sys', '/dev']
const SYSTEM = ['/etc', '/usr', '/bin', '/sbin', '/lib', '/lib64', '/boot', '/System', '/Library', '/private/etc']
const SHARED = ['/var', '/opt', '/srv', '/mnt', '/media', '/run', '/home', '/Users', '/tmp', '/var/tmp', '/private', '/private/var', '/private/tmp']
const KEYS = ['.ssh', '.aws', '.gnupg', '.kube', '.config', 'Library', 'AppData']
const HOMES = ['home', 'Users']
const WINDOWS_SYSTEM = ['Windows', 'Program Files', 'Program Files (x86)', 'ProgramData', '$Recycle.Bin', 'System Volume Information']

/** Judges a folder by its place alone; what only the disk can tell (missing, unreadable, a git folder) comes on top. */
export function judgeFolder(place: Place, surroundings: Surroundings): Judgement {
  const concern = findConcern(place, surroundings)
  if (concern === undefined) return { level: 'ok' }
  return { level: BLOCKED.includes(concern) ? 'block' : 'confirm', concern }
}

function findConcern(place: Place, { home: given, temporary = [], state }: Surroundings): FolderConcern | undefined {
  // Some containers call the top of the file system home; then nothing in it is anybody's own.
  const home = given && !isTop(given) ? given : undefined
  if (isTop(place) && place.host === '') return 'top'
  if (isBelowAny(place, KERNEL)) return 'kernel'
  if (home && isSamePlace(place, home)) return 'home'
  if (home && isWithin(home, place)) return 'above-home'
  if (state && (isWithin(place, state) || isWithin(state, place))) return 'state'
  if (place.host !== '') return 'network'
  if (home && isWithin(place, home)) return KEYS.some((name) => isWithin(place, placeBelow(home, name))) ? 'keys' : undefined
  if (isInHomeOfOther(place, home)) return 'other-home'
  if (isBelowAny(place, SYSTEM) || isWindowsSystem(place)) return 'system'
  return temporary.some((folder) => isSamePlace(place, folder)) || placesOf(SHARED, place).some((folder) => isSamePlace(place, folder)) ? 'shared' : undefined
}

function isBelowAny(place: Place, folders: readonly string[]): boolean {
  return placesOf(folders, place).some((folder) => isWithin(place, folder))
}

function placesOf(paths: readonly string[], { platform }: Place): readonly Place[] {
  return paths.flatMap((path) => placeAt(path, platform) ?? [])
}

/** Below `/home`, `/Users`, or whatever folder of that name holds the own home; and `/root`. */
function isInHomeOfOther(place: Place, home: Place | undefined): boolean {
  if (isBelowAny(place, ['/root'])) return true
  const drive = place.platform === 'win32' ? place.names.slice(0, 1) : []
  const standard = HOMES.map((name): Place => ({ ...place, names: [...drive, name] }))
  const parent = home && parentOf(home)
  const homes = parent && HOMES.includes(nameOf(parent)) ? [...standard, parent] : standard
  return homes.some((folder) => isWithin(place, folder) && !isSamePlace(place, folder))
}

function isWindowsSystem({ platform, names }: Place): boolean {
  return platform === 'win32' && WINDOWS_SYSTEM.some((name) => foldName(name) === foldName(names[1] ?? ''))
}
