import { spawn } from 'node:child_process'
import { chmodSync, readdirSync, readFileSync, statSync, utimesSync, watch, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { connect } from '../../src/mcp/index.ts'
import { readJsonc } from '../../src/policy/index.ts'
import type { JsonObject } from '../../src/protocol/index.ts'
import { FakeSession } from '../fixtures/fake-session.ts'
import { HttpPeer } from '../fixtures/http-peer.ts'
import { filesystem, node, peer, program, Workplace, type Run } from '../fixtures/program.ts'

const LONG = 240_000

interface Entry {
  readonly command: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

interface Report {
  readonly ok: boolean
  readonly files: readonly {
    readonly client: string
    readonly file: string
    readonly state: string
    readonly why?: string
    readonly backup?: string
    readonly servers: readonly { readonly name: string; readonly state: string; readonly tried?: string; readonly why?: string }[]
  }[]
}

const environment = { PATH: dirname(node) }
const server = (options: object = {}): object => ({ command: 'node', args: [peer, JSON.stringify(options)] })
const words = (name: string): readonly string[] => [program, 'wrap', '--name', name, '--path', dirname(node), '--', 'node']

const run = (place: Workplace, ...args: readonly string[]): Promise<Run> => place.run(args, { environment })
const report = async (place: Workplace, ...args: readonly string[]): Promise<Report & { readonly code: number | null }> => {
  const { stdout, code } = await run(place, ...args, '--json')
  return { ...(JSON.parse(stdout) as Report), code }
}
const states = ({ files }: Report): readonly string[] => files.flatMap(({ servers }) => servers.map(({ name, state }) => `${name} ${state}`))
const entryIn = (place: Workplace, file: string, key: string, name: string): Entry => {
  const { value } = readJsonc(place.read(file), file, 'CONFIG_INVALID')
  return JSON.parse(JSON.stringify((value as JsonObject & Record<string, Record<string, JsonObject>>)[key]![name])) as Entry
}

test(
  'a newcomer wraps the servers of four clients, sees it, uses one with an empty PATH, and has every byte back',
  async () => {
    const place = new Workplace()
    place.write('folder/a.txt', 'hello')
    const files = {
      '.config/Claude/claude_desktop_config.json': `{\n\t// mine\n\t"mcpServers": {\n\t\t"fs": {\n\t\t\t"command": "node",\n\t\t\t"args": [${JSON.stringify(filesystem)}, ${JSON.stringify(join(place.folder, 'folder'))}]\n\t\t},\n\t},\n}\n`,
      '.claude.json': JSON.stringify({ mcpServers: { one: server() }, projects: { [place.folder]: { mcpServers: { two: server() } } } }),
      '.cursor/mcp.json': `\uFEFF${JSON.stringify({ mcpServers: { three: { ...server(), env: { A: '1' } } } })}`,
      '.vscode/mcp.json': `{\r\n  "inputs": [{ "id": "key" }],\r\n  "servers": {\r\n    "four": {\r\n      "type": "stdio",\r\n      "command": "node",\r\n      "args": ["x.js"],\r\n      "env": { "KEY": "\${input:key}" }\r\n    }\r\n  }\r\n}\r\n`,
    }
    for (const [name, text] of Object.entries(files)) place.write(name, text)
    chmodSync(join(place.folder, '.claude.json'), 0o600)

    const installed = await report(place, 'install', '--yes')
    expect([installed.code, installed.ok, states(installed)]).toEqual([0, true, ['fs wrapped', 'one wrapped', 'two wrapped', 'three wrapped', 'four wrapped']])
    expect(installed.files.flatMap(({ servers }) => servers.map(({ tried }) => tried))).toEqual(['server', 'server', 'server', 'server', 'words'])
    expect(entryIn(place, '.vscode/mcp.json', 'servers', 'four')).toEqual({
      type: 'stdio',
      command: node,
      args: [...words('four'), 'x.js'],
      env: { KEY: '${input:key}' },
    })
    expect([statSync(join(place.folder, '.claude.json')).mode & 0o777, entryIn(place, '.cursor/mcp.json', 'mcpServers', 'three').env]).toEqual([
      0o600,
      { A: '1' },
    ])
    expect(place.state().filter((line) => !/^(?:700|600) |^700$/.test(line))).toEqual([])

    const written = Object.keys(files).map((name) => place.read(name))
    expect([states(await report(place, 'install', '--yes')), Object.keys(files).map((name) => place.read(name))]).toEqual([
      ['fs already', 'one already', 'two already', 'three already', 'four already'],
      written,
    ])
    const { stdout } = await run(place, 'status')
    expect(stdout.match(/: wrapped by this program/g)).toHaveLength(5)

    expect(await readThrough(entryIn(place, '.config/Claude/claude_desktop_config.json', 'mcpServers', 'fs'), place, join(place.folder, 'folder/a.txt'))).toBe(
      'hello',
    )

    const back = await report(place, 'uninstall', '--yes')
    expect([back.code, Object.fromEntries(Object.keys(files).map((name) => [name, place.read(name)]))]).toEqual([0, files])
  },
  LONG,
)

/** Uses an entry as a client would that has no PATH; no desk is started for it. */
async function readThrough({ command, args, env = {} }: Entry, place: Workplace, path: string): Promise<unknown> {
  const session = new FakeSession()
  const target = {
    kind: 'stdio' as const,
    command,
    args: args.toSpliced(2, 0, '--no-desk'),
    env: { PATH: '', HOME: place.folder, CONSENTRY_HOME: place.home, ...env },
    cwd: place.folder,
  }
  const connection = await connect({ target, session })
  try {
    const { content } = (await connection.callTool({ name: 'read_text_file', arguments: { path } })) as {
      readonly content?: readonly { readonly text: string }[]
    }
    return content?.[0]?.text
  } finally {
    await connection.close()
  }
}

test(
  'nothing is written without a yes, and nothing is started',
  async () => {
    const place = new Workplace()
    const text = JSON.stringify({ mcpServers: { one: server({ record: join(place.folder, 'started') }) } })
    const file = place.write('mcp.json', text)

    const dry = await run(place, 'install', '--config', file, '--dry-run')
    const unasked = await run(place, 'install', '--config', file)

    expect([dry.code, unasked.code, place.read('mcp.json'), place.has('started'), place.state()]).toEqual([0, 2, text, false, []])
    expect(dry.stdout).toContain(`+{"mcpServers":{"one":{"command":"${node}","args":["${program}", "wrap", "--name", "one"`)
    expect([unasked.stdout, unasked.stderr].join('')).toMatch(/\+\{"mcpServers"[^]*--yes/)
  },
  LONG,
)

test(
  'one broken file, one broken server and one that nobody can wrap keep no other back, and are said',
  async () => {
    const place = new Workplace()
    const broken = '{\n  "mcpServers": {\n    "a": nothing\n  }\n}\n'
    place.write('.cursor/mcp.json', broken)
    place.write('.mcp.json', {
      mcpServers: {
        good: server(),
        dead: server({ exitAtStart: 3 }),
        lost: { command: 'node', args: ['/nope/server.js'] },
        gone: { command: 'no-such-program' },
        old: { type: 'sse', url: 'https://x.example' },
      },
    })

    const installed = await report(place, 'install', '--yes')

    expect([installed.code, installed.ok, states(installed)]).toEqual([2, false, ['good wrapped', 'dead failed', 'lost failed', 'gone left', 'old left']])
    expect(installed.files.map(({ state, why }) => [state, why?.replace(place.folder, '')])).toEqual([
      ['changed', undefined],
      ['refused', '/.cursor/mcp.json:3:10 this is neither a value nor a key in double quotes'],
    ])
    const whyOf = (server: string): string | undefined => installed.files[0]!.servers.find(({ name }) => name === server)!.why
    expect(whyOf('dead')).toContain('cannot start: no database')
    // Node's words, and none of the wrap before it.
    expect(whyOf('lost')).toMatch(/It said last: Error: Cannot find module '\/nope\/server.js'/)
    expect([whyOf('dead'), whyOf('lost')].join()).not.toContain('consentry:')
    expect([place.read('.cursor/mcp.json'), entryIn(place, '.mcp.json', 'mcpServers', 'dead')]).toEqual([broken, server({ exitAtStart: 3 })])
  },
  LONG,
)

test(
  'only what is named is wrapped, and what is not there is said before anything is done',
  async () => {
    const place = new Workplace()
    place.write('.cursor/mcp.json', { mcpServers: { one: server(), two: server() } })

    const [missing, unknown, absent] = [
      await run(place, 'install', 'three', '--yes'),
      await run(place, 'install', '--client', 'emacs', '--yes'),
      await run(place, 'install', '--config', 'none.json', '--yes'),
    ]
    expect([missing, unknown, absent].map(({ code }) => code)).toEqual([2, 2, 2])
    expect([missing.stderr, unknown.stderr, absent.stderr].join('\n')).toMatch(/no server "three"[^]*--client does not know "emacs"[^]*there is no file/)

    expect(states(await report(place, 'install', 'two', '--yes'))).toEqual(['two wrapped'])
    expect(entryIn(place, '.cursor/mcp.json', 'mcpServers', 'one')).toEqual(server())
  },
  LONG,
)

test(
  'a file that its client changes while servers are tried stays as the client left it',
  async () => {
    const place = new Workplace()
    const file = join(place.folder, 'mcp.json')
    const meddle = `require('node:fs').appendFileSync(${JSON.stringify(file)}, ' '); import(${JSON.stringify(pathToFileURL(peer).href)})`
    const text = JSON.stringify({ mcpServers: { meddler: { command: 'node', args: ['-e', meddle] } } })
    place.write('mcp.json', text)

    const installed = await report(place, 'install', '--config', file, '--yes')

    expect([installed.code, states(installed), place.read('mcp.json')]).toEqual([1, ['meddler left'], `${text} `])
  },
  LONG,
)

test(
  'headers of a server at an address reach it through the environment, and never stand among the words',
  async () => {
    const place = new Workplace()
    const http = new HttpPeer()
    http.onExchange = (exchange) => {
      const { body, response } = exchange
      if (body?.id === undefined) return void response.writeHead(body ? 202 : 405).end()
      if (body.method !== 'initialize') return exchange.json({ id: body.id, error: { code: -32601, message: 'no' } })
      return exchange.json({ id: body.id, result: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'notes', version: '1' } } })
    }
    const url = await http.start()
    onTestFinished(() => http.close())
    const before = `{"mcpServers":{"notes":{"type":"http","url":${JSON.stringify(url)},"headers":{"Authorization":"Bearer \${NOTES_TOKEN}"}}}}`
    const file = place.write('mcp.json', before)
    const given = { environment: { ...environment, NOTES_TOKEN: 'secret' } }

    const installed = await place.run(['install', '--config', file, '--yes', '--json'], given)

    expect([installed.code, entryIn(place, 'mcp.json', 'mcpServers', 'notes')]).toEqual([
      0,
      {
        type: 'stdio',
        command: node,
        args: [program, 'wrap', '--name', 'notes', '--url', url, '--header-env', 'Authorization=CONSENTRY_HEADER_AUTHORIZATION'],
        env: { CONSENTRY_HEADER_AUTHORIZATION: 'Bearer ${NOTES_TOKEN}' },
      },
    ])
    expect(new Set(http.seen.map(({ headers }) => headers.authorization))).toEqual(new Set(['Bearer secret']))
    await place.run(['uninstall', '--config', file, '--yes'], given)
    expect(place.read('mcp.json')).toBe(before)
  },
  LONG,
)

test(
  'what was added to a file since stays when the words are taken out, also where the record is lost',
  async () => {
    const place = new Workplace()
    const file = place.write('mcp.json', '{"servers":{"one":{"command":"node","args":["x.js"]}}}')
    const add = (text: string): void => writeFileSync(file, place.read('mcp.json').replace(/\}\}$/, text))
    const takeOut = async (): Promise<string> => {
      await run(place, 'uninstall', '--config', file, '--yes')
      return place.read('mcp.json')
    }
    const wrapped = place.read('mcp.json').replace(
      '"node","args":[',
      `${JSON.stringify(node)},"args":[${words('one')
        .map((word) => JSON.stringify(word))
        .join(', ')}, `,
    )
    writeFileSync(file, wrapped)
    add(', "two": {"command":"b"}}}')

    expect(await takeOut()).toBe('{"servers":{"one":{"command":"node","args":["x.js"]}, "two": {"command":"b"}}}')
  },
  LONG,
)

