import { existsSync, mkdtempSync, realpathSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readDeskFile, writeDeskFile } from './desk-file.ts'
import { chooseSocketPath, connectToSocket, openDeskSocket, removeStaleSockets } from './desk-socket.ts'
import type { Place } from './place.ts'

function placeOf({ platform = process.platform, depth = 0, runtime = undefined as string | undefined } = {}): {
  readonly place: Place
  readonly home: string
} {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'c-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const home = join(folder, 'state', ...Array.from({ length: depth }, () => 'a-folder-with-a-long-name'))
  const environment = { CONSENTRY_HOME: home, ...(runtime !== undefined && { XDG_RUNTIME_DIR: runtime }) }
  return { place: { platform, environment, cwd: folder } as unknown as Place, home }
}

const forget = (path: string): void => onTestFinished(() => rmSync(dirname(path), { recursive: true, force: true }))

test('on Windows it is a pipe of a name that nobody else has, and nothing is made on the disk for it', async () => {
  const { place, home } = placeOf({ platform: 'win32' })
  const paths = [await chooseSocketPath(place), await chooseSocketPath(place)]

  expect(paths.every((path) => /^\\\\\.\\pipe\\consentry-desk-[0-9a-f]{8}\.sock$/.test(path))).toBe(true)
  expect([paths[0] === paths[1], existsSync(home)]).toEqual([false, false])
})

test('the name of a pipe survives the pointer file, and what is stale on Windows is looked for on no disk', async () => {
  const { place, home } = placeOf({ platform: 'win32' })
  const socket = await chooseSocketPath(place)
  const file = join(dirname(home), 'desk.json')
  await writeDeskFile(file, { socket, key: 'k', pid: 1 })
  await removeStaleSockets(place, socket)

  expect((await readDeskFile(file))?.socket).toBe(socket)
})

test('elsewhere it lies in the state folder, for the user alone, and goes with the desk', async () => {
  const { place, home } = placeOf({ platform: 'linux' })
  let calls = 0
  const socket = await openDeskSocket(place, (stream) => {
    calls += 1
    stream.end()
  })
  const mode = statSync(socket.path).mode & 0o777
  const stream = await connectToSocket(socket.path)
  await new Promise((resolve) => stream.resume().once('close', resolve))
  await socket.close()
  await socket.close()

  expect([dirname(socket.path), mode, calls, existsSync(socket.path)]).toEqual([home, 0o600, 1, false])
})

test.each([
  ['the folder for what runs', {}],
  ['the temporary one, where that is too deep as well', { runtime: `/${'r'.repeat(90)}` }],
  ['the temporary one, where that is not there', { runtime: '/nowhere/1000' }],
])('where its path would be too long it is in a folder of its own in %s, which goes with it', async (_, { runtime }: { runtime?: string }) => {
  const run = realpathSync(mkdtempSync(join(tmpdir(), 'r-')))
  onTestFinished(() => rmSync(run, { recursive: true, force: true }))
  const { place } = placeOf({ platform: 'linux', depth: 6, runtime: runtime ?? run })
  const socket = await openDeskSocket(place, (stream) => stream.destroy())
  forget(socket.path)
  const folder = dirname(socket.path)
  const before = [Buffer.byteLength(socket.path) <= 100, statSync(folder).mode & 0o777, dirname(folder) === run]
  await socket.close()

  expect([before, existsSync(folder)]).toEqual([[true, 0o700, runtime === undefined], false])
})

test('a desk that was killed leaves a socket behind, which the next one takes away, and nothing else', async () => {
  const { place } = placeOf({ platform: 'linux', depth: 6 })
  const socket = await openDeskSocket(place, (stream) => stream.destroy())
  forget(socket.path)
  await removeStaleSockets(place, socket.path)
  await removeStaleSockets(place, join(dirname(dirname(socket.path)), 'somebody-elses.sock'))

  expect([existsSync(socket.path), existsSync(dirname(socket.path))]).toEqual([false, false])
  await expect(connectToSocket(socket.path)).rejects.toMatchObject({ code: 'DESK_UNREACHABLE' })
  await socket.close()
})
