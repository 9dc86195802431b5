import { openNodeDisk } from '../paths/index.ts'
import { findRepository } from '../roots/find-checkouts.ts'
import { isCovered } from './lay-out.ts'

/** A root, and where git keeps its repository. */
export interface GitFolder {
  readonly root: string
  readonly repository: string
}

/** Worktrees and submodules have the folder of their repository elsewhere. */
export async function findGitFolders(roots: readonly string[]): Promise<readonly GitFolder[]> {
  const disk = openNodeDisk()
  const found = await Promise.all(roots.map(async (root) => ({ root, repository: await findRepository(root, disk) })))
  return found.flatMap(({ root, repository }) => (repository === undefined ? [] : [{ root, repository }]))
}

/** Offers the repository of a root where it cannot be reached. It is never granted by itself. @param granted what can be read */
export async function sayGitFolders(roots: readonly string[], granted: readonly string[]): Promise<readonly string[]> {
  return (await findGitFolders(roots))
    .filter(({ repository }) => !isCovered(repository, granted))
    .map(
      ({ root, repository }) =>
        `git keeps the repository of ${root} in ${repository}, which it cannot reach. To have it read there (status, log, diff) add --sandbox-read ${repository}; ` +
        `to have it write there too (commit) add --root ${repository}, and it can change the hooks and the config that git runs for you`,
    )
}
