import {
  auth,
  extractResourceMetadataUrl,
  type AuthProvider,
  type OAuthClientMetadata,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
} from '@modelcontextprotocol/client'
import { ConsentryError } from '../errors.ts'
import { isJsonObject } from '../protocol/index.ts'
import type { Clock } from './clock.ts'
import { patientFetch } from './patient-fetch.ts'

/** Where the browser comes back to after a person has signed in. */
export interface SignInReturn {
  /** An address on this machine. */
  readonly url: string
  /** Resolves with what the browser brings for this state; whatever else comes is sent away. */
  wait(state: string, signal: AbortSignal): Promise<URLSearchParams>
  /** Safe to call twice. */
  close(): void
}

export interface SignInNeeds {
  /** Keeps one text, secret. */
  readonly secrets: { read(): Promise<string | undefined>; write(text: string): Promise<void> }
  /** @param url where the browser came back to last time: the same again, if it is free */
  readonly listen: (url: string | undefined) => Promise<SignInReturn>
  /** Shows a page to the person: https, or on this machine. */
  readonly show: (page: string) => void
  readonly newSecret: () => string
  readonly clock: Clock
}

/** What is kept of one server. */
interface Kept {
  readonly client?: StoredOAuthClientInformation | undefined
  readonly tokens?: StoredOAuthTokens | undefined
  /** Where the client said that its browser comes back to. */
  readonly returnUrl?: string | undefined
}

type AuthOptions = Parameters<typeof auth>[1]
type UnauthorizedContext = Parameters<NonNullable<AuthProvider['onUnauthorized']>>[0]

/** A person signs in within so many milliseconds, or not at all. */
const patienceMs = 300_000

/**
 * Gets and keeps what lets us in at a server: tokens are refreshed without a word; where that is not enough a person signs in with a browser.
 *
 * Requests that are refused meanwhile wait for the same sign-in. What we send to others than the server carries none of its headers.
 * @see MCP 2025-11-25 basic/authorization
 */
export class OAuthAccess implements AuthProvider {
  readonly #needs: SignInNeeds
  #kept: Promise<Kept> | undefined
  #signingIn: Promise<void> | undefined

  constructor(needs: SignInNeeds) {
    this.#needs = needs
  }

