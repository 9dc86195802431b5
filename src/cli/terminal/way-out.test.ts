import { expect, test } from 'vitest'
import { matchPattern, parseForm } from '../../elicitation/index.ts'
import { Inbox } from '../../inbox/index.ts'
import type { Origin } from '../../protocol/index.ts'
import { scriptPrompts } from './scripted-prompts.ts'
import { attachTerminal } from './terminal-surface.ts'

const origin: Origin = {
  server: { name: 'travel', named: true, target: { kind: 'custom', description: 'test' } },
  connection: 'c',
  era: 'legacy',
  revision: '2025-11-25',
}

test('somebody who closes two questions in a row is offered to end the call', async () => {
  const inbox = new Inbox()
  const { prompts, shown } = scriptPrompts([undefined, undefined, 'end'])
  let announceEnd = (): void => undefined
  const ended = new Promise<void>((resolve) => (announceEnd = resolve))
  attachTerminal(inbox, { prompts: () => Promise.resolve(prompts), matchPattern, openUrl: () => Promise.resolve(), endCall: () => announceEnd() })
  const subject = { message: 'Again?', form: parseForm({ type: 'object', properties: {} }) }
  const ask = (): Promise<unknown> => inbox.review({ kind: 'form', origin, subject, draft: {} }, new AbortController().signal)

  const answers = [await ask(), await ask()]
  await ended

  expect(answers).toMatchObject([{ decision: { action: 'cancel' } }, { decision: { action: 'cancel' } }])
  expect(shown.at(-1)).toBe('You closed two questions of travel in a row. What now? [Go on | Stop: show nothing more of travel in this run | End the call]')
})

test('what nobody waits for any more is not asked any more: the way out goes with the terminal', async () => {
  const inbox = new Inbox()
  const { prompts } = scriptPrompts([undefined, undefined])
  let seen: AbortSignal | undefined
  let announce = (): void => undefined
  const asked = new Promise<void>((resolve) => (announce = resolve))
  const choose: typeof prompts.choose = (question, choices, options) => {
    if (!question.includes('in a row')) return prompts.choose(question, choices, options)
    seen = options.signal
    announce()
    return new Promise((resolve) => options.signal.addEventListener('abort', () => resolve(undefined)))
  }
  let isEnded = false
  const detach = attachTerminal(inbox, {
    prompts: () => Promise.resolve({ ...prompts, choose }),
    matchPattern,
    openUrl: () => Promise.resolve(),
    endCall: () => (isEnded = true),
  })
  const subject = { message: 'Again?', form: parseForm({ type: 'object', properties: {} }) }
  const ask = (): Promise<unknown> => inbox.review({ kind: 'form', origin, subject, draft: {} }, new AbortController().signal)

  await ask()
  await ask()
  await asked
  detach()
  await new Promise((resolve) => setImmediate(resolve))

  expect([seen?.aborted, isEnded]).toEqual([true, false])
})
