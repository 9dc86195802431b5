import { isWithin, pathOf, placeAt, placeBelow, readPlace, resolveDots } from '../paths/index.ts'
import type { HeldFolder } from './boundary.ts'
import { isCovered } from './lay-out.ts'
import { thisMachine, type Machine } from './machine.ts'

/** A root, and where git keeps its repository. */
export interface GitFolder {
  readonly root: string
  readonly repository: string
}

/**
 * Worktrees and submodules have the folder of their repository elsewhere. Only what points back is found: whoever can write in the root can write that pointer too.
 *
 * @returns real paths
 */
export function findGitFolders(roots: readonly string[], machine: Pick<Machine, 'headOf' | 'realPath'> = thisMachine): readonly GitFolder[] {
  return roots.flatMap((given) => {
    const path = machine.realPath(given) ?? given
    const root = placeAt(path, 'posix')
    const target = /^gitdir: ([^\n]+)/.exec(machine.headOf(`${path}/.git`))?.[1]
    if (!root || target === undefined) return []
    const reading = readPlace(target.startsWith('/') ? target : `${path}/${target}`, 'posix')
    const folder = reading.ok ? resolveDots(reading.place) : undefined
    if (!folder || isWithin(folder, root)) return []
    const worktrees = folder.names.lastIndexOf('worktrees')
    const pointsBack =
      machine.headOf(pathOf(placeBelow(folder, 'gitdir'))).trim() === `${path}/.git` ||
      machine.headOf(pathOf(placeBelow(folder, 'config'))).includes('worktree = ')
    const whole = worktrees > 0 ? { ...folder, names: folder.names.slice(0, worktrees) } : folder
    return pointsBack ? [{ root: path, repository: pathOf(whole) }] : []
  })
}

/** Offers the repository of a root where it cannot be reached. It is never granted by itself. @param granted what can be read */
export function sayGitFolders(roots: readonly HeldFolder[], granted: readonly string[], machine: Machine): readonly string[] {
  const paths = roots.map(({ path }) => path)
  return findGitFolders(paths, machine)
    .filter(({ repository }) => !isCovered(repository, granted))
    .map(
      ({ root, repository }) =>
        `git keeps the repository of ${root} in ${repository}, which it cannot reach. To have it read there (status, log, diff) add --sandbox-read ${repository}; ` +
        `to have it write there too (commit) add --root ${repository}, and it can change the hooks and the config that git runs for you`,
    )
}
