import { metaKeys } from '../mcp/meta-keys.ts'
import type { Span } from './json-bytes.ts'
import { KeySet } from './key-set.ts'
import { readMembers, type FoundMembers } from './read-members.ts'

type MetaName = (typeof metaKeys)['protocolVersion' | 'clientCapabilities' | 'clientInfo'] | 'progressToken'
/** What stands in `_meta` of a request that matters here. */
export type MetaMembers = FoundMembers<MetaName>

const metaParts = new KeySet<MetaName>([metaKeys.protocolVersion, metaKeys.clientCapabilities, metaKeys.clientInfo, 'progressToken'])

/** @returns undefined where no object stands there */
export function readMeta(bytes: Buffer, span: Span): MetaMembers | undefined {
  return readMembers(bytes, span, metaParts)
}

/** What is longer is read each time. */
const mostKept = 4096

/** A client says the same of itself with each of its requests: what was read is known again by its bytes. */
export class KnownMeta {
  #bytes: Buffer | undefined
  #found: MetaMembers | undefined

  read(bytes: Buffer, { start, end }: Span): MetaMembers | undefined {
    if (end - start > mostKept) return readMeta(bytes, { start, end })
    if (this.#bytes?.length !== end - start || this.#bytes.compare(bytes, start, end) !== 0) {
      this.#bytes = Buffer.from(bytes.subarray(start, end))
      this.#found = readMeta(this.#bytes, { start: 0, end: end - start })
    }
    if (this.#found === undefined) return undefined
    const { spans, faults } = this.#found
    const at = (span: Span | undefined): Span | undefined => span && { start: start + span.start, end: start + span.end }
    return {
      spans: {
        [metaKeys.protocolVersion]: at(spans[metaKeys.protocolVersion]),
        [metaKeys.clientCapabilities]: at(spans[metaKeys.clientCapabilities]),
        [metaKeys.clientInfo]: at(spans[metaKeys.clientInfo]),
        progressToken: at(spans.progressToken),
      },
      faults,
    }
  }
}
