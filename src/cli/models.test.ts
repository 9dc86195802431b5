import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { Grants, StoredSpending } from '../policy/index.ts'
import type { ServerIdentity } from '../protocol/index.ts'
import { findLocalServers } from '../sampling/index.ts'
import { openStore, type Store } from '../store/index.ts'
import { run } from './program.ts'
import { readKey } from './read-key.ts'

const travel: ServerIdentity = { name: 'travel', named: true, target: { kind: 'stdio', command: 'node', args: ['travel.js'] } }
let home = ''

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'models-'))
})
afterEach(() => rmSync(home, { recursive: true }))

async function consentry(...argv: readonly string[]): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
  const environment = { CONSENTRY_HOME: home, HOME: home }
  const interrupted = new AbortController().signal
  const code = await run(argv, { environment, cwd: home, platform: process.platform, interrupted, stdin, stdout, stderr })
  const read = (stream: PassThrough): string => String(stream.read() ?? '')
  return { code, out: read(stdout), err: read(stderr) }
}

async function inStore(use: (store: Store) => Promise<unknown>): Promise<void> {
  const store = await openStore({ file: join(home, 'consentry.db') })
  await use(store)
  await store.close()
}

test('models are listed in the user’s order, with the day of their prices, and what is missing is unknown', async () => {
  const models = [
    { provider: 'anthropic', model: 'claude-sonnet-5-20260101' },
    { provider: 'ollama', model: 'qwen3:4b' },
    { provider: 'lab', model: 'mine', baseUrl: 'http://127.0.0.1:1/v1', apiKey: 'never-shown', cost: { input: 1, output: 2 } },
  ]
  writeFileSync(join(home, 'config.jsonc'), JSON.stringify({ models }))

  expect((await consentry('models', 'list')).out.split('\n')).toEqual([
    'anthropic:claude-sonnet-5-20260101  USD 2 in, 10 out per million tokens (of 2026-11-01) · text+image · tools · context 1000000 · speed 90 · intelligence 0.86',
    'ollama:qwen3:4b  free, on this computer · text · no tools · context unknown · speed unknown · intelligence unknown',
    'lab:mine  USD 1 in, 2 out per million tokens (yours) · text · no tools · context unknown · speed unknown · intelligence unknown · careful: its key stands in the config in clear',
    '',
  ])
  expect((await consentry('models', 'list', '--json')).out).not.toContain('never-shown')
})

test('the list says where a key would go over a network in clear, and nowhere else', async () => {
  const of = (model: string, baseUrl: string, apiKey?: unknown): unknown => ({ provider: 'lab', model, baseUrl, apiKey })
  const key = '${LAB_KEY}'
  const models = [
    of('far', 'http://10.0.0.7:8000/v1', key),
    of('ring', 'http://models.example/v1', { keyring: 'lab' }),
    of('safe', 'https://models.example/v1', key),
    of('here', 'http://127.0.0.1:8000/v1', key),
    of('open', 'http://10.0.0.7:8000/v1'),
  ]
  writeFileSync(join(home, 'config.jsonc'), JSON.stringify({ models }))

  const { out } = await consentry('models', 'list')
  const rows = JSON.parse((await consentry('models', 'list', '--json')).out) as { model: string; keyInPlain?: boolean }[]

  expect(
    out.split('\n').flatMap((line) => (line.includes('careful: its key goes over the network without encryption (http)') ? [line.split(' ')[0]] : [])),
  ).toEqual(['lab:far', 'lab:ring'])
  expect(rows.flatMap(({ model, keyInPlain }) => (keyInPlain ? [model] : []))).toEqual(['far', 'ring'])
})

test('a model is added at the end, comments stay, and what is no model is refused before anything is written', async () => {
  writeFileSync(join(home, 'config.jsonc'), '{\n  // mine\n  "models": [{ "provider": "ollama", "model": "a" }]\n}\n')

  const added = [await consentry('models', 'add', 'ollama:qwen3:4b'), await consentry('models', 'add', 'ollama:qwen3:4b')]
  const refused = [await consentry('models', 'add', 'nobody:x'), await consentry('models', 'add', 'ollama')]

  expect([...added, ...refused].map(({ code }) => code)).toEqual([0, 0, 2, 2])
  const text = readFileSync(join(home, 'config.jsonc'), 'utf8')
  expect([text.includes('// mine'), (JSON.parse(text.replace('// mine', '')) as { models: unknown }).models]).toEqual([
    true,
    [
      { provider: 'ollama', model: 'a' },
      { provider: 'ollama', model: 'qwen3:4b' },
    ],
  ])
})

async function serve(body: string, status = 200): Promise<string> {
  const server = createServer((_, response) => void response.writeHead(status).end(body))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
}

test('servers on this computer are found by their lists of models; what else answers there is none', async () => {
  const places = new Map([
    ['ollama', await serve('{"data":[{"id":"qwen3:4b"},{"id":7},{"id":"\\u001b[2J"},{"id":""}]}')],
    ['lmstudio', await serve('<html>')],
    ['llamacpp', await serve('{"data":[]}', 404)],
    ['flood', await serve(`{"data":["${'x'.repeat(2 * 1024 * 1024)}"]}`)],
    ['docker', 'http://127.0.0.1:1/v1'],
  ])

  expect(await findLocalServers({ places })).toEqual([{ provider: 'ollama', baseUrl: places.get('ollama'), models: ['qwen3:4b'] }])
})

