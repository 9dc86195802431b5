import { expect, test } from 'vitest'
import { boundDisk } from './bounded-disk.ts'
import { describeDisk } from './described-disk.ts'
import type { Disk, DiskEntry } from './disk.ts'
import { openNodeDisk } from './node-disk.ts'

const FOLDER: DiskEntry = { kind: 'folder', identity: '1', device: '1' }

test('a drive that hangs counts as unreachable, and is asked once until it answers', async () => {
  let asked = 0
  let wake = (_entry: DiskEntry): void => {}
  const hanging: Disk = {
    ...describeDisk({}, { platform: 'posix' }),
    inspect: () => {
      asked += 1
      return new Promise((resolve) => (wake = resolve))
    },
  }
  const disk = boundDisk(hanging, { patience: 5 })

  const first = await disk.inspect('/mnt/net')
  const second = await disk.inspect('/mnt/net')
  const askedWhileHanging = asked
  wake(FOLDER)
  await new Promise((resolve) => setImmediate(resolve))
  const third = disk.inspect('/mnt/net')
  wake(FOLDER)

  expect([first, second, askedWhileHanging, await third, asked]).toEqual([{ kind: 'unreachable' }, { kind: 'unreachable' }, 1, FOLDER, 2])
})

test('an answer never comes from a look that began before the question', async () => {
  const looks: ((entry: DiskEntry) => void)[] = []
  const slow: Disk = { ...describeDisk({}, { platform: 'posix' }), inspect: () => new Promise((resolve) => looks.push(resolve)) }
  const disk = boundDisk(slow)

  const before = disk.inspect('/w')
  const after = [disk.inspect('/w'), disk.inspect('/w')]
  looks[0]!(FOLDER)
  await before
  await new Promise((resolve) => setImmediate(resolve))
  looks[1]!({ kind: 'missing' })

  expect([await before, await after[0], await after[1], looks.length]).toEqual([FOLDER, { kind: 'missing' }, { kind: 'missing' }, 2])
})

test('a disk that answered while this process was busy is not called slow', async () => {
  const disk = boundDisk(openNodeDisk(), { patience: 300 })

  const answer = disk.inspect('/')
  const busyUntil = performance.now() + 400
  while (performance.now() < busyUntil);

  expect((await answer).kind).toBe('folder')
})

test('where no other process can be asked, a newcomer that hangs takes one thread, and keeps no other newcomer back', async () => {
  let hung = 0
  const described = describeDisk({ dirs: ['/w/a', '/w/b'] }, { platform: 'posix' })
  const partly: Disk = {
    ...described,
    realPath: (path) => (path.startsWith('/mnt') ? ((hung += 1), new Promise(() => undefined)) : described.realPath(path)),
  }
  const disk = boundDisk(partly, { patience: 20, slow: 20, openFar: () => described })

  const together = await Promise.all(['/mnt/net', '/w/a', '/w/b'].map((path) => disk.realPath(path)))
  const again = await Promise.all(['/mnt/net', '/mnt/net', '/w/a'].map((path) => disk.realPath(path)))

  expect([together, again, hung]).toEqual([[undefined, '/w/a', '/w/b'], [undefined, undefined, '/w/a'], 1])
})

test('a disk that throws is as good as one that does not answer', async () => {
  const broken: Disk = { ...describeDisk({}, { platform: 'posix' }), list: () => Promise.reject(new Error('bad sector')) }

  expect(await boundDisk(broken).list('/')).toBeUndefined()
})

test('a drive that hangs holds back nobody else: neither other drives nor folders that were never looked at', async () => {
  const hung = new Set<string>()
  const never = new Promise<DiskEntry>(() => undefined)
  const near: Disk = {
    ...describeDisk({}, { platform: 'posix' }),
    inspect: (path) => (hung.has(path) ? never : Promise.resolve({ kind: 'folder', identity: path, device: path.slice(0, 2) })),
  }
  let asked = 0
  const disk = boundDisk(near, {
    patience: 20,
    slow: 10,
    openFar: () => ({
      canRead: () => Promise.resolve(true),
      inspect: (path) => {
        asked += 1
        return near.inspect(path)
      },
    }),
  })
  await Promise.all(['/a', '/a1', '/b'].map((path) => disk.inspect(path)))
  for (const path of ['/a', '/a1', '/new']) hung.add(path)

  const kinds = async (...paths: readonly string[]): Promise<readonly string[]> =>
    (await Promise.all(paths.map((path) => disk.inspect(path)))).map(({ kind }) => kind)
  const first = await kinds('/a', '/b', '/new', '/c')
  const second = await kinds('/a', '/a1', '/b', '/new', '/c')
  const before = asked
  await kinds('/a', '/a1', '/new')

  expect([first, second]).toEqual([
    ['unreachable', 'folder', 'unreachable', 'folder'],
    ['unreachable', 'unreachable', 'folder', 'unreachable', 'folder'],
  ])
  expect(asked).toBe(before)
})
