import { knownTo } from '../mcp/capabilities.ts'
import { metaKeys } from '../mcp/meta-keys.ts'
import { isJsonObject, isRevision, latestLegacyRevision, type AnswerCapabilities } from '../protocol/index.ts'
import { readDeclared } from './read-declared.ts'
import { shareFeatures, type Wishes } from './share-features.ts'

const everything: AnswerCapabilities = { roots: true, form: true, url: true, sampling: true, samplingTools: true }
const lineFeed = 0x0a
/** A first line that is longer says nothing that is waited for. */
const longest = 1024 * 1024

export interface FirstLineOptions {
  readonly wishes: Wishes
  /** Somebody may answer in the place of a client that answers everything itself. */
  readonly isForAll: boolean
  /** Called where the client may not be able to answer everything itself, with the line that it is known by. */
  readonly prepare: (line: Buffer) => Promise<unknown>
  readonly hold: () => void
  readonly release: () => void
  /** Takes everything, as it came. */
  readonly push: (chunk: Buffer) => void
}

/**
 * Keeps back what the client says first, until it is known what can be answered in its place: what is promised in the handshake can be taken back no more.
 * A client that answers everything itself waits for nothing, and has nothing started.
 */
export class FirstLine {
  readonly #options: FirstLineOptions
  #kept: Buffer[] | undefined = []
  #bytes = 0
  #isHeld = false

  constructor(options: FirstLineOptions) {
    this.#options = options
  }

  push(chunk: Buffer): void {
    if (this.#kept === undefined) return this.#options.push(chunk)
    this.#kept.push(chunk)
    this.#bytes += chunk.length
    if (this.#isHeld || (chunk.indexOf(lineFeed) < 0 && this.#bytes < longest)) return
    const { hold, release, prepare, wishes, isForAll } = this.#options
    const bytes = Buffer.concat(this.#kept)
    const line = bytes.subarray(0, bytes.indexOf(lineFeed))
    if (!isForAll && !mayAskHere(line, wishes)) return this.flush()
    this.#isHeld = true
    hold()
    const goOn = (): void => {
      this.flush()
      release()
    }
    prepare(line).then(goOn, goOn)
  }

  /** Lets go of what was kept back. Safe to call twice. */
  flush(): void {
    const kept = this.#kept ?? []
    this.#kept = undefined
    for (const chunk of kept) this.#options.push(chunk)
  }
}

/** Decides nothing but whether there is somebody to be prepared: the line itself is read with more care afterwards. */
function mayAskHere(line: Buffer, wishes: Wishes): boolean {
  const declared = readCapabilities(line)
  if (declared === undefined) return true
  const { capabilities, revision } = declared
  const bytes = Buffer.from(JSON.stringify(capabilities))
  const read = readDeclared(bytes, { start: 0, end: bytes.length })
  if (typeof read === 'string') return true
  const known = knownTo(isRevision(revision) ? revision : latestLegacyRevision, everything)
  return Object.values(shareFeatures(read.features, known, wishes)).includes('here')
}

function readCapabilities(line: Buffer): { readonly capabilities: object; readonly revision: unknown } | undefined {
  try {
    const message: unknown = JSON.parse(line.toString('utf8'))
    const params = isJsonObject(message) ? message['params'] : undefined
    if (!isJsonObject(params)) return undefined
    const { capabilities, protocolVersion, _meta: meta } = params
    if (isJsonObject(capabilities)) return { capabilities, revision: protocolVersion }
    const inMeta = isJsonObject(meta) ? meta[metaKeys.clientCapabilities] : undefined
    return isJsonObject(meta) && isJsonObject(inMeta) ? { capabilities: inMeta, revision: meta[metaKeys.protocolVersion] } : undefined
  } catch {
    return undefined
  }
}
