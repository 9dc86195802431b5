import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ServerIdentity } from '../protocol/index.ts'
import { LazyStore, type Store } from '../store/index.ts'
import { Policy, type ReservationRequest } from './policy.ts'
import type { Rule } from './rule.ts'
import { MemorySpending } from './memory-spending.ts'
import type { SpendingLedger } from './spending.ts'
import { StoredSpending } from './stored-spending.ts'

const server = (name: string): ServerIdentity => ({ name, named: true, target: { kind: 'custom', description: name } })
const asked = (tokens: number, cost = 0, name = 'travel'): ReservationRequest => ({ kind: 'sampling', origin: { server: server(name) }, tokens, cost })
const rule: Rule = { request: 'sampling', decision: 'allow', limits: { requestsPerMinute: 5, tokensPerDay: 10_000, costPerDay: 1 } }
const morning = new Date(2026, 10, 29, 8).getTime()

let folder: string
let stores: Store[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'consentry-spending-'))
  stores = []
})
afterEach(async () => {
  await Promise.all(stores.map((store) => store.close()))
  rmSync(folder, { recursive: true })
})

function openStored(): SpendingLedger {
  const store = new LazyStore({ file: join(folder, 'consentry.db') })
  stores.push(store)
  return new StoredSpending({ store })
}

async function refusal(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise
    return 'granted'
  } catch (error) {
    const { code, data } = error as { code: string; data: { limit: string; remaining: number } }
    return `${code} ${data.limit} ${data.remaining}`
  }
}

function fault(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => 'granted',
    (error: unknown) => error,
  )
}

