import {
  eraOf,
  inputMethods,
  isJsonObject,
  isRevision,
  latestLegacyRevision,
  type AnswerCapabilities,
  type InputKind,
  type InputMethod,
  type Revision,
} from '../protocol/index.ts'
import type { Envelope } from './envelope.ts'
import { openBrace, readText, type Span } from './json-bytes.ts'
import { KeySet } from './key-set.ts'
import type { LazySession } from './lazy-session.ts'
import type { Verdict } from './line-feed.ts'
import { mergeCapabilities } from './merge-capabilities.ts'
import { readMembers } from './read-members.ts'
import { readClientName } from './read-request.ts'
import { parseLine, wholeOf } from './question-lines.ts'
import { ownerOf } from './question-owner.ts'
import { promisedBy, beforeHandshake, takeFeatures, type Owners, type Wishes } from './share-features.ts'

export interface HandshakeOptions {
  readonly session: LazySession
  readonly wishes: Wishes
  readonly onShared?: ((owners: Owners) => void) | undefined
}

const parts = new KeySet(['protocolVersion', 'capabilities', 'clientInfo'])
const resultParts = new KeySet(['protocolVersion', 'capabilities'])

/** The handshake of the older era: what the server was told of its client, once, and who answers what from then on. @see MCP basic/lifecycle "Initialization" */
export class Handshake {
  readonly #options: HandshakeOptions
  readonly #callbacks: (() => void)[] = []
  #owners: Owners = beforeHandshake
  /** As they are where nothing is taken over. */
  #agreed: Owners = beforeHandshake
  readonly #taken = new Set<InputKind>()
  #promised: AnswerCapabilities = promisedBy(beforeHandshake)
  #revision: Revision = latestLegacyRevision
  #isOver = false
  #hello: Buffer | undefined
  #serverCapabilities: Buffer | undefined
  #serverVersion: string | undefined

  constructor(options: HandshakeOptions) {
    this.#options = options
  }

  get owners(): Owners {
    return this.#owners
  }

  /** What the server was told that it may ask. */
  get promised(): AnswerCapabilities {
    return this.#promised
  }

  get revision(): Revision {
    return this.#revision
  }

  /** `initialize` as the server got it, without its line end. */
  get hello(): Buffer | undefined {
    return this.#hello
  }

  /** Whether the server was told that it hears when its folders change. */
  get tellsOfRoots(): boolean {
    const params = this.#hello && parseLine(this.#hello, wholeOf(this.#hello))?.['params']
    const capabilities = isJsonObject(params) && params['capabilities']
    const roots = isJsonObject(capabilities) && capabilities['roots']
    return isJsonObject(roots) && roots['listChanged'] === true
  }

  /** What the server offered, as it wrote it. */
  get serverCapabilities(): Buffer | undefined {
    return this.#serverCapabilities
  }

  /** The revision that the server chose, as it wrote it. */
  get serverVersion(): string | undefined {
    return this.#serverVersion
  }

  /** The user wants the client to answer these, whatever it does with them (`--pass`). */
  isLeftToClient(kind: InputKind): boolean {
    return this.#options.wishes.pass.has(kind)
  }

  /** From now on the client is asked nothing of this kind that can be answered here, whatever it declared. */
  takeOver(kind: InputKind): void {
    this.#taken.add(kind)
    this.#shareAgain()
  }

  /** The client is asked again what it declared. */
  giveBack(kind: InputKind): void {
    this.#taken.delete(kind)
    this.#shareAgain()
  }

  /** Whether a question that is answered here is so in place of the client. */
  isTakenOver(method: InputMethod, bytes: Buffer, params: Span | undefined): boolean {
    return this.#taken.has(inputMethods[method]) && ownerOf(method, bytes, params, this.#agreed) === 'client'
  }

  /** `initialized` was passed on: the server may be told things. */
  get isOver(): boolean {
    return this.#isOver
  }

  whenOver(callback: () => void): void {
    this.#callbacks.push(callback)
  }

  /** Takes `initialize`. @returns `why` where two receivers could read it differently */
  takeRequest(bytes: Buffer, params: Span | undefined): Verdict | { readonly why: string } {
    const { session, wishes, onShared } = this.#options
    const found = params && readMembers(bytes, params, parts)
    if (found && found.faults.length > 0) return { why: `"${found.faults[0]!}" stands in it twice, or in a spelling that receivers read differently` }
    const { protocolVersion, capabilities, clientInfo } = found?.spans ?? {}
    const asked = protocolVersion && readText(bytes, protocolVersion)
    session.client = readClientName(bytes, clientInfo)
    if (capabilities === undefined || bytes[capabilities.start] !== openBrace) return 'pass'
    const revision = isRevision(asked) && eraOf(asked) === 'legacy' ? asked : latestLegacyRevision
    const merged = mergeCapabilities(bytes, capabilities, { revision, can: session.capabilities(), wishes })
    if (typeof merged === 'string') return { why: merged }
    this.#revision = revision
    this.#agreed = merged.owners
    this.#shareAgain()
    this.#promised = promisedBy(merged.owners)
    onShared?.(merged.owners)
    return merged.isChanged ? [{ span: capabilities, bytes: merged.bytes }] : 'pass'
  }

  /** `initialize` goes on, as it stands here: a server that is started afresh hears it again. */
  remember(line: Buffer): void {
    this.#hello = line
  }

  /** Takes the response to `initialize`: it says which revision holds. */
  takeResponse(bytes: Buffer, { result }: Extract<Envelope, { readonly kind: 'response' }>): void {
    const { protocolVersion: version, capabilities } = (result && readMembers(bytes, result, resultParts)?.spans) ?? {}
    this.#serverCapabilities = capabilities && Buffer.from(bytes.subarray(capabilities.start, capabilities.end))
    const text = version && readText(bytes, version)
    this.#serverVersion = text
    if (isRevision(text)) this.#revision = text
  }

  takeInitialized(): void {
    this.#isOver = true
    // The notification itself has to leave first.
    queueMicrotask(() => {
      for (const callback of this.#callbacks.splice(0)) callback()
    })
  }

  #shareAgain(): void {
    this.#owners = takeFeatures(this.#agreed, this.#taken, this.#options.session.capabilities())
  }
}
