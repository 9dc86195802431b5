import { Client as ModernClient } from '@modelcontextprotocol/client'
import { InMemoryTransport as LegacyTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js'
import { McpServer as LegacyServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { InMemoryTransport, McpServer } from '@modelcontextprotocol/server'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { ConsentryError } from '../errors.ts'
import { createRootGuard, type RootGuard, type RootGuardOptions } from './root-guard.ts'
import type { AnyServer, RootSource } from './root-source.ts'

let base = ''
const at = (name: string): string => join(base, name)
const rootsOf = (...names: readonly string[]): { roots: { uri: string }[] } => ({ roots: names.map((name) => ({ uri: `file://${at(name)}` })) })

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'root-guard-')))
  const made = base
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  for (const folder of ['a', 'b']) {
    mkdirSync(at(folder))
    writeFileSync(join(at(folder), 'f.txt'), folder)
  }
})

async function read(guard: RootGuard, name: string): Promise<string> {
  try {
    return (await guard.readFile(join(at(name), 'f.txt'))).text
  } catch (error) {
    if (!(error instanceof ConsentryError)) throw error
    return `${error.code} ${String(error.data?.['reason'])}`
  }
}

/** A client that says what it is told to, and counts how often it was asked, and how often at once. */
interface Wire {
  answer: () => unknown
  asked: number
  atOnce: number
  most: number
}

async function answered(wire: Wire): Promise<never> {
  wire.asked += 1
  wire.most = Math.max(wire.most, (wire.atOnce += 1))
  try {
    return (await wire.answer()) as never
  } finally {
    wire.atOnce -= 1
  }
}

interface Pair {
  readonly server: AnyServer & { oninitialized?: unknown }
  connect(): Promise<void>
  changed(): Promise<void>
}

function legacyPair(wire: Wire, hasRoots: boolean): Pair {
  const server = new LegacyServer({ name: 's', version: '1' })
  const client = new LegacyClient({ name: 'c', version: '1' }, { capabilities: hasRoots ? { roots: { listChanged: true } } : {} })
  if (hasRoots) client.setRequestHandler(ListRootsRequestSchema, () => answered(wire))
  const [one, other] = LegacyTransport.createLinkedPair()
  return {
    server,
    connect: async () => void (await Promise.all([server.connect(one), client.connect(other)])),
    changed: () => client.notification({ method: 'notifications/roots/list_changed' }),
  }
}

function modernPair(wire: Wire, hasRoots: boolean): Pair {
  const server = new McpServer({ name: 's', version: '1' })
  const client = new ModernClient({ name: 'c', version: '1' }, { capabilities: hasRoots ? { roots: { listChanged: true } } : {} })
  if (hasRoots) client.setRequestHandler('roots/list', () => answered(wire))
  const [one, other] = InMemoryTransport.createLinkedPair()
  return {
    server,
    connect: async () => void (await Promise.all([server.connect(one), client.connect(other)])),
    changed: () => client.notification({ method: 'notifications/roots/list_changed' }),
  }
}

