import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import type { Place } from './place.ts'
import { callOrStartDesk } from './start-desk.ts'

test('a state folder that takes no files (/proc) keeps no wrap from going on: no desk, and why', async () => {
  const place: Place = {
    environment: { CONSENTRY_HOME: '/proc/consentry/state', HOME: '/' },
    cwd: '/',
    platform: process.platform,
    interrupted: new AbortController().signal,
    stdin: new PassThrough(),
    stdout: new PassThrough(),
    stderr: new PassThrough(),
  }

  await expect(callOrStartDesk(place)).rejects.toMatchObject({ code: 'DESK_UNREACHABLE', message: expect.stringContaining('/proc/consentry') })
})
