import { readForeignUri } from '../paths/index.ts'
import type { Config, ConfigPlace } from './config.ts'
import { removeElement, setJsonc } from './edit-jsonc.ts'
import { parseConfig } from './parse-config.ts'
import { expandHome } from './user-path.ts'

/** Which file is edited, and how it is read. */
export interface EditedFile extends ConfigPlace {
  /** For errors. */
  readonly file: string
}

export interface RootEdit {
  /** The server's name; `*` is every server. */
  readonly server: string
  readonly path: string
}

/**
 * Adds a folder to a config, and gives it its name. Comments and formatting stay; a folder that is there already is not added again.
 *
 * @param text undefined where there is no file yet
 * @throws ConsentryError `CONFIG_INVALID` when the text is no config, before or after
 */
export function addRoot(text: string | undefined, { server, path, name }: RootEdit & { readonly name?: string | undefined }, edited: EditedFile): string {
  return edit(text, edited, (source, { roots }) => {
    const entries = roots.get(server)
    const entry = name === undefined ? { path } : { path, name }
    if (entries === undefined) return setJsonc(source, ['roots', server], [entry])
    const index = entries.findIndex((each) => each.path === expandHome(path, edited.home, edited.platform))
    if (index === -1) return setJsonc(source, ['roots', server, entries.length], entry)
    return name === undefined || entries[index]?.name === name ? source : setJsonc(source, ['roots', server, index, 'name'], name)
  })
}

/**
 * Takes a folder out of a config, however often it is in it. Comments and formatting stay.
 *
 * @returns the same text where the folder was not in it
 * @throws ConsentryError `CONFIG_INVALID` when the text is no config, before or after
 */
export function removeRoot(text: string | undefined, { server, path }: RootEdit, edited: EditedFile): string {
  const gone = expandHome(path, edited.home, edited.platform)
  return edit(text, edited, (source, { roots }) => {
    let changed = source
    for (const [index, entry] of [...(roots.get(server) ?? []).entries()].toReversed())
      if (entry.path === gone) changed = removeElement(changed, ['roots', server], index)
    return changed
  })
}

/**
 * Says by which name a server with files of its own knows a folder; a name before is replaced. Comments and formatting stay.
 *
 * @throws ConsentryError `CONFIG_INVALID` when the text is no config, before or after
 */
export function setRootMapping(text: string | undefined, { server, path, uri }: RootEdit & { readonly uri: string }, edited: EditedFile): string {
  return edit(text, edited, (source, { rootMappings }) => {
    const known = rootMappings.get(server)?.findLast((mapping) => mapping.path === path)
    return known && known.uri === readForeignUri(uri) ? source : setJsonc(source, ['rootMappings', server, path], uri)
  })
}

/** Switches "always ask me" on or off. @throws ConsentryError `CONFIG_INVALID` when the text is no config, before or after */
export function setAlwaysAsk(text: string | undefined, alwaysAsk: boolean, edited: EditedFile): string {
  return edit(text, edited, (source, config) => (config.alwaysAsk === alwaysAsk ? source : setJsonc(source, ['alwaysAsk'], alwaysAsk)))
}

/** What is written must be a config again, or nothing is. */
function edit(text: string | undefined, edited: EditedFile, change: (source: string, config: Config) => string): string {
  const source = text ?? '{}\n'
  const changed = change(source, parseConfig(source, edited.file, edited))
  parseConfig(changed, edited.file, edited)
  return changed
}
