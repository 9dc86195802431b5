import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { expect, onTestFinished, test, vi } from 'vitest'
import { reviewKinds, type ReviewRequest } from '../protocol/index.ts'
import { takeFileLock } from '../store/index.ts'
import { DeskProcess, type DeskWindow } from './desk-process.ts'
import { openConfig } from './open-config.ts'
import type { Place } from './place.ts'
import { openStateFolder } from './state-folder.ts'

/** A desk with a window that counts how often it is opened. */
async function openDeskWith(people: () => number, opensItself: boolean): Promise<{ readonly desk: DeskProcess; readonly show: ReturnType<typeof vi.fn> }> {
  const home = await mkdtemp(join(tmpdir(), 'consentry-desk-'))
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
  const environment = { HOME: home, CONSENTRY_HOME: join(home, 'state') }
  const place: Place = { environment, cwd: home, platform: process.platform, interrupted: new AbortController().signal, stdin, stdout, stderr }
  const show = vi.fn(() => Promise.resolve(undefined))
  const window: DeskWindow = {
    port: 1,
    get people() {
      return people()
    },
    url: () => '',
    show,
    onPeople: () => () => undefined,
    close: () => Promise.resolve(),
  }
  const config = await openConfig(place)
  const lock = (await takeFileLock(openStateFolder(place).deskLock))!
  const openWindow: Parameters<typeof DeskProcess.start>[2]['openWindow'] = ({ opened }) => {
    opened.inbox!.attach({ name: 'console', kinds: reviewKinds })
    return Promise.resolve(window)
  }
  const desk = await DeskProcess.start(
    config,
    lock,
    { openWindow, showWindow: (window) => window.show(), opensItself, isBackground: false, quietMs: 1e6, notice: () => undefined },
    place,
  )
  onTestFinished(async () => {
    await desk.close()
    await rm(home, { recursive: true, force: true })
  })
  return { desk, show }
}

const review: ReviewRequest<'form'> = {
  kind: 'form',
  origin: { server: { name: 'travel', named: true, target: { kind: 'custom', description: 'x' } }, connection: 'c1', era: 'legacy', revision: '2025-11-25' },
  subject: { message: 'Which seat?', form: { fields: [], notes: [], schema: {} } },
  draft: {},
}
const forever = new AbortController().signal

test('one window opens by itself when something waits and nobody looks, and none for whoever looks already', async () => {
  let people = 1
  const { desk, show } = await openDeskWith(() => people, true)
  void desk.opened.inbox!.review(review, forever)
  people = 0
  void desk.opened.inbox!.review(review, forever)
  void desk.opened.inbox!.review(review, forever)
  await vi.waitFor(() => expect(show).toHaveBeenCalled(), { timeout: 10_000 })

  expect(show).toHaveBeenCalledTimes(1)
})

test('a question that was over before anybody could see it opens no window', async () => {
  const { desk, show } = await openDeskWith(() => 0, true)
  const asker = new AbortController()
  const gone = desk.opened.inbox!.review(review, asker.signal)
  asker.abort(new Error('the call was cancelled'))

  expect([await gone, show.mock.calls]).toEqual([{ outcome: 'withdrawn', reason: 'the call was cancelled' }, []])
})
