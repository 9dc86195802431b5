import { readRootPath } from '../paths/index.ts'
import { parseConfig, type EditedFile } from '../policy/index.ts'
import type { RootEntry } from '../roots/index.ts'

/** The folders that a config has for a server, by path: what is spelled in two ways is one. */
export function configuredFolders(source: string | undefined, server: string, edited: EditedFile): ReadonlyMap<string, readonly RootEntry[]> {
  const entries = parseConfig(source ?? '{}', edited.file, edited).roots.get(server) ?? []
  const folders = new Map<string, RootEntry[]>()
  for (const entry of entries) folders.set(spell(entry.path, edited), [...(folders.get(spell(entry.path, edited)) ?? []), entry])
  return folders
}

/** One spelling for each path; of what can be none, its own. */
export function spell(path: string, { platform, home }: EditedFile): string {
  const reading = readRootPath(path, platform, { home })
  return reading.ok ? reading.path : path
}
