import { basename, join } from 'node:path'
import { readdir, unlink } from 'node:fs/promises'
import { readInstallRecord, writeInstallRecord, type InstallRecord, type RecordedEntry } from '../../clients/index.ts'
import { ConsentryError } from '../../errors.ts'
import { privateFiles, sha256 } from '../../store/index.ts'
import { openStateFolder } from '../state-folder.ts'
import type { Place } from '../place.ts'
import type { ReadFile } from './client-file.ts'

/** Copies of one file that are kept; older ones go. */
const MOST_COPIES = 10

/** What was installed until now. @throws ConsentryError `CONFIG_INVALID`, `STORE_UNAVAILABLE` */
export async function readRecord(place: Place): Promise<InstallRecord> {
  const { installsFile } = openStateFolder(place)
  return readInstallRecord(await privateFiles.read(installsFile), installsFile)
}

/** Changes what is recorded of one file. @throws ConsentryError `CONFIG_INVALID`, `STORE_UNAVAILABLE` */
export async function changeRecord(real: string, change: (before: readonly RecordedEntry[]) => readonly RecordedEntry[], place: Place): Promise<void> {
  const { installsFile } = openStateFolder(place)
  await inState(place, () =>
    privateFiles.rewrite(installsFile, (text) => {
      const record = readInstallRecord(text, installsFile)
      return writeInstallRecord(new Map([...record, [real, change(record.get(real) ?? [])]]))
    }),
  )
}

/** Copies a file as it is, for the user alone. @returns where the copy is @throws ConsentryError `STORE_UNAVAILABLE` */
export async function backUp({ real, text }: ReadFile, place: Place): Promise<string> {
  const { backupFolder } = openStateFolder(place)
  const name = `${basename(real)}.${sha256(real).slice(0, 8)}`
  const copy = join(backupFolder, `${name}.${new Date().toISOString().replaceAll(/[:.]/g, '-')}`)
  await inState(place, () => privateFiles.replace(copy, text))
  const older = (await readdir(backupFolder)).filter((one) => one.startsWith(`${name}.`)).toSorted()
  for (const old of older.slice(0, -MOST_COPIES)) await unlink(join(backupFolder, old)).catch(() => undefined)
  return copy
}

async function inState(place: Place, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (cause) {
    if (cause instanceof ConsentryError) throw cause
    const { path } = openStateFolder(place)
    throw new ConsentryError(
      'STORE_UNAVAILABLE',
      `the state folder ${path} cannot be written (${(cause as Error).message}): nothing is changed without a copy`,
      { cause },
    )
  }
}
