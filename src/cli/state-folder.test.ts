import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, writeFileSync, type Stats } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openToOthers } from './state-folder.ts'

/** A state folder with a config in it, in a folder of the user. @returns what of it is open to others, where they can get as far as to that folder */
function openIn(modes: { readonly above: number; readonly folder: number; readonly file: number }, owner?: number): readonly string[] {
  const above = realpathSync(mkdtempSync(join(tmpdir(), 'consentry-open-')))
  onTestFinished(() => rmSync(above, { recursive: true }))
  const path = join(above, 'state')
  mkdirSync(path)
  writeFileSync(join(path, 'config.jsonc'), '{}')
  chmodSync(join(path, 'config.jsonc'), modes.file)
  chmodSync(path, modes.folder)
  chmodSync(above, modes.above)
  const look = (one: string): Stats => {
    const stats = statSync(one)
    // Where temporary folders lie is not the same everywhere.
    if (!one.startsWith(above)) return Object.assign(stats, { mode: 0o755, uid: 0 })
    return one === above && owner !== undefined ? Object.assign(stats, { uid: owner }) : stats
  }
  return openToOthers({ path }, { platform: 'linux' }, look).map((one) => one.slice(above.length))
}

test.each([
  ['a config as an editor makes it, in a folder for the user alone', { above: 0o755, folder: 0o700, file: 0o644 }, []],
  ['a folder for everybody, in one for the user alone', { above: 0o700, folder: 0o755, file: 0o644 }, []],
  ['a folder for everybody', { above: 0o755, folder: 0o755, file: 0o600 }, ['/state']],
  ['a config for everybody, in such a folder', { above: 0o755, folder: 0o755, file: 0o644 }, ['/state', '/state/config.jsonc']],
  ['a folder that one only gets through', { above: 0o755, folder: 0o711, file: 0o644 }, ['/state', '/state/config.jsonc']],
  ['a folder for the group, with a config for everybody else', { above: 0o755, folder: 0o750, file: 0o604 }, ['/state']],
  ['a config for the group, in a folder for the group', { above: 0o750, folder: 0o750, file: 0o640 }, ['/state', '/state/config.jsonc']],
])('%s: what others can look into is what they can reach', (_, modes, open) => {
  expect(openIn(modes)).toEqual(open)
})

test('a folder above that belongs to somebody else keeps nobody out', () => {
  expect(openIn({ above: 0o700, folder: 0o755, file: 0o600 }, 12345)).toEqual(['/state'])
})
