import { ConsentryError } from '../errors.ts'
import { isJsonObject, type Json, type JsonObject } from '../protocol/index.ts'

/** What an entry was before we came, and what we made of it: text for text. */
export interface RecordedEntry {
  readonly path: readonly string[]
  readonly before: string
  readonly after: string
}

/** What was installed, by file; the file's real path is its name. */
export type InstallRecord = ReadonlyMap<string, readonly RecordedEntry[]>

/** @throws ConsentryError `CONFIG_INVALID` where somebody else wrote into it */
export function readInstallRecord(text: string | undefined, file: string): InstallRecord {
  if (text === undefined) return new Map()
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    value = undefined
  }
  const files = isJsonObject(value) ? value['files'] : undefined
  if (!isJsonObject(files)) throw broken(file)
  return new Map(Object.entries(files).map(([name, entries]) => [name, readEntries(entries, file)]))
}

export function writeInstallRecord(record: InstallRecord): string {
  const files = Object.fromEntries([...record].filter(([, entries]) => entries.length > 0))
  return `${JSON.stringify({ version: 1, files }, undefined, 2)}\n`
}

function readEntries(value: Json | undefined, file: string): readonly RecordedEntry[] {
  if (!Array.isArray(value)) throw broken(file)
  return value.map((entry: Json) => {
    const { path, before, after }: JsonObject = isJsonObject(entry) ? entry : {}
    if (!Array.isArray(path) || typeof before !== 'string' || typeof after !== 'string') throw broken(file)
    return { path: path.map(String), before, after }
  })
}

function broken(file: string): ConsentryError {
  return new ConsentryError('CONFIG_INVALID', `${file} is not what install wrote: move it away, and our words are taken out of the entries one by one`, {
    data: { file },
  })
}