describe.each([
  ['SDK v1', legacyPair],
  ['SDK v2', modernPair],
])('with a server of the %s', (_, pairOf) => {
  async function start(
    answer: () => unknown,
    options: RootGuardOptions & { readonly hasRoots?: boolean } = {},
  ): Promise<{ wire: Wire; guard: RootGuard; pair: Pair }> {
    const wire: Wire = { answer, asked: 0, atOnce: 0, most: 0 }
    const pair = pairOf(wire, options.hasRoots ?? true)
    const guard = createRootGuard(pair.server, options)
    onTestFinished(() => guard.close())
    return { wire, guard, pair }
  }

  test('roots are asked for when a file is first needed, once for all who wait, and kept', async () => {
    const { wire, guard, pair } = await start(() => rootsOf('a'))
    const early = await read(guard, 'a')
    await pair.connect()
    const askedAtOnce = wire.asked

    const texts = await Promise.all(['a', 'a', 'b', 'a'].map((name) => read(guard, name)))
    await read(guard, 'a')

    expect([early, askedAtOnce, texts, wire.asked]).toEqual(['ROOTS_UNAVAILABLE not-initialized', 0, ['a', 'a', 'PATH_REFUSED outside', 'a'], 1])
  })

  test('hooks of the author go on working, whenever they are set', async () => {
    const wire: Wire = { answer: () => rootsOf('a'), asked: 0, atOnce: 0, most: 0 }
    const pair = pairOf(wire, true)
    const low = (pair.server as { server: { oninitialized?: () => void } }).server
    const heard: string[] = []
    low.oninitialized = () => heard.push('before')
    const guard = createRootGuard(pair.server)
    low.oninitialized = () => heard.push('after')
    await pair.connect()
    await read(guard, 'a')

    expect(heard).toEqual(['after'])
  })

  test('a storm of changes leaves the last list, with one question open at a time', async () => {
    const { wire, guard, pair } = await start(() => rootsOf('a'))
    await pair.connect()
    await read(guard, 'a')
    let release = (): void => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    wire.answer = async () => {
      await held
      return rootsOf('a')
    }
    await pair.changed()
    const reads = [read(guard, 'a'), read(guard, 'b')]
    for (let count = 0; count < 200; count += 1) await pair.changed()
    wire.answer = () => rootsOf('b')
    release()

    expect([await Promise.all(reads), await read(guard, 'a'), await read(guard, 'b'), wire.most]).toEqual([
      ['PATH_REFUSED outside', 'b'],
      'PATH_REFUSED outside',
      'b',
      1,
    ])
    expect(wire.asked).toBeLessThan(6)
  })

  test('a client without roots is not asked: configured folders hold, or nothing', async () => {
    const said: string[] = []
    const { guard, pair } = await start(() => rootsOf('a'), { hasRoots: false, folders: [at('b')], notice: (sentence) => said.push(sentence) })
    await pair.connect()
    const without = await start(() => rootsOf('a'), { hasRoots: false })
    await without.pair.connect()

    expect([await read(guard, 'b'), await read(guard, 'a'), await read(without.guard, 'a')]).toEqual([
      'b',
      'PATH_REFUSED outside',
      'ROOTS_UNAVAILABLE unsupported',
    ])
    expect(said[0]).toContain('configured folders')
  })

  test('an empty list is an answer, an error is none, and neither widens anything', async () => {
    const { wire, guard, pair } = await start(() => rootsOf('a'), { folders: [at('b')] })
    await pair.connect()
    await read(guard, 'a')

    wire.answer = () => ({ roots: [] })
    await pair.changed()
    const none = [await read(guard, 'a'), await read(guard, 'b')]
    wire.answer = () => Promise.reject(new Error('broken'))
    await pair.changed()
    const failed = [await read(guard, 'a'), await read(guard, 'b')]
    wire.answer = () => rootsOf('a')

    expect([none, failed, await read(guard, 'a')]).toEqual([
      ['ROOTS_UNAVAILABLE none', 'ROOTS_UNAVAILABLE none'],
      ['ROOTS_UNAVAILABLE unanswered', 'ROOTS_UNAVAILABLE unanswered'],
      'a',
    ])
  })

  test('a client that never answers is waited for a bounded time, and can be given up earlier', async () => {
    const { guard, pair } = await start(() => new Promise(() => {}), { patienceMs: 100 })
    await pair.connect()
    const ending = new AbortController()
    const waiting = guard.readFile(at('a'), { signal: ending.signal })
    ending.abort()

    await expect(waiting).rejects.toMatchObject({ code: 'CALL_CANCELLED' })
    expect(await Promise.all([read(guard, 'a'), read(guard, 'a')])).toEqual(Array(2).fill('ROOTS_UNAVAILABLE unanswered'))
  })

  test('one entry that is none is left out, and keeps no other back', async () => {
    const said: string[] = []
    const { guard, pair } = await start(
      () => ({ roots: [{ uri: 'https://x.example' }, { uri: `file://${at('a')}` }, { uri: `file://${at('gone')}` }, { uri: `file://${at('b')}/../b` }] }),
      {
        notice: (sentence) => said.push(sentence),
      },
    )
    await pair.connect()

    expect([await read(guard, 'a'), await read(guard, 'b'), said.length]).toEqual(['a', 'PATH_REFUSED outside', 2])
  })
})

