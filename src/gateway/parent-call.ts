import type { InputMethod, ParentCall } from '../protocol/index.ts'
import { lineOf, type ClientRequest } from './client-requests.ts'
import { readKeptRequest, readSubject } from './read-request.ts'

/**
 * What a question came in the middle of: named only where there is one possibility.
 *
 * @param method of a request of the older era. Servers read their folders when they like: that a call is open then says nothing about what for.
 */
export function parentCallOf(requests: readonly ClientRequest[], method?: InputMethod): ParentCall | undefined {
  if (method === 'roots/list') return undefined
  const [request] = requests
  if (request === undefined) return undefined
  return requests.length > 1 ? { kind: 'one-of', count: requests.length } : nameCall(request)
}

function nameCall(request: ClientRequest): ParentCall | undefined {
  if (request.line === undefined) return undefined
  const line = lineOf(request)
  const envelope = readKeptRequest(line)?.envelope
  if (envelope === undefined) return undefined
  const { name, uri } = readSubject(line, envelope.params)
  switch (envelope.method) {
    case 'tools/call':
      return name === undefined ? undefined : { kind: 'tool', name }
    case 'prompts/get':
      return name === undefined ? undefined : { kind: 'prompt', name }
    case 'resources/read':
      return uri === undefined ? undefined : { kind: 'resource', name: uri }
    default:
      return undefined
  }
}
