import { configuredMappings, type Config } from '../policy/index.ts'
import { identityOfServer } from '../policy/known-server.ts'
import type { Phrase } from '../protocol/index.ts'
import type { FolderState } from './consented-folder.ts'
import { warningOf } from './folder-judge.ts'
import type { RootEntry } from './root-entry.ts'
import { RootList, type RootListOptions } from './root-list.ts'

/** A folder that somebody may be told about, as it stands now. `uri` is what is told. */
export interface ListedFolder extends FolderState {
  /** What there is to mind. */
  readonly warning?: Phrase | undefined
  /** Of a folder for every server: those that know it by another name, or are not told of it, because they have files of their own. */
  readonly elsewhere?: readonly { readonly server: string; readonly uri: string | null }[] | undefined
}

const EVERY_SERVER = '*'

/** Looks at folders that one server of the config, or `*`, may be told, each as that server would hear of it. */
export async function listFolders(
  entries: readonly RootEntry[],
  server: string,
  config: Pick<Config, 'mcpServers' | 'rootMappings'>,
  options: Pick<RootListOptions, 'disk' | 'home' | 'state'>,
): Promise<readonly ListedFolder[]> {
  const list = new RootList({ ...options, configured: new Map([[EVERY_SERVER, entries]]) })
  const statesFor = (name: string): Promise<readonly FolderState[]> => {
    const identity = identityOfServer(name, config.mcpServers.get(name))
    return list.open(identity, { mappings: () => configuredMappings(config, identity) }).states()
  }
  try {
    const states = await statesFor(server)
    const others = server === EVERY_SERVER ? [...config.mcpServers.keys()] : []
    const seen = await Promise.all(others.map(async (name) => ({ name, states: await statesFor(name) })))
    return await Promise.all(
      states.map(async (state, index) => {
        const elsewhere = seen
          .map(({ name, states: theirs }) => ({ server: name, uri: theirs[index]?.uri ?? null }))
          .filter(({ uri }) => state.status === 'ok' && uri !== state.uri)
        return { ...state, warning: warningOf(await list.judge(state)), ...(elsewhere.length > 0 && { elsewhere }) }
      }),
    )
  } finally {
    list.close()
  }
}
