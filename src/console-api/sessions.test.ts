import { expect, onTestFinished, test } from 'vitest'
import { Sessions, type SessionEvents } from './sessions.ts'

const MINUTE_MS = 60_000

function openSessions(): { readonly sessions: Sessions; readonly ended: SessionEvents['ended'][]; readonly pass: (minutes: number) => void } {
  let now = 1_000_000
  const sessions = new Sessions({ now: () => now, idleMs: 120 * MINUTE_MS, absentMs: 30 * MINUTE_MS })
  onTestFinished(() => sessions.closeAll())
  const ended: SessionEvents['ended'][] = []
  sessions.on('ended', (detail) => ended.push(detail))
  // Half a minute at a time, as its own clock does: more at once is a machine that has slept.
  const pass = (minutes: number): void => {
    for (let half = 0; half < minutes * 2; half += 1) {
      now += MINUTE_MS / 2
      sessions.endIdle()
    }
  }
  return { sessions, ended, pass }
}

test('a session without a window ends sooner than one that somebody looks at, which ends when nobody has done anything for long', () => {
  const { sessions, ended, pass } = openSessions()
  const [closed, watched] = [sessions.open(sessions.issueToken()), sessions.open(sessions.issueToken())]
  sessions.noteWindow(watched)

  pass(29)
  const early = [...ended]
  pass(1)
  const absent = [...ended]
  pass(89)
  const looking = [...ended]
  pass(1)

  expect([early, absent, looking, ended]).toEqual([
    [],
    [{ session: closed, reason: 'idle' }],
    [{ session: closed, reason: 'idle' }],
    [
      { session: closed, reason: 'idle' },
      { session: watched, reason: 'idle' },
    ],
  ])
  expect([closed, watched].map(({ id }) => sessions.knows(id))).toEqual([false, false])
})

test('whoever does something stays, and a window that is closed is missed from then on', () => {
  const { sessions, ended, pass } = openSessions()
  const session = sessions.open(sessions.issueToken())
  const close = sessions.noteWindow(session)
  pass(110)
  sessions.noteAct(session)
  pass(110)
  close()
  close()
  pass(9)
  const before = ended.length
  sessions.noteAct(session)
  pass(21)

  expect([before, ended]).toEqual([0, [{ session, reason: 'idle' }]])
})

test('a few links are good at once, and the oldest is void when there are more', () => {
  const { sessions } = openSessions()
  const [first, ...others] = Array.from({ length: 17 }, () => sessions.issueToken())

  expect(() => sessions.open(first!)).toThrow(expect.objectContaining({ code: 'LINK_USED' }))
  expect(() => others.map((token) => sessions.open(token))).not.toThrow()
})
