import { expect, test } from 'vitest'
import { unstartable } from './unstartable.ts'

const cause = Object.assign(new Error('spawn noode ENOENT'), { code: 'ENOENT' })

test('a folder is named as the reason only where it is not there', () => {
  const say = (cwd: string | undefined, ...folders: string[]): string => unstartable({ command: 'noode', cwd }, cause, (path) => folders.includes(path)).message

  expect([say('/tmp/a'), say('/tmp/a', '/tmp/a'), say(undefined)]).toEqual([
    'The command "noode" cannot be started (ENOENT). There is no folder /tmp/a to start it in.',
    'The command "noode" cannot be started (ENOENT). Is it installed, and spelled as on the command line?',
    'The command "noode" cannot be started (ENOENT). Is it installed, and spelled as on the command line?',
  ])
})
