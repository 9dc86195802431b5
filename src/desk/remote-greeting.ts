import { ConsentryError } from '../errors.ts'
import type { JsonObject } from '../protocol/index.ts'
import type { RemoteChannel } from './remote-channel.ts'

/** What both must speak in common. Raised whenever a message changes its meaning, or a wrap says what an older desk does not know. */
export const remoteVersions: readonly number[] = [3, 2, 1]

export interface Greeting {
  /** What whoever may ask knows: 64 hexadecimal digits. */
  readonly key: string
  /** What we speak. Default: `remoteVersions`. */
  readonly versions?: readonly number[] | undefined
}

/** How a greeting ended for the desk. */
export type GreetingEnd =
  | { readonly outcome: 'welcome'; readonly version: number }
  /** It knows the key, and speaks only what we do not: `newer` than us, or older. */
  | { readonly outcome: 'foreign'; readonly isNewer: boolean }
  | { readonly outcome: 'refused'; readonly why: string }

interface Hello {
  readonly nonce: string
  readonly versions: readonly number[]
}

/**
 * Greets a desk: both prove that they know the key without saying it, and agree on a version. The form of the greeting itself never changes.
 *
 * @throws ConsentryError `DESK_UNREACHABLE` where it is no desk of ours, or one of another version: `data.version` says which
 */
export async function greetDesk(channel: RemoteChannel, { key, versions = remoteVersions }: Greeting): Promise<number> {
  const own: Hello = { nonce: newNonce(), versions }
  channel.send({ hello: 'consentry', ...own })
  const reply = await channel.next()
  const desk = reply && readHello(reply)
  if (!desk || !(await isProof(key, 'desk', own, desk, reply['proof']))) throw lost('what answers at the desk’s place is not the desk')
  channel.send({ proof: await prove(key, 'wrap', own, desk) })
  const end = await channel.next()
  if (end === undefined) throw lost('the desk hung up')
  const version = commonVersion(own, desk)
  if (version !== undefined && end['welcome'] === version) return (channel.version = version)
  const isOlder = Math.max(...desk.versions) < Math.max(...versions)
  const age = isOlder ? 'older' : 'newer'
  throw new ConsentryError('DESK_UNREACHABLE', `the desk that runs is of another version of consentry, ${age} than this one`, { data: { version: age } })
}

/** Greets whoever calls at the desk. */
export async function greetCaller(channel: RemoteChannel, { key, versions = remoteVersions }: Greeting): Promise<GreetingEnd> {
  const message = await channel.next()
  const caller = message && readHello(message)
  if (!caller) return { outcome: 'refused', why: 'it does not say hello' }
  const own: Hello = { nonce: newNonce(), versions }
  channel.send({ hello: 'consentry', ...own, proof: await prove(key, 'desk', caller, own) })
  const answer = await channel.next()
  if (!answer || !(await isProof(key, 'wrap', caller, own, answer['proof']))) return { outcome: 'refused', why: 'it does not know the key' }
  const version = commonVersion(caller, own)
  channel.send({ welcome: version ?? null })
  channel.version = version ?? channel.version
  return version === undefined ? { outcome: 'foreign', isNewer: Math.max(...caller.versions) > Math.max(...versions) } : { outcome: 'welcome', version }
}

function readHello({ hello, nonce, versions }: JsonObject): Hello | undefined {
  if (hello !== 'consentry' || typeof nonce !== 'string' || !/^[0-9a-f]{64}$/.test(nonce)) return undefined
  if (!Array.isArray(versions) || versions.length === 0 || versions.length > 16 || !versions.every(Number.isSafeInteger)) return undefined
  return { nonce, versions: versions as readonly number[] }
}

function commonVersion(one: Hello, other: Hello): number | undefined {
  const common = one.versions.filter((version) => other.versions.includes(version))
  return common.length === 0 ? undefined : Math.max(...common)
}

function newNonce(): string {
  return toHex(crypto.getRandomValues(new Uint8Array(32)))
}

/** Each side's proof is over everything that both have said, so that neither can be said again elsewhere. */
async function prove(key: string, side: 'wrap' | 'desk', caller: Hello, desk: Hello): Promise<string> {
  return toHex(new Uint8Array(await crypto.subtle.sign('HMAC', await importKey(key), textOf(side, caller, desk))))
}

/** Takes equally long however much of a proof is right. */
async function isProof(key: string, side: 'wrap' | 'desk', caller: Hello, desk: Hello, proof: unknown): Promise<boolean> {
  if (typeof proof !== 'string' || !/^[0-9a-f]{64}$/.test(proof)) return false
  return crypto.subtle.verify('HMAC', await importKey(key), Uint8Array.from(Buffer.from(proof, 'hex')), textOf(side, caller, desk))
}

async function importKey(key: string) {
  return crypto.subtle.importKey('raw', new TextEncoder().encode(key), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify'])
}

function textOf(side: string, caller: Hello, desk: Hello): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify([side, caller.nonce, caller.versions, desk.nonce, desk.versions]))
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function lost(why: string): ConsentryError {
  return new ConsentryError('DESK_UNREACHABLE', why)
}
