import { knownTo } from '../mcp/capabilities.ts'
import { eraOf, isAtLeast, type AnswerCapabilities, type InputKind, type Revision } from '../protocol/index.ts'
import type { Span } from './json-bytes.ts'
import { KeySet } from './key-set.ts'
import { groups, modes, readDeclared, samplingParts, type Declared, type Group } from './read-declared.ts'
import { listMembers } from './read-members.ts'
import { shareFeatures, takeFeatures, type Feature, type Owners, type Wishes } from './share-features.ts'

export interface MergeOptions {
  readonly revision: Revision
  /** What can be answered here at this moment. */
  readonly can: AnswerCapabilities
  readonly wishes: Wishes
  /** What somebody here answers in place of the client. */
  readonly taken?: ReadonlySet<InputKind> | undefined
}

export interface MergedCapabilities {
  readonly owners: Owners
  /** Who would answer what if nothing were taken over. */
  readonly agreed: Owners
  /** What the server is told. */
  readonly bytes: Buffer
  /** False: these are the very bytes of the client. */
  readonly isChanged: boolean
}

const taskParts = new KeySet(['requests'])
const taskRequests = new KeySet(['elicitation', 'sampling'])
const emptyObject = Buffer.from('{}')

/**
 * Puts together what the server is told: what the client declared, and what is answered here in its place. Members that are none of ours keep their bytes.
 *
 * @returns a text: two receivers could read these capabilities differently
 * @see MCP basic/lifecycle "Capability Negotiation", 2026-07-28 basic "`_meta`"
 */
export function mergeCapabilities(bytes: Buffer, span: Span, { revision, can, wishes, taken }: MergeOptions): MergedCapabilities | string {
  const declared = readDeclared(bytes, span)
  if (typeof declared === 'string') return declared
  const agreed = shareFeatures(declared.features, knownTo(revision, can), wishes)
  const owners = taken === undefined ? agreed : takeFeatures(agreed, taken, knownTo(revision, can))
  const before = bytes.subarray(span.start, span.end)
  const after = rebuild(bytes, span, new Merger(bytes, declared, owners, revision))
  return { owners, agreed, bytes: after, isChanged: !after.equals(before) }
}

/** What becomes of each group: other bytes, or none. */
class Merger {
  readonly #bytes: Buffer
  readonly #declared: Declared
  readonly #owners: Owners
  readonly #revision: Revision

  constructor(bytes: Buffer, declared: Declared, owners: Owners, revision: Revision) {
    this.#bytes = bytes
    this.#declared = declared
    this.#owners = owners
    this.#revision = revision
  }

  merge(group: Group): Buffer | undefined {
    switch (group) {
      case 'roots':
        return this.#roots()
      case 'elicitation':
        return this.#elicitation()
      case 'sampling':
        return this.#sampling()
      case 'tasks':
        return this.#tasks()
      default:
        return group satisfies never
    }
  }

  #roots(): Buffer | undefined {
    const { roots } = this.#owners
    if (roots !== 'here') return roots === 'client' ? this.#own('roots') : undefined
    return eraOf(this.#revision) === 'legacy' ? Buffer.from('{"listChanged":true}') : emptyObject
  }

