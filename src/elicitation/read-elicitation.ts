import { ConsentryError } from '../errors.ts'
import { isJsonObject, type Era, type JsonObject } from '../protocol/index.ts'

export interface FormElicitation {
  readonly mode: 'form'
  readonly message: string
  readonly requestedSchema: unknown
}

export interface UrlElicitation {
  readonly mode: 'url'
  readonly message: string
  readonly url: string
  readonly elicitationId: string | undefined
}

/** More than anybody reads, and less than what many of them would fill a memory with. */
const longestMessage = 16 * 1024 * 1024

/**
 * Reads the parameters of `elicitation/create` as they came over the wire. A mode that is left out is a form.
 *
 * @throws ConsentryError `ELICITATION_INVALID`, saying what the server's author has to change; `data.field` names the parameter
 * @see MCP 2025-11-25 client/elicitation "Elicitation Requests"
 */
export function readElicitation(params: unknown, era: Era): FormElicitation | UrlElicitation {
  if (!isJsonObject(params)) throw invalid(undefined, '"params" must be an object with "message" and "requestedSchema"')
  const mode = own(params, 'mode') ?? 'form'
  const message = own(params, 'message')
  if (typeof message !== 'string') throw invalid('message', '"message" must be a text that says what is asked, and why')
  if (message.length > longestMessage) throw invalid('message', `"message" is longer than ${longestMessage} characters: nobody could read it`)
  if (mode === 'form') return { mode, message, requestedSchema: readSchema(params) }
  if (mode === 'url') return { mode, message, url: readAddress(params), elicitationId: readId(params, era) }
  throw invalid('mode', '"mode" must be "form" or "url"')
}

function readSchema(params: JsonObject): unknown {
  if (Object.hasOwn(params, 'requestedSchema')) return params['requestedSchema']
  const hint = Object.hasOwn(params, 'schema') ? ': rename "schema", as some examples of the documentation have it, to "requestedSchema"' : ''
  throw invalid('requestedSchema', `"requestedSchema" is missing${hint}`)
}

function readAddress(params: JsonObject): string {
  const url = own(params, 'url')
  if (typeof url !== 'string') throw invalid('url', '"url" must be a text: the whole address, with https://')
  return url
}

/** The legacy era reports completion by this id, so that it must be there; the modern era has none. */
function readId(params: JsonObject, era: Era): string | undefined {
  const id = own(params, 'elicitationId')
  if (id === undefined && era === 'modern') return undefined
  if (typeof id !== 'string') throw invalid('elicitationId', '"elicitationId" must be a text that is this elicitation\'s own')
  return id
}

function own(params: JsonObject, name: string): unknown {
  return Object.hasOwn(params, name) ? params[name] : undefined
}

function invalid(field: string | undefined, advice: string): ConsentryError {
  return new ConsentryError('ELICITATION_INVALID', advice, field === undefined ? {} : { data: { field } })
}