/** A source that is no SDK: the names are what it grants. */
function ownSource(): RootSource & { grant(...names: readonly string[]): void } {
  let granted = ['a']
  let change = (): void => {}
  return {
    era: () => 'legacy',
    supportsRoots: () => true,
    listRoots: () => Promise.resolve(rootsOf(...granted)),
    onRootsChanged(listener) {
      change = listener
      return () => {}
    },
    grant(...names) {
      granted = [...names]
      change()
    },
  }
}

test('without an SDK a guard takes any source of roots', async () => {
  const source = ownSource()
  const guard = createRootGuard(source)
  const before = await read(guard, 'b')
  source.grant('a', 'b')

  expect([before, await read(guard, 'b'), await guard.roots()]).toEqual(['PATH_REFUSED outside', 'b', [at('a'), at('b')]])
})

test('a watch ends when its folder is taken back', async () => {
  const source = ownSource()
  const guard = createRootGuard(source)
  const ended = new Promise<string>((resolve) => void guard.watch(at('a'), ({ kind }) => resolve(kind)).then(() => source.grant()))

  expect(await ended).toBe('ended')
})

test('a configured folder that cannot be one is refused when the guard is made', () => {
  expect(() => createRootGuard(undefined, { folders: ['here'] })).toThrow(expect.objectContaining({ code: 'ROOT_INVALID' }))
})

describe('in the modern era', () => {
  const envelope = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': { roots: {} } }
  const readA = (guard: RootGuard, context: object): Promise<unknown> =>
    guard.run(context, async (files) => (await files.readFile(join(at('a'), 'f.txt'))).text)

  test('the result of the call asks for the roots, and the call comes again with them', async () => {
    const guard = createRootGuard(undefined)
    const question = await readA(guard, { mcpReq: { envelope } })

    expect(question).toEqual({ resultType: 'input_required', inputRequests: { 'consentry/roots': { method: 'roots/list' } } })
    expect(await readA(guard, { mcpReq: { envelope, inputResponses: { 'consentry/roots': rootsOf('a') } } })).toBe('a')
    // What one call was granted is nothing to the next.
    expect(await readA(guard, { mcpReq: { envelope } })).toEqual(question)
  })

  test('a client without roots is never asked, and what is no answer grants nothing', async () => {
    const guard = createRootGuard(undefined)
    const bare = { ...envelope, 'io.modelcontextprotocol/clientCapabilities': {} }
    const results = await Promise.all(
      [
        { envelope: bare },
        { envelope, inputResponses: { 'consentry/roots': { roots: 'all' } } },
        { envelope, inputResponses: { 'consentry/roots': rootsOf('b') } },
      ].map((mcpReq) => readA(guard, { mcpReq })),
    )

    expect(results).toEqual(Array(3).fill(expect.objectContaining({ isError: true })))
  })

  test('a call that needs no file asks nothing', async () => {
    expect(await createRootGuard(undefined).run({ mcpReq: { envelope } }, () => Promise.resolve('done'))).toBe('done')
  })

  test('what is refused is a result that a model can read, and what is a fault of the server stays one', async () => {
    const guard = createRootGuard(undefined, { folders: [at('a')] })

    expect(await guard.run({}, (files) => files.readFile(join(at('b'), 'f.txt')))).toEqual({
      content: [{ type: 'text', text: `The path does not lie in any granted root. Use a path in: ${at('a')}.` }],
      isError: true,
    })
    await expect(guard.run({}, () => Promise.reject(new TypeError('mine')))).rejects.toThrow('mine')
  })
})
