import { ConsentryError } from '../errors.ts'
import { isJsonObject } from '../protocol/index.ts'
import type { PrivateFiles } from '../store/index.ts'
import { beginning, type ChainLink } from './audit-chain.ts'

/** The head of the chain, kept in a small file outside the database, so that rows cannot vanish from its end unseen. */
export class AuditAnchor {
  readonly #path: string
  readonly #files: PrivateFiles

  constructor(path: string, files: PrivateFiles) {
    this.#path = path
    this.#files = files
  }

  /** @returns undefined where there is no anchor, or none that can be read: both look the same to whoever lost it */
  async read(): Promise<ChainLink | undefined> {
    const text = await this.#files.read(this.#path).catch(orUnreadable)
    return text === undefined ? undefined : parse(text)
  }

  async write({ position, hash }: ChainLink): Promise<void> {
    await this.#files.replace(this.#path, `${JSON.stringify({ position, hash })}\n`)
  }
}

/** What is no text holds no anchor; a disk that fails says nothing about it. */
function orUnreadable(error: unknown): undefined {
  if (!(error instanceof ConsentryError)) throw error
}

function parse(text: string): ChainLink | undefined {
  try {
    const value: unknown = JSON.parse(text)
    if (!isJsonObject(value)) return undefined
    const { position, hash } = value
    return typeof position === 'number' && Number.isSafeInteger(position) && position >= beginning.position && typeof hash === 'string'
      ? { position, hash }
      : undefined
  } catch {
    return undefined
  }
}
