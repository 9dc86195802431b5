import { isSamePlace, isTop, isWithin, parentOf, pathOf, type Disk, type Place } from '../paths/index.ts'
import type { Evidence } from './evidence.ts'
import { findCheckouts } from './find-checkouts.ts'
import { findPackages } from './find-packages.ts'
import { findWorkspaces } from './find-workspaces.ts'
import { FolderView } from './folder-view.ts'
import { isMember } from './member-list.ts'

/** A folder with signs of a project, and the strongest of them. */
export interface ProjectFolder {
  readonly place: Place
  readonly rank: 'checkout' | 'workspace' | 'package'
  /** Each kind once. */
  readonly evidence: readonly Evidence[]
}

export interface SearchOptions {
  readonly disk: Disk
  readonly home: Place | undefined
  /** Folders that end the search, apart from the home folder, those above it, and the top. */
  readonly stops: readonly Place[]
}

/** Installed packages are nobody's project. */
const INSTALLED = ['node_modules', '.venv', 'venv', 'site-packages']

/** Collects the project folders from a folder upward, nearest first. */
export async function searchUpward(start: Place, { disk, home, stops }: SearchOptions): Promise<readonly ProjectFolder[]> {
  const found: ProjectFolder[] = []
  const device = await deviceOf(start, disk)
  let nearestPackage: Place | undefined
  for (let place: Place | undefined = start; place && !endsSearch(place, home, stops); place = parentOf(place)) {
    const [ownDevice, folder] = await Promise.all([deviceOf(place, disk), FolderView.open(place, disk)])
    if (ownDevice !== device || !folder) break
    if (place.names.some((name) => INSTALLED.includes(name))) continue

    const { checkouts, isBroken } = await findCheckouts(folder, disk)
    const memberBelow: readonly string[] | undefined = nearestPackage?.names.slice(place.names.length)
    const workspaces = (await findWorkspaces(folder)).filter(({ members }) => memberBelow === undefined || isMember(memberBelow, members))
    const packages = (await findPackages(folder)).filter(({ file }) => !workspaces.some((workspace) => workspace.file === file))
    const evidence = eachKindOnce([...checkouts, ...workspaces, ...packages])
    if (evidence.length > 0) found.push({ place, rank: checkouts.length > 0 ? 'checkout' : workspaces.length > 0 ? 'workspace' : 'package', evidence })
    if (packages.length > 0) nearestPackage ??= place
    if (isBroken) break
  }
  return found
}

function endsSearch(place: Place, home: Place | undefined, stops: readonly Place[]): boolean {
  return isTop(place) || (home !== undefined && isWithin(home, place)) || stops.some((stop) => isSamePlace(stop, place))
}

async function deviceOf(place: Place, disk: Disk): Promise<string | undefined> {
  const entry = await disk.inspect(pathOf(place))
  return 'device' in entry ? entry.device : undefined
}

function eachKindOnce(evidence: readonly Evidence[]): readonly Evidence[] {
  const kinds = new Map<string, Evidence>()
  for (const { kind, file } of evidence) if (!kinds.has(kind)) kinds.set(kind, { kind, file })
  return [...kinds.values()]
}
