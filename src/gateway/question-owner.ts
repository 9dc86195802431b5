import type { InputMethod } from '../protocol/index.ts'
import { readText, type Span } from './json-bytes.ts'
import { KeySet } from './key-set.ts'
import { readMembers } from './read-members.ts'
import type { Owner, Owners } from './share-features.ts'

const elicitationParts = new KeySet(['mode'])
const samplingParts = new KeySet(['tools', 'toolChoice'])

/** Who answers one question, in either era's spelling. @returns undefined where receivers could read it as one for somebody else */
export function ownerOf(method: InputMethod, bytes: Buffer, params: Span | undefined, owners: Owners): Owner | undefined {
  switch (method) {
    case 'roots/list':
      return owners.roots
    case 'elicitation/create': {
      if (owners.form === owners.url) return owners.form
      const found = params && readMembers(bytes, params, elicitationParts)
      if (found && found.faults.length > 0) return undefined
      return found?.spans.mode && readText(bytes, found.spans.mode) === 'url' ? owners.url : owners.form
    }
    case 'sampling/createMessage': {
      if (owners.sampling === owners.samplingTools) return owners.sampling
      const found = params && readMembers(bytes, params, samplingParts)
      if (found && found.faults.length > 0) return undefined
      return found?.spans.tools || found?.spans.toolChoice ? owners.samplingTools : owners.sampling
    }
    default:
      return method satisfies never
  }
}
