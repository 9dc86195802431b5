import { unlink } from 'node:fs/promises'
import { ConsentryError } from '../errors.ts'
import { isJsonObject } from '../protocol/json.ts'
import { unwritten } from '../store/disk-advice.ts'
import { privateFiles } from '../store/private-files.ts'

/** Where the running desk can be reached, and the key that lets whoever can read this file ask there. Nothing in it lets anybody decide. */
export interface DeskAddress {
  readonly socket: string
  readonly key: string
  readonly pid: number
  /** Of the console, where there is one. */
  readonly port?: number | undefined
}

/** @returns undefined where there is no such file, or it is none of ours */
export async function readDeskFile(path: string): Promise<DeskAddress | undefined> {
  try {
    const value: unknown = JSON.parse((await privateFiles.read(path)) ?? '')
    if (!isJsonObject(value)) return undefined
    const { socket, key, pid, port } = value
    if (typeof socket !== 'string' || typeof key !== 'string' || typeof pid !== 'number') return undefined
    return { socket, key, pid, port: typeof port === 'number' && Number.isInteger(port) && port > 0 && port < 65_536 ? port : undefined }
  } catch {
    return undefined
  }
}

/** Puts the address in place at once, for the user alone. @throws ConsentryError `STORE_UNAVAILABLE` where it cannot be written */
export async function writeDeskFile(path: string, address: DeskAddress): Promise<void> {
  try {
    await privateFiles.replace(path, `${JSON.stringify(address)}\n`)
  } catch (cause) {
    if (cause instanceof ConsentryError) throw cause
    throw new ConsentryError('STORE_UNAVAILABLE', unwritten(path, cause), { cause })
  }
}

/** Takes our own address away; another desk's stays. */
export async function removeDeskFile(path: string, { key }: DeskAddress): Promise<void> {
  if ((await readDeskFile(path))?.key === key) await unlink(path).catch(() => undefined)
}
