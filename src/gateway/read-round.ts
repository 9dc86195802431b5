import { isInputMethod, type InputMethod } from '../protocol/index.ts'
import { openBrace, readText, type Span } from './json-bytes.ts'
import { KeySet } from './key-set.ts'
import { ownerOf } from './question-owner.ts'
import { listMembers, readMembers } from './read-members.ts'
import type { Owner, Owners } from './share-features.ts'

/** One question of a round, and who answers it. */
export interface RoundQuestion {
  readonly key: string
  /** Key and question as they stand. */
  readonly member: Span
  readonly value: Span
  /** Absent where the method is none of the three: whoever knows it is the client. */
  readonly method: InputMethod | undefined
  readonly owner: Owner
  /** It is answered here in place of the client. */
  readonly isTakenOver: boolean
}

/** A result that asks something. */
export interface Round {
  readonly kind: 'asks'
  readonly questions: readonly RoundQuestion[]
  readonly inputRequests: Span
  readonly requestState: Span | undefined
}

const parts = new KeySet(['resultType', 'inputRequests', 'requestState'])
/** What stands in every result that asks something, in its own letters or with escapes. */
const asking = ['input_required', '\\u']
/** A result that is shorter is searched as a text: among bytes the search would go on behind it. */
const shortResult = 4096
const plain = { kind: 'plain' } as const
const questionParts = new KeySet(['method', 'params'])

/**
 * Reads what a server answered to a call that may ask.
 *
 * @returns `plain` where nothing is asked: a result like any other, or a state and no questions, which are the client's own affair
 * @see MCP 2026-07-28 basic/patterns/mrtr
 */
export function readRound(
  bytes: Buffer,
  result: Span,
  owners: Owners,
  agreed: Owners = owners,
): Round | { readonly kind: 'plain' } | { readonly kind: 'broken'; readonly why: string } {
  if (!mayHoldQuestions(bytes, result)) return plain
  const found = readMembers(bytes, result, parts)
  if (found === undefined) return plain
  if (found.faults.length > 0) return broken(`"${found.faults[0]!}" stands in it twice, or in a spelling that receivers read differently`)
  const { resultType, inputRequests, requestState } = found.spans
  if (resultType === undefined || readText(bytes, resultType) !== 'input_required') return plain
  if (inputRequests === undefined || bytes[inputRequests.start] !== openBrace) return plain
  const questions = new Map<string, RoundQuestion>()
  for (const { key, value } of listMembers(bytes, inputRequests) ?? []) {
    const question = readQuestion(bytes, { start: key.start, end: value.end }, key, value, owners, agreed)
    if (question === undefined) return broken('one of its questions can be read in two ways')
    if (questions.has(question.key)) return broken(`the question ${JSON.stringify(question.key.slice(0, 100))} stands in it twice`)
    questions.set(question.key, question)
  }
  return questions.size === 0 ? plain : { kind: 'asks', questions: [...questions.values()], inputRequests, requestState }
}

/** No text is written without its own letters, unless with escapes: a big result is told apart by a search, twenty times faster than by reading it. */
function mayHoldQuestions(bytes: Buffer, { start, end }: Span): boolean {
  if (end - start <= shortResult) {
    const text = bytes.toString('latin1', start, end)
    return asking.some((word) => text.includes(word))
  }
  return asking.some((word) => {
    const found = bytes.indexOf(word, start, 'latin1')
    return found >= 0 && found < end
  })
}

function readQuestion(bytes: Buffer, member: Span, key: Span, value: Span, owners: Owners, agreed: Owners): RoundQuestion | undefined {
  const name = readText(bytes, key)
  const found = readMembers(bytes, value, questionParts)
  if (name === undefined || (found && found.faults.length > 0)) return undefined
  const { method, params } = found?.spans ?? {}
  const text = method && readText(bytes, method)
  if (!isInputMethod(text)) return { key: name, member, value, method: undefined, owner: 'client', isTakenOver: false }
  const owner = ownerOf(text, bytes, params, owners)
  const isTakenOver = owner === 'here' && agreed !== owners && ownerOf(text, bytes, params, agreed) === 'client'
  return owner && { key: name, member, value, method: text, owner, isTakenOver }
}

function broken(why: string): { readonly kind: 'broken'; readonly why: string } {
  return { kind: 'broken', why }
}
