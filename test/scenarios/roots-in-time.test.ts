import { chmodSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { startDesk } from '../fixtures/desk-program.ts'
import { quickest } from '../fixtures/quickest.ts'
import { everything, filesystem, node, Workplace } from '../fixtures/program.ts'
import { RawClient } from '../fixtures/wrapped.ts'

const LONG = 300_000
/** What we do ourselves is shown within this time, and what happens on the disk within the other. */
const [OURS_MS, DISK_MS] = [1000, 3000]
const folders = ['trip', 'work', 'parent/inside']

const servers = [
  ['filesystem', [filesystem], 'list_allowed_directories'],
  ['everything', [everything, 'stdio'], 'get-roots-list'],
] as const

interface Shown {
  /** Resolves when the server shows exactly these, by its own tool. @returns milliseconds */
  readonly shows: (...names: readonly string[]) => Promise<number>
  readonly place: Workplace
  readonly client: RawClient
}

/** A reference server behind `wrap`, as somebody whom the permissions of files bind, with folders of the config. */
async function start(name: string, command: readonly string[], tool: string, { atDesk = false } = {}): Promise<Shown> {
  const place = new Workplace()
  if (atDesk) await startDesk(place, ['up'])
  for (const folder of folders) mkdirSync(join(place.folder, folder), { recursive: true })
  place.config({ roots: { [name]: folders.map((folder) => ({ path: join(place.folder, folder) })) } })
  const client = RawClient.wrapBound(place, [...(atDesk ? [] : ['--no-desk']), '--name', name, '--', node, ...command])
  await client.shakeHands()
  let id = 0
  const shown = async (): Promise<readonly string[]> => {
    id += 1
    client.say({ id, method: 'tools/call', params: { name: tool, arguments: {} } })
    const text = JSON.stringify(await client.answerTo(id))
    return [...folders, 'late'].filter((folder) => new RegExp(`${join(place.folder, folder)}(?=[\\\\"\\s])`).test(text))
  }
  const shows = async (...names: readonly string[]): Promise<number> => {
    const began = performance.now()
    while (String(await shown()) !== String(names)) await new Promise((resolve) => setTimeout(resolve, 10))
    return performance.now() - began
  }
  await shows(...folders)
  return { shows, place, client }
}

describe.each(servers)('server-%s shows in time', (name, command, tool) => {
  test(
    'a folder that is added with us, and one that is removed',
    async () => {
      const { place, shows } = await start(name, command, tool)
      mkdirSync(join(place.folder, 'late'))
      const change = async (what: 'add' | 'remove', ...after: readonly string[]): Promise<number> => {
        await place.run(['roots', what, join(place.folder, 'late'), '--server', name])
        return shows(...after)
      }
      const [add, remove] = [() => change('add', ...folders, 'late'), () => change('remove', ...folders)]

      expect(await quickest(OURS_MS, add, remove)).toBeLessThanOrEqual(OURS_MS)
      expect(await quickest(OURS_MS, remove, add)).toBeLessThanOrEqual(OURS_MS)
    },
    LONG,
  )

  test(
    'a folder that is deleted, one that may not be read any more, and one whose parent is renamed',
    async () => {
      const { place, shows } = await start(name, command, tool)
      const [trip, work, parent, moved] = ['trip', 'work', 'parent', 'moved'].map((folder) => join(place.folder, folder)) as [string, string, string, string]
      const lock = (): Promise<number> => (chmodSync(trip, 0o000), shows('work', 'parent/inside'))
      const unlock = (): Promise<number> => (chmodSync(trip, 0o700), shows(...folders))
      const rename = (): Promise<number> => (renameSync(parent, moved), shows('trip', 'work'))
      const restore = (): Promise<number> => (renameSync(moved, parent), shows(...folders))
      const [locked, unlocked] = [await quickest(DISK_MS, lock, unlock), await quickest(DISK_MS, unlock, lock)]
      const [renamed, restored] = [await quickest(DISK_MS, rename, restore), await quickest(DISK_MS, restore, rename)]
      const remove = (): Promise<number> => (rmSync(work, { recursive: true }), shows('trip', 'parent/inside'))
      // A folder that is made again is another one, which is consented to anew.
      const remake = async (): Promise<number> => {
        mkdirSync(work)
        for (const what of ['remove', 'add']) await place.run(['roots', what, work, '--server', name])
        return shows(...folders)
      }
      const deleted = await quickest(DISK_MS, remove, remake)

      expect([locked, unlocked, renamed, restored, deleted].filter((milliseconds) => milliseconds > DISK_MS)).toEqual([])
    },
    LONG,
  )

  test.each([true, false])(
    'that its last folder was taken back: no folder is left, and stderr says so, whether a desk runs with nobody in front of it or none (%s)',
    async (atDesk) => {
      const { place, shows, client } = await start(name, command, tool, { atDesk })
      for (const folder of folders) await place.run(['roots', 'remove', join(place.folder, folder), '--server', name])
      await shows()
      await client.until(() => client.stderr.includes('It is told an empty folder in their place'))

      expect(client.stderr.includes('the desk asks what is to be done (consentry up shows it)')).toBe(atDesk)
    },
    LONG,
  )
})
