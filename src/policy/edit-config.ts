import { readForeignUri, readRootPath } from '../paths/index.ts'
import type { Config, ConfigPlace } from './config.ts'
import { memberNames, removeElement, removeEmpty, removeMember, setJsonc } from './edit-jsonc.ts'
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
 * Adds a folder to a config, and gives it its name. Comments and formatting stay; a folder that is there already, in whatever spelling, is not added again.
 *
 * @param text undefined where there is no file yet
 * @throws ConsentryError `CONFIG_INVALID` when the text is no config, before or after
 */
export function addRoot(text: string | undefined, { server, path, name }: RootEdit & { readonly name?: string | undefined }, edited: EditedFile): string {
  return edit(text, edited, (source, { roots }) => {
    const entries = roots.get(server)
    const entry = name === undefined ? { path } : { path, name }
    if (entries === undefined) return setJsonc(source, ['roots', server], [entry])
    const index = entries.findIndex(sameFolder(path, edited))
    if (index === -1) return setJsonc(source, ['roots', server, entries.length], entry)
    return name === undefined || entries[index]?.name === name ? source : setJsonc(source, ['roots', server, index, 'name'], name)
  })
}

/**
 * Takes a folder out of a config, however often it is in it, and however it is spelled. Comments and formatting stay; a list that is empty then goes too, unless
 * somebody wrote a comment into it.
 *
 * @returns the same text where the folder was not in it
 * @throws ConsentryError `CONFIG_INVALID` when the text is no config, before or after
 */
export function removeRoot(text: string | undefined, { server, path }: RootEdit, edited: EditedFile): string {
  const isGone = sameFolder(path, edited)
  return edit(text, edited, (source, { roots }) => {
    let changed = source
    for (const [index, entry] of [...(roots.get(server) ?? []).entries()].toReversed())
      if (isGone(entry)) changed = removeElement(changed, ['roots', server], index)
    return changed === source ? source : removeEmpty(removeEmpty(changed, ['roots', server]), ['roots'])
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
    // One that is there already, in whatever spelling, says something else from now on.
    const name = memberNames(source, ['rootMappings', server]).findLast((one) => sameFolder(path, edited)({ path: one })) ?? path
    return known && known.uri === readForeignUri(uri) ? source : setJsonc(source, ['rootMappings', server, name], uri)
  })
}

/**
 * Takes the name out by which a server with files of its own knows a folder, however the folder is spelled. Comments and formatting stay.
 *
 * @throws ConsentryError `CONFIG_INVALID` when the text is no config, before or after
 */
export function removeRootMapping(text: string | undefined, { server, path }: RootEdit, edited: EditedFile): string {
  const isGone = sameFolder(path, edited)
  return edit(text, edited, (source) => {
    const names = memberNames(source, ['rootMappings', server]).filter((name) => isGone({ path: name }))
    const changed = names.reduce((left, name) => removeMember(left, ['rootMappings', server, name]), source)
    return changed === source ? source : removeEmpty(removeEmpty(changed, ['rootMappings', server]), ['rootMappings'])
  })
}

/** Switches "always ask me" on or off. @throws ConsentryError `CONFIG_INVALID` when the text is no config, before or after */
export function setAlwaysAsk(text: string | undefined, alwaysAsk: boolean, edited: EditedFile): string {
  return edit(text, edited, (source, config) => (config.alwaysAsk === alwaysAsk ? source : setJsonc(source, ['alwaysAsk'], alwaysAsk)))
}

/** Whether an entry is of this folder: `/a/` and `/x/../a` are `/a`, and are told as it. A path that no folder can have is only itself. */
function sameFolder(path: string, { home, platform }: EditedFile): (entry: { readonly path: string }) => boolean {
  const spell = (written: string): string => {
    const reading = readRootPath(written, platform, { home })
    return reading.ok ? reading.path : expandHome(written, home, platform)
  }
  const wanted = spell(path)
  return (entry) => spell(entry.path) === wanted
}

/** What is written must be a config again, or nothing is. @throws ConsentryError `CONFIG_INVALID` when the text is no config, before or after */
export function edit(text: string | undefined, edited: EditedFile, change: (source: string, config: Config) => string): string {
  const source = text ?? '{}\n'
  const changed = change(source, parseConfig(source, edited.file, edited))
  parseConfig(changed, edited.file, edited)
  return changed
}
