import { ConsentryError } from '../errors.ts'
import { isJsonObject, type Decision, type ReviewKind } from '../protocol/index.ts'

const actions: Readonly<Record<ReviewKind, readonly string[]>> = {
  form: ['accept', 'decline', 'cancel'],
  url: ['accept', 'decline', 'cancel'],
  'url-wait': ['continue', 'cancel'],
  prompt: ['approve', 'write', 'deny', 'cancel'],
  completion: ['approve', 'deny', 'cancel'],
  budget: ['raise', 'wait', 'stop', 'cancel'],
  folders: ['grant', 'deny', 'cancel'],
  'kept-folders': ['stand-in', 'restart', 'leave', 'end', 'cancel'],
  'silent-client': ['take-over', 'leave', 'cancel'],
}

/** What an action cannot do without: `accept` of a form is about values, a grant about folders. */
const needs: Readonly<Record<string, (decision: Record<string, unknown>) => boolean>> = {
  'form accept': ({ content }) => isJsonObject(content),
  'prompt write': ({ completion }) => isJsonObject(completion),
  'folders grant': ({ roots }) => Array.isArray(roots),
}

/** Whether a decision belongs to this kind of review and is complete; the feature checks what is in it. */
export function allows(kind: ReviewKind, decision: Decision): boolean {
  if (!isJsonObject(decision) || !actions[kind].includes(decision.action)) return false
  return needs[`${kind} ${decision.action}`]?.(decision) ?? true
}

/** What is checked is what is used: values in place of getters, and nothing that its owner can still change. @throws ConsentryError `USAGE` when it is not plain data */
export function copyDecision(decision: Decision): Decision {
  try {
    return structuredClone(decision)
  } catch (cause) {
    throw new ConsentryError('USAGE', 'A decision has to be plain data: no functions, no proxies.', { cause })
  }
}
