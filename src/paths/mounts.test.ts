import { expect, test } from 'vitest'
import { mayHang, readMounts } from './mounts.ts'

const mounts = readMounts(`21 26 0:20 / /proc rw,relatime - proc proc rw
26 1 254:0 / / rw,relatime - ext4 /dev/vda rw,discard
90 26 0:45 / /mnt/nas\\040one rw,relatime shared:3 master:1 - nfs4 nas:/export rw,vers=4.2
91 26 0:46 / /home/u/drive rw - fuse.sshfs host: rw
92 91 0:47 / /home/u/drive/local rw - tmpfs tmpfs rw
93 26 0:48 / /mnt/twice rw - nfs nas:/a rw
94 93 0:49 / /mnt/twice rw - ext4 /dev/sdb1 rw

not a line of it`)

test.each([
  ['/home/u/app', false],
  ['/mnt/nas one', true],
  ['/mnt/nas one/deep/er', true],
  ['/mnt/nas', false],
  ['/home/u/drive/x', true],
  ['/home/u/drive/local/x', false],
  ['/mnt/twice/x', false],
])('a first call to %s may hang: %s', (path, expected) => {
  expect(mayHang(path, 'posix', mounts)).toBe(expected)
})

test('where nothing is known of mounts, the places count where others are mounted', () => {
  expect(['/Volumes/nas/x', '/Users/ada', '/net/host'].map((path) => mayHang(path, 'posix', undefined))).toEqual([true, false, true])
  expect(['\\\\nas\\share\\x', 'C:\\Users'].map((path) => mayHang(path, 'win32', undefined))).toEqual([true, false])
  expect(mayHang('/anything', 'posix', readMounts(''))).toBe(false)
})
