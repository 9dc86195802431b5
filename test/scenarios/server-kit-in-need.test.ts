import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { node, Workplace } from '../fixtures/program.ts'

const LONG = 60_000
const program = join(import.meta.dirname, '../fixtures/kit-in-need.mjs')
const run = (command: string, ...args: readonly string[]): unknown => JSON.parse(execFileSync(command, args, { encoding: 'utf8' }))

describe.runIf(process.platform === 'linux')('the server kit, where the system is short of something', () => {
  test(
    'says that it is busy where no file can be opened any more, changes nothing, and goes on afterwards',
    () => {
      const place = new Workplace()
      place.write('file', 'inside')

      expect(run('bash', '-c', 'ulimit -n 64; exec "$0" "$@"', node, program, 'descriptors', place.folder)).toEqual({
        outcomes: ['done', ...Array<string>(9).fill('busy'), 'done'],
        left: ['file'],
        text: 'inside',
      })
    },
    LONG,
  )

  test.each([
    [
      'the disk is full',
      'bwrap --ro-bind / / --dev /dev --proc /proc --size 2000000 --tmpfs /mnt bash -c \'printf inside > /mnt/file; exec "$@"\' sh "$1" "$2" room /mnt',
    ],
    ['files may not be larger', 'ulimit -f 1000; printf inside > "$3/file"; exec "$1" "$2" room "$3"'],
  ])(
    'keeps the old content, and leaves no draft behind, where %s',
    (_, script) => {
      expect(run('bash', '-c', script, 'bash', node, program, new Workplace().folder)).toEqual({
        outcomes: ['done', 'no-space', 'no-space', 'no-space', 'done'],
        left: ['file'],
        text: 'inside',
      })
    },
    LONG,
  )
})