  async token(): Promise<string | undefined> {
    return (await this.#read()).tokens?.access_token
  }

  /** @throws ConsentryError `SERVER_UNREACHABLE` where nobody signed in, or the server has no sign-in */
  onUnauthorized(context: UnauthorizedContext): Promise<void> {
    this.#signingIn ??= this.#signIn(context).finally(() => (this.#signingIn = undefined))
    return this.#signingIn
  }

  async #signIn({ response, serverUrl }: UnauthorizedContext): Promise<void> {
    const resourceMetadataUrl = extractResourceMetadataUrl(response)
    const scope = scopeOf(response)
    const about: AuthOptions = { serverUrl, fetchFn: patientFetch, ...(resourceMetadataUrl && { resourceMetadataUrl }), ...(scope !== undefined && { scope }) }
    const kept = await this.#read()
    try {
      if (kept.tokens?.refresh_token !== undefined && kept.returnUrl !== undefined && (await this.#refresh(kept.returnUrl, about))) return
      await this.#askPerson(kept, about)
    } catch (error) {
      if (error instanceof ConsentryError) throw error
      throw new ConsentryError('SERVER_UNREACHABLE', `The server wants somebody to sign in, and that failed: ${wordsOf(error)}`, { cause: error })
    }
  }

  /** @returns false where only a person can help */
  async #refresh(returnUrl: string, about: AuthOptions): Promise<boolean> {
    const client = new OAuthClient(returnUrl, this.#needs.newSecret(), this)
    return (await auth(client, about)) === 'AUTHORIZED'
  }

  async #askPerson(kept: Kept, about: AuthOptions): Promise<void> {
    const { listen, show, newSecret, clock } = this.#needs
    const back = await listen(kept.returnUrl)
    // A client is registered with the address that it comes back to.
    if (back.url !== kept.returnUrl) await this.keep({ client: undefined, tokens: undefined, returnUrl: back.url })
    const tooLate = new AbortController()
    const stopWaiting = clock.after(patienceMs, () => tooLate.abort())
    try {
      const client = new OAuthClient(back.url, newSecret(), this)
      if ((await auth(client, about)) === 'AUTHORIZED') return
      show(pageOf(client.page))
      const brought = await back.wait(client.secretState, tooLate.signal)
      const code = brought.get('code')
      if (code === null)
        throw new ConsentryError('SERVER_UNREACHABLE', `The sign-in was refused: ${(brought.get('error') ?? 'without a reason').slice(0, 100)}`)
      const issuer = brought.get('iss')
      await auth(client, { ...about, authorizationCode: code, ...(issuer !== null && { iss: issuer }) })
    } catch (error) {
      throw tooLate.signal.aborted ? new ConsentryError('SERVER_UNREACHABLE', 'Nobody signed in within five minutes', { cause: error }) : error
    } finally {
      stopWaiting()
      back.close()
    }
  }

  /** For the client of one sign-in. */
  async keep(change: Kept): Promise<void> {
    const kept = { ...(await this.#read()), ...change }
    this.#kept = Promise.resolve(kept)
    await this.#needs.secrets.write(JSON.stringify(kept))
  }

  read(): Promise<Kept> {
    return this.#read()
  }

  #read(): Promise<Kept> {
    this.#kept ??= this.#needs.secrets.read().then(parse)
    return this.#kept
  }
}

/** What the SDK asks of whoever signs in, for one time. */
class OAuthClient implements OAuthClientProvider {
  readonly redirectUrl: string
  readonly secretState: string
  readonly #access: OAuthAccess
  /** The page that the person has to see. */
  page: URL | undefined
  #verifier = ''
  #discovery: OAuthDiscoveryState | undefined

  constructor(redirectUrl: string, secretState: string, access: OAuthAccess) {
    this.redirectUrl = redirectUrl
    this.secretState = secretState
    this.#access = access
  }

  get clientMetadata(): OAuthClientMetadata {
    return {
      client_name: 'Consentry',
      redirect_uris: [this.redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    }
  }

  state(): string {
    return this.secretState
  }

  async clientInformation(): Promise<StoredOAuthClientInformation | undefined> {
    return (await this.#access.read()).client
  }

  saveClientInformation(client: StoredOAuthClientInformation): Promise<void> {
    return this.#access.keep({ client })
  }

  async tokens(): Promise<StoredOAuthTokens | undefined> {
    return (await this.#access.read()).tokens
  }

  saveTokens(tokens: StoredOAuthTokens): Promise<void> {
    return this.#access.keep({ tokens })
  }

  redirectToAuthorization(page: URL): void {
    this.page = page
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier
  }

  codeVerifier(): string {
    return this.#verifier
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#discovery
  }

  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.#discovery = state
  }

  async invalidateCredentials(scope: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery'): Promise<void> {
    if (scope === 'all' || scope === 'client') await this.#access.keep({ client: undefined })
    if (scope === 'all' || scope === 'tokens') await this.#access.keep({ tokens: undefined })
  }
}

/** A server may name any page: only one that nobody else can put in its place is shown. */
function pageOf(page: URL | undefined): string {
  if (page === undefined) throw new ConsentryError('SERVER_UNREACHABLE', 'The server wants somebody to sign in, and names no page')
  const isHere = page.protocol === 'http:' && ['127.0.0.1', 'localhost', '[::1]'].includes(page.hostname)
  if (page.protocol !== 'https:' && !isHere)
    throw new ConsentryError('SERVER_UNREACHABLE', `The server wants somebody to sign in at an address that is not https: ${page.origin.slice(0, 200)}`)
  return page.href
}

function scopeOf(response: Response): string | undefined {
  return /\bscope="([^"]*)"/.exec(response.headers.get('www-authenticate') ?? '')?.[1]
}

function parse(text: string | undefined): Kept {
  try {
    const value: unknown = JSON.parse(text ?? '{}')
    return isJsonObject(value) ? value : {}
  } catch {
    return {}
  }
}

function wordsOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 300)
}