  #elicitation(): Buffer | undefined {
    const { form, url } = this.#owners
    if (form !== 'here' && url !== 'here') return form === 'client' || url === 'client' ? this.#own('elicitation') : undefined
    if (!isAtLeast(this.#revision, '2025-11-25')) return emptyObject
    const others = form === 'client' || url === 'client' ? this.#membersBut('elicitation', modes) : []
    return objectOf([...others, ...this.#mode('form'), ...this.#mode('url')])
  }

  #mode(mode: 'form' | 'url'): readonly Buffer[] {
    if (this.#owners[mode] === 'nobody') return []
    const own = this.#owners[mode] === 'client' ? this.#declared.modes[mode] : undefined
    return [Buffer.concat([Buffer.from(`"${mode}":`), own ? this.#bytes.subarray(own.start, own.end) : emptyObject])]
  }

  #sampling(): Buffer | undefined {
    const { sampling, samplingTools } = this.#owners
    if (sampling === 'nobody') return undefined
    if (samplingTools !== 'here') return sampling === 'client' ? this.#own('sampling') : emptyObject
    const others = sampling === 'client' ? this.#membersBut('sampling', samplingParts) : []
    return objectOf([...others, Buffer.from('"tools":{}')])
  }

  /** A question that is answered here is never a task: that it could be one is not promised. @see MCP 2025-11-25 basic/utilities/tasks "Capabilities" */
  #tasks(): Buffer | undefined {
    const { tasks } = this.#declared.spans
    if (tasks === undefined) return this.#own('tasks')
    const isOurs = { elicitation: this.#isOurs('form', 'url'), sampling: this.#isOurs('sampling', 'samplingTools') }
    if (!isOurs.elicitation && !isOurs.sampling) return this.#own('tasks')
    return mapMembers(this.#bytes, tasks, (key, value) =>
      taskParts.find(this.#bytes, key.start + 1, key.end - 1).index < 0
        ? this.#bytes.subarray(value.start, value.end)
        : mapMembers(this.#bytes, value, (name, request) => {
            const { index } = taskRequests.find(this.#bytes, name.start + 1, name.end - 1)
            return index >= 0 && isOurs[taskRequests.names[index]!] ? undefined : this.#bytes.subarray(request.start, request.end)
          }),
    )
  }

  #isOurs(...features: readonly Feature[]): boolean {
    const owners = features.map((feature) => this.#owners[feature])
    return owners.includes('here') || !owners.includes('client')
  }

  #own(group: Group): Buffer | undefined {
    const span = this.#declared.spans[group]
    return span && this.#bytes.subarray(span.start, span.end)
  }

  /** Members of a group that no merging is about. */
  #membersBut(group: Group, keys: KeySet<string>): readonly Buffer[] {
    const span = this.#declared.spans[group]
    const members = (span && listMembers(this.#bytes, span)) ?? []
    return members
      .filter(({ key }) => keys.find(this.#bytes, key.start + 1, key.end - 1).index < 0)
      .map(({ key, value }) => this.#bytes.subarray(key.start, value.end))
  }
}

/** The same object with some groups changed, taken out or added. */
function rebuild(bytes: Buffer, span: Span, merger: Merger): Buffer {
  const left = new Set<Group>(['roots', 'elicitation', 'sampling'])
  let isChanged = false
  const kept = (listMembers(bytes, span) ?? []).flatMap(({ key, value }) => {
    const { index } = groups.find(bytes, key.start + 1, key.end - 1)
    if (index < 0) return [bytes.subarray(key.start, value.end)]
    const group = groups.names[index]!
    left.delete(group)
    const merged = merger.merge(group)
    const isSame = merged !== undefined && merged.equals(bytes.subarray(value.start, value.end))
    isChanged ||= !isSame
    if (merged === undefined) return []
    return [isSame ? bytes.subarray(key.start, value.end) : Buffer.concat([Buffer.from(`"${group}":`), merged])]
  })
  const added = [...left].flatMap((group) => {
    const merged = merger.merge(group)
    return merged ? [Buffer.concat([Buffer.from(`"${group}":`), merged])] : []
  })
  if (!isChanged && added.length === 0) return bytes.subarray(span.start, span.end)
  return objectOf([...kept, ...added])
}

function mapMembers(bytes: Buffer, span: Span, change: (key: Span, value: Span) => Buffer | undefined): Buffer {
  const members = listMembers(bytes, span)
  const changed = members?.map(({ key, value }) => ({ key, value, after: change(key, value) }))
  if (!changed?.some(({ value, after }) => after === undefined || !after.equals(bytes.subarray(value.start, value.end))))
    return bytes.subarray(span.start, span.end)
  return objectOf(changed.flatMap(({ key, after }) => (after ? [Buffer.concat([bytes.subarray(key.start, key.end), Buffer.from(':'), after])] : [])))
}

function objectOf(members: readonly Buffer[]): Buffer {
  return Buffer.concat([Buffer.from('{'), ...members.flatMap((member, index) => (index === 0 ? [member] : [Buffer.from(','), member])), Buffer.from('}')])
}
