import type { AnswerCapabilities } from '../protocol/index.ts'
import { openBrace, type Span } from './json-bytes.ts'
import { KeySet } from './key-set.ts'
import { readMembers, type FoundMembers } from './read-members.ts'

/** The members of a client's capabilities that say what it can be asked. */
export const groups: KeySet<'roots' | 'elicitation' | 'sampling' | 'tasks'> = new KeySet(['roots', 'elicitation', 'sampling', 'tasks'])
export const modes: KeySet<'form' | 'url'> = new KeySet(['form', 'url'])
export const samplingParts: KeySet<'tools'> = new KeySet(['tools'])

export type Group = (typeof groups.names)[number]

/** What a client declared, and where. */
export interface Declared {
  readonly features: AnswerCapabilities
  /** Of whatever type the values are. */
  readonly spans: FoundMembers<Group>['spans']
  readonly modes: FoundMembers<'form' | 'url'>['spans']
}

/**
 * Reads what a client can be asked. What does not stand there as an object was not declared.
 *
 * @returns a text: two receivers could read these capabilities differently
 * @see MCP 2025-11-25 client/elicitation "Capabilities": no mode named means forms
 */
export function readDeclared(bytes: Buffer, span: Span): Declared | string {
  const found = readMembers(bytes, span, groups)
  if (found === undefined) return 'its capabilities are no object'
  const objectAt = (group: Group): Span | undefined => {
    const value = found.spans[group]
    return value && bytes[value.start] === openBrace ? value : undefined
  }
  const [roots, elicitation, sampling] = [objectAt('roots'), objectAt('elicitation'), objectAt('sampling')]
  const inElicitation = elicitation && readMembers(bytes, elicitation, modes)
  const inSampling = sampling && readMembers(bytes, sampling, samplingParts)
  const twice = [...found.faults, ...(inElicitation?.faults ?? []), ...(inSampling?.faults ?? [])][0]
  if (twice !== undefined) return `"${twice}" stands in its capabilities twice, or in a spelling that receivers read differently`
  const { form, url } = inElicitation?.spans ?? {}
  return {
    spans: found.spans,
    modes: inElicitation?.spans ?? {},
    features: {
      roots: roots !== undefined,
      form: form !== undefined || (elicitation !== undefined && url === undefined),
      url: url !== undefined,
      sampling: sampling !== undefined,
      samplingTools: inSampling?.spans.tools !== undefined,
    },
  }
}