describe.each<[string, () => SpendingLedger]>([
  ['in memory', () => new MemorySpending()],
  ['in the store', openStored],
])('limits counted %s', (_, openLedger) => {
  let now: number
  let spending: SpendingLedger
  let policy: Policy
  const openPolicy = (rules: readonly Rule[] = [rule]): Policy => new Policy({ rules, spending, now: () => now })
  beforeEach(() => {
    now = morning
    spending = openLedger()
    policy = openPolicy()
  })

  test('the sixth request of a minute is refused at once, also of many at a time', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => refusal(policy.reserve(asked(1)))))
    now += 59_999
    const sameMinute = await refusal(policy.reserve(asked(1)))
    now += 1
    expect([answers.filter((answer) => answer === 'granted').length, answers.at(-1), sameMinute, await refusal(policy.reserve(asked(1)))]).toEqual([
      5,
      'LIMIT_REACHED requestsPerMinute 0',
      'LIMIT_REACHED requestsPerMinute 0',
      'granted',
    ])
  })

  test('what is reserved counts before it is spent, so that requests together cannot overshoot', async () => {
    const answers = await Promise.all([refusal(policy.reserve(asked(6_000))), refusal(policy.reserve(asked(6_000)))])
    expect(answers).toEqual(['granted', 'LIMIT_REACHED tokensPerDay 4000'])
  })

  test('what was used takes the place of what was reserved, once', async () => {
    const reservation = await policy.reserve(asked(9_000, 0.9))
    await reservation.settle({ tokens: 9_500, cost: 0.25 })
    await reservation.settle({ tokens: 0 })
    await reservation.release()
    expect([
      await refusal(policy.reserve(asked(501))),
      await refusal(policy.reserve(asked(500, 0.76))),
      await refusal(policy.reserve(asked(500, 0.75))),
    ]).toEqual(['LIMIT_REACHED tokensPerDay 500', 'LIMIT_REACHED costPerDay 0.75', 'granted'])
  })

  test('what is released is free again, but the request was made', async () => {
    for (let count = 0; count < 5; count += 1) await (await policy.reserve(asked(10_000))).release()
    const sixth = await refusal(policy.reserve(asked(1)))
    now += 60_000
    expect([sixth, await refusal(policy.reserve(asked(10_000)))]).toEqual(['LIMIT_REACHED requestsPerMinute 0', 'granted'])
  })

  test('a reservation that nobody settles stays counted in full', async () => {
    await policy.reserve(asked(10_000))
    now += 3_600_000
    expect(await refusal(policy.reserve(asked(1)))).toBe('LIMIT_REACHED tokensPerDay 0')
  })

  test('when nothing is left, a request of unknown size is refused too', async () => {
    await policy.reserve(asked(10_000))
    expect(await refusal(policy.reserve({ ...asked(0), tokens: undefined }))).toBe('LIMIT_REACHED tokensPerDay 0')
  })

  test('what costs nothing fits into a budget that is spent, and nothing fits into none', async () => {
    await policy.reserve(asked(1, 1))
    const free = await refusal(policy.reserve(asked(1, 0)))
    const none = openPolicy([{ decision: 'allow', limits: { tokensPerDay: 0 } }])
    expect([free, await refusal(none.reserve({ ...asked(0), tokens: undefined })), await refusal(none.reserve(asked(0)))]).toEqual([
      'granted',
      'LIMIT_REACHED tokensPerDay 0',
      'granted',
    ])
  })

  test('the count begins anew with the day', async () => {
    await policy.reserve(asked(10_000, 1))
    now = new Date(2026, 10, 29, 23, 59, 59, 999).getTime()
    const lastMoment = await refusal(policy.reserve(asked(1)))
    now += 1
    expect([lastMoment, await refusal(policy.reserve(asked(10_000, 1)))]).toEqual(['LIMIT_REACHED tokensPerDay 0', 'granted'])
  })

  test('setting the clock back frees nothing, and what a clock that was far ahead booked keeps no limit used up for as long', async () => {
    const limited = openPolicy([{ ...rule, limits: { requestsPerMinute: 1, tokensPerDay: 10_000, atOnce: 1 } }])
    const after = async (hours: number): Promise<unknown> => {
      now = morning + hours * 3_600_000
      return refusal(limited.reserve(asked(1)))
    }
    const reservation = await limited.reserve(asked(10_000))
    const back = [await after(-1 / 3600), await after(-1), await after(-30), await after(0)]
    await reservation.settle({ tokens: 10_000 })
    await after(400 * 24)
    expect([...back, await after(24)]).toEqual([
      'LIMIT_REACHED atOnce 0',
      'LIMIT_REACHED tokensPerDay 0',
      'LIMIT_REACHED tokensPerDay 0',
      'LIMIT_REACHED atOnce 0',
      'granted',
    ])
    now = morning + 24 * 3_600_000 - 1000
    expect((await limited.limitsOf(asked(1))).find(({ limit }) => limit === 'requestsPerMinute')).toMatchObject({ used: 1, resetsAt: now + 60_000 })
  })

  test.each(['run', 'day'] as const)('what a person raised by a clock that was ahead (for the %s) holds no day longer', async (lasts) => {
    now = morning + 86_400_000
    await policy.reserve(asked(10_000))
    await policy.raise(asked(1), await policy.limitsOf(asked(1)), { lasts })
    now = morning
    expect(await refusal(policy.reserve(asked(1)))).toBe('LIMIT_REACHED tokensPerDay 0')
  })

  test('each server has its own count, and so has each rule', async () => {
    await policy.reserve(asked(10_000))
    const otherRule = openPolicy([{ ...rule, server: 'travel' }, rule])
    expect([await refusal(policy.reserve(asked(10_000, 0, 'notes'))), await refusal(otherRule.reserve(asked(10_000)))]).toEqual(['granted', 'granted'])
  })

  test('other limits, another end or another place of the rule keep the count', async () => {
    await policy.reserve(asked(9_000))
    const edited = openPolicy([
      { request: 'roots', decision: 'deny' },
      { ...rule, until: '2030-01-01', limits: { tokensPerDay: 12_000 } },
    ])
    expect(await refusal(edited.reserve(asked(3_001)))).toBe('LIMIT_REACHED tokensPerDay 3000')
  })

  test('reconnecting, also as another policy, keeps the count', async () => {
    await policy.reserve(asked(10_000))
    expect(await refusal(openPolicy().reserve(asked(1)))).toBe('LIMIT_REACHED tokensPerDay 0')
  })

  test('limits hold whoever decides', async () => {
    policy.alwaysAsk = true
    policy.suspend('broken')
    expect(await refusal(policy.reserve(asked(10_001)))).toBe('LIMIT_REACHED tokensPerDay 10000')
  })

  test('a price that is not known does not fit into a budget', async () => {
    await expect(policy.reserve({ ...asked(1), cost: undefined })).rejects.toMatchObject({ code: 'LIMIT_REACHED', data: { reason: 'price-unknown' } })
  })

  test('what was spent before a limit of cost was set, at a price that nobody knows, is not nothing: a person has to raise it, and what is free goes on', async () => {
    const free = openPolicy([])
    await (await free.reserve({ ...asked(100), cost: undefined })).settle({ tokens: 50 })
    await (await free.reserve({ ...asked(100), cost: undefined })).release()
    await free.reserve({ kind: 'elicitation', origin: { server: server('travel') } })
    const sampling = { servers: new Map([['travel', { limits: { costPerDay: 1 } }]]) }
    const limited = new Policy({ sampling, spending, now: () => now })
    const error = await fault(limited.reserve(asked(1, 0.1)))
    const states = await limited.limitsOf(asked(1, 0.1))
    const others = [await refusal(limited.reserve(asked(1, 0))), await refusal(limited.reserve(asked(1, 0.1, 'notes')))]
    await limited.raise(asked(1, 0.1), states)
    const raised = await refusal(limited.reserve(asked(1, 0.1)))
    now += 86_400_000
    expect([error, states, ...others, raised, await refusal(limited.reserve(asked(1, 0.1)))]).toMatchObject([
      { code: 'LIMIT_REACHED', message: expect.stringContaining('1 request before had no known price, so what is left is unknown'), data: { remaining: 0 } },
      [{ limit: 'costPerDay', allowed: 1, used: 0, unpriced: 1 }],
      'granted',
      'granted',
      'granted',
      'granted',
    ])
  })

  test('numbers that are none never make room', async () => {
    await (await policy.reserve(asked(9_000))).settle({ tokens: -5_000, cost: Number.NaN })
    const answers = []
    for (const tokens of [1_001, Number.NaN, Infinity, 1_000]) answers.push(await refusal(policy.reserve(asked(tokens))))
    expect(answers).toEqual([...Array.from({ length: 3 }, () => 'LIMIT_REACHED tokensPerDay 1000'), 'granted'])
  })

  test('a rate that is reached says how long to wait, and so does a day', async () => {
    for (let count = 0; count < 5; count += 1) await policy.reserve(asked(1))
    now += 20_000
    const rate = await fault(policy.reserve(asked(1)))
    const day = await fault(openPolicy([{ ...rule, limits: { tokensPerDay: 0 } }]).reserve(asked(1)))
    expect([rate, day]).toMatchObject([
      { message: 'rules[0] allows requestsPerMinute 5, and 0 is left: wait 40 seconds, or raise the limit in the config', data: { retryAfterSeconds: 40 } },
      { data: { limit: 'tokensPerDay', retryAfterSeconds: 16 * 3600 - 20 } },
    ])
  })

  test('limits hold for each server and for all together, also where no rule has any', async () => {
    const sampling = { total: { tokensPerDay: 100 }, servers: new Map([['*', { limits: { tokensPerDay: 70 } }]]) }
    const limited = new Policy({ sampling, spending, now: () => now })
    const answers = []
    for (const [tokens, name] of [
      [60, 'travel'],
      [11, 'travel'],
      [40, 'notes'],
      [41, 'notes'],
    ] as const)
      answers.push(await refusal(limited.reserve(asked(tokens, 0, name))))
    expect(answers).toEqual(['granted', 'LIMIT_REACHED tokensPerDay 10', 'granted', 'LIMIT_REACHED tokensPerDay 30'])
    expect(await limited.limitsOf(asked(1))).toMatchObject([
      { scope: 'server', allowed: 70, used: 60 },
      { scope: 'total', allowed: 100, used: 100 },
    ])
  })

  test('a run has a budget of its own, and a new run begins anew', async () => {
    const sampling = { servers: new Map([['travel', { limits: { tokensPerRun: 10, costPerRun: 1 } }]]) }
    const open = (run: string): Policy => new Policy({ sampling, spending, run, now: () => now })
    const first = open('one')
    await first.reserve(asked(10, 0.5))
    now += 86_400_000
    expect([await refusal(first.reserve(asked(1))), await refusal(first.reserve(asked(0, 0.6))), await refusal(open('two').reserve(asked(10, 1)))]).toEqual([
      'LIMIT_REACHED tokensPerRun 0',
      'LIMIT_REACHED costPerRun 0.5',
      'granted',
    ])
  })

  test('only so many requests are open at once; one that ends makes room, and one of a process that died does so after a while', async () => {
    const limited = openPolicy([{ ...rule, limits: { atOnce: 2 } }])
    const first = await limited.reserve(asked(1))
    await limited.reserve(asked(1))
    const third = await refusal(limited.reserve(asked(1)))
    await first.settle({ tokens: 1 })
    const fourth = await refusal(limited.reserve(asked(1)))
    const fifth = await refusal(limited.reserve(asked(1)))
    now += 15 * 60_000
    expect([third, fourth, fifth, await refusal(limited.reserve(asked(1)))]).toEqual(['LIMIT_REACHED atOnce 0', 'granted', 'LIMIT_REACHED atOnce 0', 'granted'])
  })

  test('a person who raises a budget gives it its amount again, for the rest of the day and in this run', async () => {
    await policy.reserve(asked(10_000))
    const state = await policy.limitsOf(asked(1))
    await policy.raise(
      asked(1),
      state.filter(({ limit }) => limit === 'tokensPerDay'),
    )
    const raised = [await refusal(policy.reserve(asked(10_000))), await refusal(policy.reserve(asked(1))), await refusal(openPolicy().reserve(asked(1)))]
    now += 86_400_000
    expect([...raised, await refusal(policy.reserve(asked(10_001)))]).toEqual([
      'granted',
      'LIMIT_REACHED tokensPerDay 0',
      'LIMIT_REACHED tokensPerDay 0',
      'LIMIT_REACHED tokensPerDay 10000',
    ])
  })

  test('a raise for the day holds after a restart and in other processes, until the day ends, and only for what was raised', async () => {
    await policy.reserve(asked(10_000))
    const full = (await policy.limitsOf(asked(1))).filter(({ limit }) => limit === 'tokensPerDay')
    await policy.raise(asked(1), full, { by: 2, lasts: 'day' })
    await policy.raise(asked(1), full, { lasts: 'day' })
    const other = openPolicy()
    const raised = [
      await refusal(other.reserve(asked(30_000))),
      await refusal(other.reserve(asked(1))),
      await refusal(other.reserve(asked(10_001, 0, 'notes'))),
    ]
    now += 86_400_000
    expect([...raised, await refusal(openPolicy().reserve(asked(10_001)))]).toEqual([
      'granted',
      'LIMIT_REACHED tokensPerDay 0',
      'LIMIT_REACHED tokensPerDay 10000',
      'LIMIT_REACHED tokensPerDay 10000',
    ])
  })

  test('a budget of nothing is raised by what is wanted', async () => {
    const none = openPolicy([{ ...rule, limits: { tokensPerDay: 0 } }])
    await none.raise(asked(500), await none.limitsOf(asked(500)))
    expect([await refusal(none.reserve(asked(500))), await refusal(none.reserve(asked(1)))]).toEqual(['granted', 'LIMIT_REACHED tokensPerDay 0'])
  })

  test('what a person had remembered has usual limits, unless the user set their own', async () => {
    const free = openPolicy([])
    const remembered = { ...asked(60_000), remembered: true }
    const own = new Policy({ sampling: { servers: new Map([['travel', { limits: { tokensPerDay: 1_000_000 } }]]) }, spending: openLedger(), now: () => now })
    expect([
      await refusal(free.reserve(remembered)),
      await refusal(free.reserve(remembered)),
      await refusal(own.reserve(remembered)),
      await refusal(own.reserve(remembered)),
    ]).toEqual(['granted', 'LIMIT_REACHED tokensPerDay 40000', 'granted', 'granted'])
  })

  test('rounds of tool use have an end, the smallest that anybody set', () => {
    const servers = new Map([['travel', { limits: { toolRounds: 7 } }]])
    const limited = new Policy({ rules: [{ ...rule, limits: { toolRounds: 9 } }], sampling: { total: { toolRounds: 8 }, servers }, now: () => now })
    expect([limited.toolRoundsOf(asked(1)), limited.toolRoundsOf(asked(1, 0, 'notes')), openPolicy().toolRoundsOf(asked(1))]).toEqual([7, 8, 25])
  })

  test('who spent what is told day by day, also without limits', async () => {
    const free = openPolicy([])
    const of = (model: string, name = 'travel'): ReservationRequest => ({ ...asked(100, 0.5, name), model })
    await (await free.reserve(of('lab:a'))).settle({ tokens: 30, cost: 0.25, output: 10 })
    await (await free.reserve({ ...of('lab:a'), cost: undefined })).settle({ tokens: 7, output: 2 })
    await (await free.reserve({ kind: 'elicitation', origin: { server: server('travel') } })).release()
    now += 86_400_000
    await free.reserve(of('lab:b', 'notes'))
    const day = new Date(2026, 10, 29).getTime()
    expect(await spending.history(0)).toEqual([
      { day: day + 86_400_000, server: 'notes', model: 'lab:b', requests: 1, unanswered: 1, tokens: 100, outputTokens: 0, cost: 0.5, unpriced: 0 },
      { day, server: 'travel', model: 'lab:a', requests: 2, unanswered: 0, tokens: 37, outputTokens: 12, cost: 0.25, unpriced: 1 },
    ])
    expect(await spending.history(day + 86_400_000)).toHaveLength(1)
  })

  test('accounts are kept for 92 days, and no clock that is wrong takes them along', async () => {
    const free = openPolicy([])
    const book = async (day: number): Promise<void> => {
      now = new Date(2026, 10, 29 + day, 8).getTime()
      await free.reserve(asked(1))
    }
    const days = async (): Promise<number> => (await spending.history(0)).length
    for (let day = 0; day < 92; day += 1) await book(day)
    await book(4000)
    await book(91)
    const afterWrongClock = await days()
    await book(92)
    await book(93)
    const kept = (await spending.history(0)).map(({ day }) => day)
    expect([afterWrongClock, kept.length, kept[0], kept.at(-1)]).toEqual([93, 94, new Date(2026, 10, 29 + 4000).getTime(), new Date(2026, 10, 30).getTime()])
  })

  test('without limits there is always room', async () => {
    const free = openPolicy([{ decision: 'allow' }])
    const reservation = await free.reserve({ ...asked(1e9), cost: undefined })
    await reservation.settle({ tokens: 1 })
    await reservation.release()
    expect(await refusal(openPolicy([]).reserve(asked(1e9)))).toBe('granted')
  })
})

test('several connections to the store never overshoot together, and a restart keeps the count', async () => {
  const policies = [openStored(), openStored(), openStored()].map((spending) => new Policy({ rules: [rule], spending, now: () => morning }))
  const answers = await Promise.all([...policies, ...policies].map((policy) => refusal(policy.reserve(asked(3_000)))))
  await Promise.all(stores.map((store) => store.close()))
  const restarted = new Policy({ rules: [rule], spending: openStored(), now: () => morning })
  expect([answers.filter((answer) => answer === 'granted').length, await refusal(restarted.reserve(asked(1_001)))]).toEqual([
    3,
    'LIMIT_REACHED tokensPerDay 1000',
  ])
})
