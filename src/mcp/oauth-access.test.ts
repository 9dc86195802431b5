import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemClock } from './clock.ts'
import { HttpTransport } from './http-transport.ts'
import { OAuthAccess, type SignInNeeds } from './oauth-access.ts'

/** A server that wants a token, and who gives it: both at one address. */
class Guarded {
  readonly registered: Record<string, unknown>[] = []
  readonly grants: string[] = []
  readonly seen: string[] = []
  readonly leaked: string[] = []
  valid = new Set<string>()
  refusesRefresh = false
  authorizationPage: string | undefined
  #tokens = 0
  readonly #server = createServer((request, response) => void this.#receive(request, response))

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return this.origin
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += String(chunk)
    const json = (value: object, status = 200): void => void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    const path = request.url!
    if (path !== '/mcp' && request.headers['x-secret'] !== undefined) this.leaked.push(path)
    const { origin } = this
    if (path === '/mcp') {
      const token = request.headers.authorization?.replace('Bearer ', '')
      this.seen.push(token ?? 'none')
      if (token === undefined || !this.valid.has(token))
        return void response
          .writeHead(401, { 'www-authenticate': `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource", scope="tools"` })
          .end()
      return json({ jsonrpc: '2.0', id: 1, result: {} })
    }
    if (path.startsWith('/.well-known/oauth-protected-resource')) return json({ resource: `${origin}/mcp`, authorization_servers: [origin] })
    if (path.startsWith('/.well-known/'))
      return json({
        issuer: origin,
        authorization_endpoint: this.authorizationPage ?? `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        registration_endpoint: `${origin}/register`,
        response_types_supported: ['code'],
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['none'],
      })
    if (path === '/register') {
      this.registered.push(JSON.parse(body) as Record<string, unknown>)
      return json({ ...(JSON.parse(body) as object), client_id: `client-${this.registered.length}` }, 201)
    }
    if (path === '/token') {
      const grant = new URLSearchParams(body)
      this.grants.push(grant.get('grant_type')!)
      if (grant.get('grant_type') === 'refresh_token' && this.refusesRefresh) return json({ error: 'invalid_grant' }, 400)
      const access = `token-${(this.#tokens += 1)}`
      this.valid = new Set([access])
      return json({ access_token: access, token_type: 'Bearer', refresh_token: 'again' })
    }
    response.writeHead(404).end()
  }
}

let guarded: Guarded
let pages: URL[]
let kept: string | undefined
/** What the browser comes back with, by the state in the page. */
let bringBack: (page: URL) => Record<string, string>
beforeEach(async () => {
  guarded = new Guarded()
  await guarded.start()
  pages = []
  kept = undefined
  bringBack = (page) => ({ code: 'code', state: page.searchParams.get('state')! })
})
afterEach(() => guarded.close())

const needs = (): SignInNeeds => ({
  secrets: {
    read: () => Promise.resolve(kept),
    write: (text) => {
      kept = text
      return Promise.resolve()
    },
  },
  listen: (url) =>
    Promise.resolve({
      url: url ?? 'http://127.0.0.1:1234/callback',
      wait: () => Promise.resolve(new URLSearchParams(bringBack(pages.at(-1)!))),
      close: () => undefined,
    }),
  show: (page) => pages.push(new URL(page)),
  newSecret: () => 'a-secret-state',
  clock: systemClock,
})

async function ask(access: OAuthAccess): Promise<void> {
  const transport = new HttpTransport({ url: `${guarded.origin}/mcp`, headers: { 'x-secret': 'for the server alone' }, access })
  await transport.start()
  try {
    await transport.send({ jsonrpc: '2.0', id: 1, method: 'ping' })
  } finally {
    await transport.close()
  }
}

test('a person signs in once: everything after that goes with the token, also in the next run', async () => {
  const access = new OAuthAccess(needs())
  await Promise.all([ask(access), ask(access)])
  await ask(new OAuthAccess(needs()))
  const { searchParams } = pages[0]!

  expect([pages.length, guarded.registered.length, guarded.grants]).toEqual([1, 1, ['authorization_code']])
  expect(['state', 'redirect_uri', 'code_challenge_method', 'scope', 'resource'].map((name) => searchParams.get(name))).toEqual([
    'a-secret-state',
    'http://127.0.0.1:1234/callback',
    'S256',
    'tools',
    `${guarded.origin}/mcp`,
  ])
  expect([guarded.seen.at(-1), guarded.leaked]).toEqual(['token-1', []])
})

test('a token that is over is refreshed without a word; where that is refused, a person signs in again', async () => {
  await ask(new OAuthAccess(needs()))
  guarded.valid.clear()
  await ask(new OAuthAccess(needs()))
  const afterRefresh = pages.length
  guarded.valid.clear()
  guarded.refusesRefresh = true
  await ask(new OAuthAccess(needs()))

  expect([afterRefresh, pages.length, guarded.grants]).toEqual([1, 2, ['authorization_code', 'refresh_token', 'refresh_token', 'authorization_code']])
})

test.each([
  ['the person refuses', () => (bringBack = () => ({ error: 'access_denied' })), 'The sign-in was refused: access_denied'],
  [
    'the page is not https',
    () => (guarded.authorizationPage = 'http://login.example/authorize'),
    'The server wants somebody to sign in at an address that is not https: http://login.example',
  ],
])('nobody gets in, and the reason is said: %s', async (_, arrange, message) => {
  arrange()
  await expect(ask(new OAuthAccess(needs()))).rejects.toMatchObject({ code: 'SERVER_UNREACHABLE', message })
})
