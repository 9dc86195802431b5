import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { emptyConfig, type ServerEntry } from '../policy/config.ts'
import { identityOf, serversFromConfig, targetOf } from './server-options.ts'

const config = (entries: Record<string, ServerEntry>) => ({ ...emptyConfig, mcpServers: new Map(Object.entries(entries)) })

test('the entries of a config become servers; what is switched off does not', () => {
  const servers = serversFromConfig(
    config({
      travel: { kind: 'stdio', command: 'node', args: ['a b'], env: { LANG: 'C' }, cwd: '/w', disabled: false },
      notes: { kind: 'http', url: 'https://notes.example/mcp', headers: { authorization: 'Bearer ${TOKEN}' }, disabled: false },
      off: { kind: 'stdio', command: 'x', args: [], env: {}, disabled: true },
    }),
    { TOKEN: 's3cret' },
  )

  expect(servers).toEqual([
    { name: 'travel', command: 'node', args: ['a b'], env: { LANG: 'C' }, cwd: '/w' },
    { name: 'notes', url: 'https://notes.example/mcp', headers: { authorization: 'Bearer s3cret' } },
  ])
  expect(servers.map(identityOf)).toEqual([
    { name: 'travel', named: true, target: { kind: 'stdio', command: 'node', args: ['a b'], cwd: '/w' } },
    { name: 'notes', named: true, target: { kind: 'http', url: 'https://notes.example/mcp' } },
  ])
})

test('a server that needs a variable which is not set fails alone', async () => {
  const [good, bad] = serversFromConfig(
    config({
      good: { kind: 'http', url: 'https://x.example', headers: {}, disabled: false },
      bad: { kind: 'stdio', command: 'x', args: [], env: { KEY: '${MISSING}' }, disabled: false },
    }),
    {},
  )

  expect(good).toMatchObject({ url: 'https://x.example' })
  await expect(targetOf(bad!)).rejects.toMatchObject({ code: 'CONFIG_INVALID', message: expect.stringContaining('MISSING') as string })
})

test('a server gets its own variables and the harmless few, and nothing else of ours', async () => {
  const target = await targetOf({ name: 'a', command: 'x', env: { OWN: '1', PATH: '/own' } })
  const env = 'env' in target ? target.env : {}

  expect(env).toMatchObject({ OWN: '1', PATH: '/own' })
  expect(Object.keys(env).filter((name) => !['OWN', 'HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER'].includes(name))).toEqual([])
})

test.each(['sk-SECRET\n', 'sk-\r\nx: SECRET', 'SECRET\0', 'SECRET\u20ac'])(
  'a header that cannot be sent fails its server alone, and is named without its value: %j',
  async (TOKEN) => {
    const [server] = serversFromConfig(
      config({ notes: { kind: 'http', url: 'https://x.example', headers: { Authorization: 'Bearer ${TOKEN}' }, disabled: false } }),
      { TOKEN },
    )
    const error = await targetOf(server!).catch((failure: unknown) => failure)

    expect(error).toMatchObject({ code: 'CONFIG_INVALID', message: expect.stringContaining('mcpServers.notes.headers.Authorization') as string })
    expect(inspect(error)).not.toContain('SECRET')
  },
)
