import { isJsonObject } from '../protocol/index.ts'
import type { RecordFiles } from '../store/index.ts'
import { beginning, type ChainLink } from './audit-chain.ts'

/** The head of the chain, kept in a small file outside the database, so that rows cannot vanish from its end unseen. */
export class AuditAnchor {
  readonly #path: string
  readonly #files: RecordFiles

  constructor(path: string, files: RecordFiles) {
    this.#path = path
    this.#files = files
  }

  /** @returns undefined where there is no anchor, or none that can be read: both look the same to whoever lost it */
  read(): ChainLink | undefined {
    const text = this.#files.read(this.#path)
    return text === undefined ? undefined : parse(text)
  }

  write({ position, hash }: ChainLink): void {
    this.#files.write(this.#path, JSON.stringify({ position, hash }))
  }

  close(): void {
    this.#files.close(this.#path)
  }
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
