import { randomBytes } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { systemClock, within } from '../mcp/clock.ts'
import type { SignInNeeds, SignInReturn } from '../mcp/oauth-access.ts'
import { isJsonObject } from '../protocol/index.ts'
import { privateFiles, type PrivateFiles } from '../store/private-files.ts'
import type { Keyring } from './keyring.ts'
import type { Place } from './place.ts'
import { stateFolderOf } from './place.ts'

export interface SignInParts {
  /** One sentence for a person. */
  readonly notice: (sentence: string) => void
  readonly keyring?: (() => Promise<Keyring>) | undefined
  readonly files?: PrivateFiles | undefined
  readonly openPage?: ((page: string) => Promise<unknown>) | undefined
}

const callbackPath = '/callback'
/** A keyring that asks a person who is not there never answers. */
const keyringPatienceMs = 10_000
const thanks = 'Consentry has got what it needs. This window can be closed.'

/** How a person signs in at a server from here: with a browser that comes back to this machine. Tokens are kept in the system's keyring, or in a file for the user alone, which is said. */
export function signInAt(url: string, place: Place, parts: SignInParts): SignInNeeds {
  const { notice, openPage = openWithSystem } = parts
  return {
    secrets: new Secret(`oauth ${url}`, join(stateFolderOf(place), 'tokens.json'), parts),
    listen: listenForReturn,
    show: (page) => {
      notice(`this server wants somebody to sign in. If no browser opens, visit: ${page}`)
      openPage(page).catch(() => undefined)
    },
    newSecret: () => randomBytes(24).toString('base64url'),
    clock: systemClock,
  }
}

/** Whether somebody has signed in at a server from here before; what is kept may have run out meanwhile. */
export async function hasSignedIn(url: string, place: Place, parts: Omit<SignInParts, 'openPage'>): Promise<boolean> {
  const kept = readAll(await signInAt(url, place, parts).secrets.read())
  return isJsonObject(kept['tokens'])
}

/** One text of the keyring, or of a file where there is no keyring that works. */
class Secret {
  readonly #name: string
  readonly #file: string
  readonly #parts: SignInParts

  constructor(name: string, file: string, parts: SignInParts) {
    this.#name = name
    this.#file = file
    this.#parts = parts
  }

  async read(): Promise<string | undefined> {
    const kept = await this.#withKeyring((keyring) => keyring.read(this.#name))
    if (kept !== undefined && kept.value !== undefined) return kept.value
    const text = readAll(await this.#files.read(this.#file))[this.#name]
    return typeof text === 'string' ? text : undefined
  }

  async write(text: string): Promise<void> {
    if (await this.#withKeyring((keyring) => keyring.write(this.#name, text))) return
    await this.#files.rewrite(this.#file, (all) => `${JSON.stringify({ ...readAll(all), [this.#name]: text })}\n`)
    this.#parts.notice(`there is no keyring that works here: the token is kept in ${this.#file}, for you alone`)
  }

  get #files(): PrivateFiles {
    return this.#parts.files ?? privateFiles
  }

  /** @returns undefined where there is none, or none that answers */
  async #withKeyring<Value>(use: (keyring: Keyring) => Promise<Value>): Promise<{ readonly value: Value } | undefined> {
    const load = this.#parts.keyring ?? (async () => (await import('./keyring.ts')).loadKeyring())
    const used = load().then(async (keyring) => ({ value: await use(keyring) }))
    return within(
      systemClock,
      keyringPatienceMs,
      used.catch(() => undefined),
    )
  }
}

function readAll(text: string | undefined): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text ?? '{}')
    return isJsonObject(value) ? value : {}
  } catch {
    return {}
  }
}

/** Waits on this machine for a browser to come back. @param before the address of the last time: the same again, if it is free */
export async function listenForReturn(before: string | undefined): Promise<SignInReturn> {
  const server = createServer()
  const port = before === undefined ? 0 : Number(new URL(before).port)
  await listen(server, port).catch(() => listen(server, 0))
  server.unref()
  let isClosed = false
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${callbackPath}`,
    wait: (state, signal) =>
      new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('nobody came back')), { once: true })
        server.on('request', (request, response) => {
          const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1')
          const isOurs = request.method === 'GET' && pathname === callbackPath && searchParams.get('state') === state
          response.writeHead(isOurs ? 200 : 404, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store', connection: 'close' })
          response.end(isOurs ? thanks : '')
          if (isOurs) resolve(searchParams)
        })
      }),
    close: () => {
      if (isClosed) return
      isClosed = true
      server.close()
      server.closeIdleConnections()
    },
  }
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject)
      resolve()
    })
  })
}

/** Loaded when it is first needed. Where there is no browser it may say nothing: the address was printed. */
async function openWithSystem(page: string): Promise<void> {
  const { default: open } = await import('open')
  const child = await open(page)
  child.on('error', () => undefined)
}