test('a key comes from a command, without a shell, and no fault tells what the command said', async () => {
  const key = (...args: string[]): Promise<string> => readKey({ kind: 'command', program: process.execPath, args }, {})
  const failures = await Promise.all(
    [key('-e', 'console.error("sk-secret"); process.exit(1)'), key('-e', ''), readKey({ kind: 'command', program: 'no-such-program', args: [] }, {})].map(
      (read) => read.catch((error: unknown) => error),
    ),
  )

  expect(await key('-e', 'console.log("sk-1$HOME"); console.log("more")')).toBe('sk-1$HOME')
  expect(failures.map((error) => (error as Error).message)).toEqual([
    'A model cannot be asked without its key: the command for this key failed: run it by hand to see why',
    'A model cannot be asked without its key: the command for this key printed nothing',
    'A model cannot be asked without its key: the command for this key is not there: run it by hand to see why',
  ])
})

test('usage says who spent what of which model, and what nobody knows the price of', async () => {
  await inStore(async (store) => {
    const spending = new StoredSpending({ store })
    const booking = { kind: 'sampling', rule: '', server: 'travel', run: 'r', model: 'lab:a', tokens: 100, cost: 0.5 } as const
    const id = await spending.book(booking, [], Date.now(), () => undefined)
    await spending.settle(id, { tokens: 30, cost: 0.03, output: 10 })
    await spending.book({ ...booking, server: 'notes', cost: undefined }, [], Date.now(), () => undefined)
    const [failed, unpriced] = [
      await spending.book({ ...booking, server: 'notes' }, [], Date.now(), () => undefined),
      await spending.book({ ...booking, server: 'notes', cost: undefined }, [], Date.now(), () => undefined),
    ]
    await spending.settle(failed, { tokens: 0, cost: 0 })
    await spending.settle(unpriced, { tokens: 30, cost: undefined, output: 10 })
    await spending.book({ ...booking, server: 'old' }, [], Date.now() - 20 * 86_400_000, () => undefined)
  })
  const today = new Date().toLocaleDateString('sv')

  expect((await consentry('usage')).out).toBe(
    [
      `${today}  notes  lab:a  3 requests (2 without an answer), 130 tokens (10 answered), price of 2 unknown`,
      `${today}  travel  lab:a  1 request, 30 tokens (10 answered), USD 0.03`,
      'all together  4 requests (2 without an answer), 160 tokens (20 answered), USD 0.03 and 2 of unknown price',
      '',
    ].join('\n'),
  )
  expect(JSON.parse((await consentry('usage', '--days', '30', '--server', 'old', '--json')).out)).toMatchObject([{ server: 'old', requests: 1, tokens: 100 }])
  expect((await consentry('usage', '--days', 'many')).code).toBe(2)
})

test('what was remembered about model requests is listed, and revoked by the beginning of its id', async () => {
  let id = 0
  await inStore(async (store) => {
    const grants = new Grants({ store, now: () => Date.UTC(2026, 10, 30), newId: () => `${(id += 1)}000-grant` })
    await grants.add(travel, { kind: 'sampling', details: { says: 'allow', skip: 'both' } })
    await grants.add(travel, { kind: 'sampling', details: { says: 'deny', skip: 'both' }, expiresAt: Date.UTC(2099, 0, 1) })
    await grants.add(travel, { kind: 'roots', details: { path: '/w' } })
  })

  expect((await consentry('models', 'grants')).out.split('\n').toSorted()).toEqual([
    '',
    '1000-gra  travel  may ask models without showing the prompt and answer  since 2026-11-30, until it is revoked',
    '2000-gra  travel  is never given a model  since 2026-11-30, until 2099-01-01',
  ])
  expect((await consentry('models', 'grants', 'revoke', '1000')).code).toBe(0)
  expect((await consentry('models', 'grants', 'revoke', '3000')).code).toBe(2)
  expect(JSON.parse((await consentry('models', 'grants', '--json')).out)).toMatchObject([{ id: '2000-grant' }])
})

test('a model that cannot answer yet is added, with what is missing and what to do next', async () => {
  const server = createServer((_request, response) => response.end(JSON.stringify({ data: [{ id: 'tiny' }] })))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const ended = createServer()
  await new Promise<void>((resolve) => ended.listen(0, '127.0.0.1', resolve))
  const nobody = `127.0.0.1:${(ended.address() as AddressInfo).port}`
  await new Promise((resolve) => ended.close(resolve))

  const there = await consentry('models', 'add', 'lab:tiny', '--base-url', `http://${host}/v1`)
  const other = await consentry('models', 'add', 'lab:huge', '--base-url', `http://${host}/v1`)
  const off = await consentry('models', 'add', 'lab:off', '--base-url', `http://${nobody}/v1`)
  const keyless = await consentry('models', 'add', 'anthropic:claude-sonnet-5')

  expect([there.out, there.err]).toEqual(['lab:tiny may answer model requests now, after you have seen each.\n', ''])
  expect(other.out).toContain(`cannot yet.\nThe program at ${host} does not have it. It has tiny.`)
  expect(off.out).toContain(`cannot yet.\nNothing that has models answers at ${nobody}: start the program that has it`)
  expect(keyless.out).toContain('cannot yet.\nIt has no key yet: set ANTHROPIC_API_KEY, or store one with "consentry models key anthropic"')
  expect([there, other, off, keyless].map(({ code }) => code)).toEqual([0, 0, 0, 0])
})
