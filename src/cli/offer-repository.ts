import { addSandboxRead } from '../policy/edit-entries.ts'
import type { Config, EditedFile } from '../policy/index.ts'
import { safeText } from './terminal/safe-text.ts'

/** A folder that a server may be told from now on. */
export interface NewRoot {
  readonly server: string
  readonly path: string
  readonly config: Config
}

export interface OfferNeeds {
  /** Absent: nobody can be asked. */
  readonly ask?: ((question: string) => Promise<boolean>) | undefined
  readonly say: (sentence: string) => void
  readonly edit: (change: (text: string | undefined, file: EditedFile) => string) => Promise<unknown>
}

/**
 * Git keeps the repository of a worktree or a submodule elsewhere, where a held server cannot reach it: offers it for reading to whoever can be asked, and says how
 * otherwise. To write there it would have to be a root, which the insides of a repository never are.
 */
export async function offerRepository({ server, path, config }: NewRoot, { ask, say, edit }: OfferNeeds): Promise<void> {
  const entry = config.mcpServers.get(server)
  if (entry?.kind !== 'stdio' || entry.wishes?.sandbox === undefined) return
  const { findGitFolders, isCovered } = await import('../sandbox/index.ts')
  const granted = entry.wishes.sandboxRead ?? []
  for (const { root, repository } of await findGitFolders([path])) {
    if (isCovered(repository, granted)) continue
    const where = `git keeps the repository of ${root} in ${repository}, which ${server} cannot reach`
    if (ask === undefined) {
      say(safeText(`${where}: to have it read there (status, log, diff) add ${JSON.stringify(repository)} to its "sandboxRead" in the config`, wide))
    } else if (await ask(safeText(`${where}. May it read there (status, log, diff)?`, wide))) {
      await edit((text, file) => addSandboxRead(text, server, repository, file))
      say(safeText(`${server} may read ${repository}, and change nothing there, when it is started next`, wide))
    }
  }
}

const wide = { maximum: Infinity }
