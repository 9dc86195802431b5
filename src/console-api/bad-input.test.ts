import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openConsole } from '../../test/fixtures/open-console.ts'
import { formQuestion } from '../testing/index.ts'

const server = { tools: { book: [formQuestion('Which seat?', { seat: { type: 'string' } })] } }
const mostPages = (count: number): ReturnType<typeof sql> => sql.raw(`pragma max_page_count = ${count}`)

test('on a full disk nothing is answered, every window says so, and it goes on by itself once there is room', async () => {
  const { host, enter, store, audit } = await openConsole({ server })
  const browser = await enter()
  const stream = await browser.watch()
  await host.connect()
  const book = async (): Promise<unknown> => {
    const { call } = await browser.call('tools/call', { server: 'travel', tool: 'book', arguments: {} })
    const done = await stream.next('call-changed', (event) => event.call.id === call.id && event.call.state !== 'running')
    return done.call.result?.content
  }
  await store.write((transaction) => mostPages(1).execute(transaction))
  const entry = { event: 'asked', question: 'q', request: 'roots', server: 'travel', connection: 'c', facts: { roots: ['file:///x'.repeat(20)] } } as const
  const fillUp = async (): Promise<unknown> => {
    for (let count = 0; count < 1000; count += 1) {
      const failure = await audit.append(entry).catch((error: unknown) => error)
      if (failure !== undefined) return failure
    }
    return undefined
  }
  const full = await fillUp()
  const unanswered = await book()
  const { desk } = await stream.next('desk-changed', (event) => event.desk.auditFault !== undefined)
  const [inVain] = await Promise.allSettled([audit.tryWriting()])
  const length = (await audit.page({ limit: 10_000 })).length
  await store.write((transaction) => mostPages(1_000_000).execute(transaction))
  await stream.next('desk-changed', (event) => event.desk.auditFault === undefined)
  const { call } = await browser.call('tools/call', { server: 'travel', tool: 'book', arguments: {} })
  const { review } = await stream.next('review-opened')
  await browser.call('review/decide', { id: review.id, decision: { action: 'accept', content: { seat: '12A' } } })
  const answered = await stream.next('call-changed', (event) => event.call.id === call.id && event.call.state === 'done')

  expect(full).toMatchObject({ code: 'AUDIT_UNAVAILABLE', message: expect.stringContaining('the disk is full: make room') as unknown })
  expect(JSON.stringify(unanswered)).toContain('cancel')
  expect([inVain, desk.auditFault]).toMatchObject([{ status: 'rejected' }, { code: 'AUDIT_UNAVAILABLE' }])
  expect([(await audit.page({ limit: 10_000 })).length - length, await audit.verify()]).toMatchObject([4, { ok: true }])
  expect(JSON.stringify(answered.call.result?.content)).toContain('12A')
})

test('a typo in the config is said in every window with its place, suspends rules, takes no edit, and is over when it is mended', async () => {
  const sound = '{"rules":[{"server":"travel","request":"roots","decision":"allow"}]}'
  const { enter, edited, config } = await openConsole({ config: sound })
  const browser = await enter()
  const stream = await browser.watch()
  await writeFile(edited.file, '{\n  "rulez": []\n}')
  const { desk } = await stream.next('desk-changed', (event) => event.desk.configFault !== undefined)
  const edit = await browser.call('rules/add', { rule: { decision: 'deny' } })
  const broken = await readFile(edited.file, 'utf8')
  await writeFile(edited.file, sound)
  await stream.next('desk-changed', (event) => event.desk.configFault === undefined)

  expect(desk.configFault).toMatchObject({ code: 'CONFIG_INVALID', message: expect.stringMatching(/config\.jsonc:2:3.*rulez/u) as unknown })
  expect([edit.status, broken]).toEqual(['refused', '{\n  "rulez": []\n}'])
  expect(config.current.rules).toHaveLength(1)
})

test('a config that cannot be written is said so, with the reason, and nothing of it holds', async () => {
  const { enter, edited, config } = await openConsole()
  const browser = await enter()
  await mkdir(edited.file)
  const edit = await browser.call('rules/add', { rule: { decision: 'deny' } })
  await rm(edited.file, { recursive: true })

  expect(edit).toMatchObject({ status: 'refused', fault: { code: 'CONFIG_INVALID', message: expect.stringContaining('config.jsonc') as unknown } })
  expect(config.current.rules).toEqual([])
})

test('what a person likes holds in every window also where it cannot be kept, and that is said', async () => {
  const { enter, folder } = await openConsole()
  const browser = await enter()
  const stream = await browser.watch()
  await mkdir(join(folder, 'state', 'preferences.json'))

  const failure = await browser.call('preferences/set', { language: 'ko' }).catch((error: unknown) => error)
  const { preferences } = await stream.next('preferences-changed')

  expect(preferences).toEqual({ language: 'ko' })
  expect(failure).toMatchObject({
    code: 'STORE_UNAVAILABLE',
    message: expect.stringMatching(/preferences\.json cannot be written .*holds all the same/u) as unknown,
  })
})
