import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { answered, FakeSession } from '../../test/fixtures/fake-session.ts'
import type { JsonObject } from '../protocol/index.ts'
import { connect } from './connect.ts'
import type { ConnectTarget } from './open-channel.ts'
import type { ServerConnection } from './server-connection.ts'

const modules = join(import.meta.dirname, '../../node_modules/@modelcontextprotocol')
const everythingPath = join(modules, 'server-everything/dist/index.js')
const filesystemPath = join(modules, 'server-filesystem/dist/index.js')
const env = { PATH: process.env['PATH'] ?? '' }
const closers: (() => Promise<void>)[] = []
let folder = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'reference-'))
})

afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
  rmSync(folder, { recursive: true, force: true })
})

function answeringSession(): FakeSession {
  const session = new FakeSession()
  session.onAnswer = ({ kind, params }) => {
    if (kind === 'roots') return answered({ roots: [{ uri: pathToFileURL(folder).href, name: 'Trip' }] }, 'rule')
    if (kind === 'sampling') return answered({ role: 'assistant', content: { type: 'text', text: 'Take the 10:05.' }, model: 'person' })
    return answered((params as { mode?: string }).mode === 'url' ? { action: 'accept' } : { action: 'accept', content: { name: 'Ada', check: true } })
  }
  return session
}

async function open(target: ConnectTarget, session: FakeSession): Promise<ServerConnection> {
  const connection = await connect({ target, session })
  closers.push(() => connection.close())
  return connection
}

const everything: ConnectTarget = { kind: 'stdio', command: process.execPath, args: [everythingPath, 'stdio'], env }
const textsOf = (result: JsonObject): string => (result['content'] as readonly { readonly text?: string }[]).map(({ text }) => text).join('\n')

/** server-everything over HTTP, on a port of its own. */
async function startEverything(): Promise<ConnectTarget> {
  const finder = createServer()
  await new Promise<void>((resolve) => finder.listen(0, '127.0.0.1', resolve))
  const { port } = finder.address() as AddressInfo
  await new Promise((resolve) => finder.close(resolve))
  const child = spawn(process.execPath, [everythingPath, 'streamableHttp'], { env: { ...env, PORT: String(port) }, stdio: ['ignore', 'ignore', 'pipe'] })
  closers.push(async () => {
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGKILL')
    await ended
  })
  await new Promise<void>((resolve) => child.stderr.on('data', (chunk: Buffer) => (chunk.includes('listening') ? resolve() : undefined)))
  return { kind: 'http', url: `http://127.0.0.1:${port}/mcp` }
}

test.each(['stdio', 'http'])('server-everything over %s: all three features, raw, with their call named', async (kind) => {
  const session = answeringSession()
  const connection = await open(kind === 'stdio' ? everything : await startEverything(), session)
  const form = textsOf(await connection.callTool({ name: 'trigger-elicitation-request' }))
  const sampled = textsOf(await connection.callTool({ name: 'trigger-sampling-request', arguments: { prompt: 'Which flight?', maxTokens: 50 } }))

  expect({ revision: connection.revision, name: connection.server.name }).toEqual({
    revision: '2025-11-25',
    name: expect.stringContaining('everything') as string,
  })
  expect(form).toContain('Ada')
  expect(sampled).toContain('Take the 10:05.')
  const asked = session.asked.filter(({ kind }) => kind !== 'roots')
  expect(asked.map(({ kind, call }) => [kind, call])).toEqual([
    ['elicitation', { kind: 'tool', name: 'trigger-elicitation-request' }],
    ['sampling', { kind: 'tool', name: 'trigger-sampling-request' }],
  ])
  expect(Object.keys((asked[0]!.params as { requestedSchema: { properties: object } }).requestedSchema.properties)).toHaveLength(13)
})

test('server-everything offers more tools to a client that can answer more', async () => {
  const count = async (can: FakeSession['can']): Promise<number> => {
    const connection = await open(everything, Object.assign(answeringSession(), { can }))
    await expect.poll(async () => (await connection.list('tools')).length, { timeout: 3000 }).toBeGreaterThanOrEqual(12)
    await new Promise((resolve) => setTimeout(resolve, 500))
    return (await connection.list('tools')).length
  }
  const all = { roots: true, form: true, url: true, sampling: true, samplingTools: true }
  const none = { roots: false, form: false, url: false, sampling: false, samplingTools: false }

  expect(await Promise.all([count(all), count(none)])).toEqual([17, 13])
})

test('server-everything: a visit as a request, and as the error -32042 with the call sent again', async () => {
  const session = answeringSession()
  const connection = await open(everything, session)
  const visit = { url: 'https://x.example/a', message: 'Sign in' }
  const asked = textsOf(await connection.callTool({ name: 'trigger-url-elicitation', arguments: visit }))
  const required = textsOf(await connection.callTool({ name: 'trigger-url-elicitation', arguments: { ...visit, errorPath: true } }))

  expect([asked, required].map((text) => text.includes('accept'))).toEqual([true, true])
  expect(session.waits).toHaveLength(1)
})

test('server-filesystem works in the folder that it is told, once it has taken the list in', async () => {
  mkdirSync(join(folder, 'inside'))
  writeFileSync(join(folder, 'inside', 'note.txt'), 'from inside')
  const session = answeringSession()
  const connection = await open({ kind: 'stdio', command: process.execPath, args: [filesystemPath, tmpdir()], env }, session)
  await session.questions(1)
  await new Promise((resolve) => setTimeout(resolve, 100))

  expect(textsOf(await connection.callTool({ name: 'list_allowed_directories' }))).toContain(folder)
  expect(textsOf(await connection.callTool({ name: 'read_text_file', arguments: { path: join(folder, 'inside', 'note.txt') } }))).toBe('from inside')
})

test('server-filesystem hears of folders that change', async () => {
  const session = answeringSession()
  await open({ kind: 'stdio', command: process.execPath, args: [filesystemPath, tmpdir()], env }, session)
  await session.questions(1)
  session.emit('roots-changed')
  await session.questions(2)

  expect(session.asked.map(({ kind }) => kind)).toEqual(['roots', 'roots'])
})
