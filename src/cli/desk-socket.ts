import { randomBytes } from 'node:crypto'
import { chmod, lstat, mkdtemp, readdir, rmdir, unlink } from 'node:fs/promises'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { ConsentryError } from '../errors.ts'
import { privateFiles } from '../store/private-files.ts'
import type { Place } from './place.ts'
import { openStateFolder } from './state-folder.ts'

/** The place where wraps call at the desk. */
export interface DeskSocket {
  readonly path: string
  /** Takes nobody new; who is connected stays. Safe to call twice. */
  close(): Promise<void>
}

/** Some systems know no longer path of a socket than 104 bytes, the end mark included. */
const longestPath = 100
const socketName = /^desk-[0-9a-f]{8}\.sock$/
const folderPrefix = 'consentry-'
const mostConnections = 1000
const answerMs = 2000

/** Opens the desk's socket, for this user alone: in the state folder, or where its path would be too long, in a new folder for what runs. */
export async function openDeskSocket(place: Place, accept: (socket: Socket) => void): Promise<DeskSocket> {
  const path = await chooseSocketPath(place)
  const server = createServer(accept)
  server.maxConnections = mostConnections
  await listen(server, path)
  if (place.platform !== 'win32') await chmod(path, 0o600)
  let closing: Promise<void> | undefined
  return {
    path,
    close: () =>
      (closing ??= (async () => {
        // Node takes the socket away itself.
        server.close()
        await removeSocket(path)
      })()),
  }
}

/** Takes away what a desk left behind that was killed. Only for whoever holds the desk's lock. @param last where the last desk was */
export async function removeStaleSockets(place: Place, last: string | undefined): Promise<void> {
  const { path: folder } = openStateFolder(place)
  const names = await readdir(folder).catch(() => [])
  for (const name of names) if (socketName.test(name)) await removeSocket(join(folder, name))
  if (last !== undefined && socketName.test(basename(last))) await removeSocket(last)
}

/** Connects to a desk's socket. @throws ConsentryError `DESK_UNREACHABLE` */
export function connectToSocket(path: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(path)
    const fail = (error: Error): void => {
      socket.destroy()
      reject(new ConsentryError('DESK_UNREACHABLE', `no desk answers at ${path} (${(error as { code?: string }).code ?? error.message})`, { cause: error }))
    }
    const timer = setTimeout(() => fail(new Error('it does not answer')), answerMs)
    socket.once('error', fail)
    socket.once('connect', () => {
      clearTimeout(timer)
      socket.off('error', fail)
      resolve(socket)
    })
  })
}

/** A path that is not taken; where it has a folder of its own, that is made. On Windows it is the name of a pipe, which is on no disk. */
export async function chooseSocketPath(place: Place): Promise<string> {
  const name = `desk-${randomBytes(4).toString('hex')}.sock`
  if (place.platform === 'win32') return `\\\\.\\pipe\\consentry-${name}`
  const { path: folder } = openStateFolder(place)
  await privateFiles.makeFolder(folder)
  const inside = join(folder, name)
  if (Buffer.byteLength(inside) <= longestPath) return inside
  const room = longestPath - Buffer.byteLength(join('/', `${folderPrefix}xxxxxx`, name))
  const bases = [place.environment['XDG_RUNTIME_DIR'], tmpdir(), '/tmp'].filter((one) => one !== undefined && one !== '' && Buffer.byteLength(one) <= room)
  return join(await makeFolderIn(bases as readonly string[]), name)
}

/** In the first of these folders that is there and can be written: what sudo, cron or ssh leave in the environment need not be. */
async function makeFolderIn(bases: readonly string[]): Promise<string> {
  let fault: unknown
  for (const base of bases) {
    try {
      return await mkdtemp(join(base, folderPrefix))
    } catch (error) {
      fault = error
    }
  }
  const reason = fault instanceof Error ? fault.message : 'none has a path that is short enough'
  throw new ConsentryError('DESK_UNREACHABLE', `There is no folder for the socket of the desk: ${reason}`, { cause: fault })
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause) => reject(new ConsentryError('DESK_UNREACHABLE', `the socket ${path} cannot be opened: ${cause.message}`, { cause })))
    server.listen(path, resolve)
  })
}

/** Never anything but a socket; with it the folder that was made for it. */
async function removeSocket(path: string): Promise<void> {
  try {
    if ((await lstat(path)).isSocket()) await unlink(path)
  } catch {
    // It is gone already.
  }
  const folder = dirname(path)
  if (/^consentry-\w{6}$/.test(basename(folder))) await rmdir(folder).catch(() => undefined)
}
