import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { planInstall, recordInstall } from '../../clients/index.ts'
import type { Place } from '../place.ts'
import { changeFiles } from './change-files.ts'
import { candidateAt, readFiles } from './find-files.ts'
import { runUninstall } from './install.ts'
import { lookAtClients } from './look-at-clients.ts'
import { changeRecord, readRecord } from './keep-record.ts'

interface Desk {
  readonly place: Place
  readonly file: string
  /** What was printed. */
  readonly said: () => string
}

/** A file of Cursor, and a state folder. */
function begin(text: string): Desk {
  const folder = mkdtempSync(join(tmpdir(), 'consentry-install-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, '.cursor'))
  const file = join(folder, '.cursor', 'mcp.json')
  writeFileSync(file, text)
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  const place: Place = {
    environment: { HOME: folder, CONSENTRY_HOME: join(folder, 'state') },
    cwd: folder,
    platform: process.platform,
    interrupted: new AbortController().signal,
    stdin: new PassThrough(),
    stdout,
    stderr,
  }
  return { place, file, said: () => `${String(stdout.read() ?? '')}${String(stderr.read() ?? '')}` }
}

const uninstall = ({ place }: Desk): Promise<number> => runUninstall({ servers: [], client: ['cursor'], config: [], yes: true }, place)
const wrapper = { node: process.execPath, program: '/opt/consentry/dist/cli/main.js' }

test('uninstall says that an entry is free only where it is, names its client and its file, and fails where one still leads to us', async () => {
  const desk = begin(`{"mcpServers":{
    "free": {"command":"consentry","args":["wrap","--","npx","consentry","wrap","--","a"]},
    "half": {"command":"consentry","args":["wrap","--","mcp-proxy","--","npx","consentry","wrap","--","a"]},
    "kept": {"command":"mcp-proxy","args":["--","npx","consentry","wrap","--","a"]}
  }}`)
  const code = await uninstall(desk)
  const said = desk.said()

  expect([code, readFileSync(desk.file, 'utf8')]).toEqual([
    1,
    `{"mcpServers":{
    "free": {"command":"a","args":[]},
    "half": {"command":"mcp-proxy","args":["--","npx","consentry","wrap","--","a"]},
    "kept": {"command":"mcp-proxy","args":["--","npx","consentry","wrap","--","a"]}
  }}`,
  ])
  expect(said).toContain(`free in Cursor, ${desk.file}: without us again`)
  expect(said).toContain(`half in Cursor, ${desk.file}: NOT without us: consentry stands behind another program there`)
  expect(said).toContain('kept: left as it is: consentry stands behind another program there')
  expect(await uninstall(desk)).toBe(1)
})

test('what was recorded of an entry that was wrapped before is not given back with our words in it', async () => {
  const before = '{"command":"/usr/bin/node","args":["/old/consentry/dist/cli/main.js","wrap","--name","a","--","a","b"]}'
  const after = before.replace('/old/', '/new/')
  const desk = begin(`{"mcpServers":{"a":${after}}}`)
  await changeRecord(desk.file, () => [{ path: ['mcpServers', 'a'], before, after }], desk.place)

  expect([await uninstall(desk), readFileSync(desk.file, 'utf8'), await readRecord(desk.place)]).toEqual([
    0,
    '{"mcpServers":{"a":{"command":"a","args":["b"]}}}',
    new Map(),
  ])
})

test('of two installs at once, what the one that comes too late would have written is not recorded, and what the other wrote is', async () => {
  const text = '{"mcpServers":{"one":{"httpUrl":"https://n.example/"},"two":{"serverUrl":"https://n.example/"}}}'
  const desk = begin(text)
  const install = async (name: string): Promise<number> => {
    const files = await readFiles([candidateAt(desk.file, desk.place)])
    return changeFiles(
      files,
      {
        command: 'install',
        plan: ({ document }) => planInstall(document, { wrapper, names: new Set([name]), pathFor: () => undefined }),
        before: ({ found, plans }) => changeRecord(found.read.real, (before) => recordInstall(before, plans, found.document), desk.place),
      },
      { yes: true },
      desk.place,
    )
  }
  const codes = await Promise.all([install('one'), install('two')])
  const winner = codes[0] === 0 ? 'one' : 'two'

  expect(new Set(codes)).toEqual(new Set([0, 1]))
  expect((await readRecord(desk.place)).get(desk.file)?.map(({ path }) => path[1])).toEqual([winner])
  expect(desk.said()).toContain(`Cursor, ${desk.file}: another program has changed the file meanwhile`)
  await uninstall(desk)
  expect(readFileSync(desk.file, 'utf8')).toBe(text)
})

test('a server that install would leave alone is not called one to install', async () => {
  const desk = begin('{"mcpServers":{"gone":{"command":"no-such-program"},"":{"command":"a"},"off":{"url":"https://n.example/","disabled":true}}}')
  const [cursor] = await lookAtClients({ client: [], config: [desk.file] }, desk.place)

  expect(cursor!.servers.map(({ name, unfit }) => [name, unfit])).toEqual([
    ['gone', 'there is no program "no-such-program" here'],
    ['', expect.stringContaining('empty name')],
    ['off', undefined],
  ])
})

test('Ctrl-C where it is asked whether to write writes nothing, and ends as the signal does', async () => {
  const text = '{"mcpServers":{"a":{"command":"consentry","args":["wrap","--","a"]}}}'
  const { place, file } = begin(text)
  const [stdin, stderr] = [Object.assign(new PassThrough(), { isTTY: true }), Object.assign(new PassThrough(), { isTTY: true, columns: 80 })]
  stderr.resume()
  // What is typed before somebody can have read the question is not heard.
  const typing = setInterval(() => stdin.write('\u0003'), 200)
  onTestFinished(() => clearInterval(typing))

  const code = await runUninstall({ servers: [], client: ['cursor'], config: [] }, { ...place, stdin, stderr })

  expect([code, readFileSync(file, 'utf8')]).toEqual([130, text])
})