test(
  'what other programs write elsewhere in a file while its servers are wrapped stays, and each server has every byte back',
  async () => {
    const place = new Workplace()
    const before = `\uFEFF{\r\n  // mine\r\n  "mcpServers": {\r\n    "one": { /* first */ "args": [ ${JSON.stringify(peer)}, ], "command": "node" }, // of me\r\n    "two": ${JSON.stringify(server())},\r\n  },\r\n  "theme": "dark",\r\n}\r\n`
    const elsewhere = (text: string): string =>
      text
        .replace('"theme": "dark",', '"theme": "light",\r\n  "startups": 7,')
        .replace('// mine', '// ours')
        .replace('  },\r\n', '    "three": {"command":"b"}\r\n  },\r\n')
    const file = place.write('mcp.json', before)
    const installed = await report(place, 'install', '--config', file, '--yes')
    writeFileSync(file, elsewhere(place.read('mcp.json')))
    const back = await report(place, 'uninstall', '--config', file, '--yes')

    expect([states(installed), back.code, place.read('mcp.json')]).toEqual([['one wrapped', 'two wrapped'], 0, elsewhere(before)])
  },
  LONG,
)

test(
  'a program that is killed while it writes leaves the old file or the new one, and the next run goes on',
  async () => {
    const place = new Workplace()
    const before = JSON.stringify({ mcpServers: { one: server() }, padding: 'x'.repeat(6_000_000) })
    const file = place.write('.cursor/mcp.json', before)
    const child = spawn(node, [program, 'install', '--yes'], {
      cwd: place.folder,
      env: { ...environment, HOME: place.folder, CONSENTRY_HOME: place.home },
      stdio: 'ignore',
    })
    const watcher = watch(dirname(file), (_, name) => name?.endsWith('.new') && child.kill('SIGKILL'))
    await new Promise((resolve) => child.once('exit', resolve))
    watcher.close()

    // Where it was too quick for us, it is the new one, and as whole.
    const left = readFileSync(file, 'utf8')
    expect(left === before || (left.endsWith(before.slice(-6_000_000)) && entryIn(place, '.cursor/mcp.json', 'mcpServers', 'one').command === node)).toBe(true)
    // What it held is let go of after a while, by itself.
    for (const name of readdirSync(dirname(file))) if (name !== 'mcp.json') utimesSync(join(dirname(file), name), 1, 1)
    expect((await run(place, 'install', '--yes')).code).toBe(0)
    expect([place.read('.cursor/mcp.json').length > before.length, readdirSync(dirname(file))]).toEqual([true, ['mcp.json']])
    await run(place, 'uninstall', '--yes')
    expect(place.read('.cursor/mcp.json') === before).toBe(true)
  },
  LONG,
)
