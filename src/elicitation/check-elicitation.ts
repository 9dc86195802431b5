import { ConsentryError } from '../errors.ts'
import type { JsonObject } from '../protocol/index.ts'
import { findSecrets } from './find-secrets.ts'
import { matchPattern } from './match-pattern.ts'
import { parseForm } from './parse-form.ts'
import { readUrl } from './read-url.ts'
import { readValues } from './read-values.ts'

/**
 * What would become of an answer to a form: `send` with its values, `refuse` with its faults, or `schema-invalid` with the field. Without `content`,
 * nothing was filled in.
 *
 * @throws ConsentryError `USAGE` when `requestedSchema` is missing
 */
export async function checkForms(input: JsonObject): Promise<JsonObject> {
  const requestedSchema = need(input, 'requestedSchema')
  return unlessInvalid(async () => {
    const result = await readValues(parseForm(requestedSchema), Object.hasOwn(input, 'content') ? input['content'] : undefined, { matchPattern })
    return result.ok ? { outcome: 'send', values: result.values } : { outcome: 'refuse', faults: result.faults.map((fault) => ({ ...fault })) }
  })
}

/**
 * Which fields of a form ask for a secret, and where the sign is.
 *
 * @throws ConsentryError `USAGE` when `requestedSchema` is missing
 */
export async function checkSecrets(input: JsonObject): Promise<JsonObject> {
  const requestedSchema = need(input, 'requestedSchema')
  return unlessInvalid(async () => {
    const form = parseForm(requestedSchema)
    const signs = form.fields.flatMap(({ name, secret }) => (secret === undefined ? [] : [{ field: name, sign: secret.sign }]))
    return { fields: findSecrets(form), signs }
  })
}

/**
 * What the consent card of a URL would say. `serverOrigin` is `null` for a local server.
 *
 * @throws ConsentryError `USAGE` when a key is missing or of another type
 */
export async function checkUrls(input: JsonObject): Promise<JsonObject> {
  const url = need(input, 'url')
  const serverOrigin = need(input, 'serverOrigin')
  if (typeof url !== 'string') throw usage('"url" must be a text')
  if (serverOrigin !== null && (typeof serverOrigin !== 'string' || !URL.canParse(serverOrigin)))
    throw usage('"serverOrigin" must be an address such as "https://mcp.example", or null for a local server')
  return judgeUrl(url, serverOrigin ?? undefined)
}

function judgeUrl(url: string, serverOrigin: string | undefined): JsonObject {
  try {
    const { verdict, warnings, host, unicodeHost, site } = readUrl(url, serverOrigin)
    const codes = warnings.map(({ code }) => code)
    return { verdict, warnings: codes, host, site, ...(unicodeHost !== undefined && { unicodeHost }), says: warnings.map(({ sentence }) => sentence) }
  } catch (error) {
    if (!(error instanceof ConsentryError) || error.code !== 'URL_REFUSED') throw error
    return { verdict: 'refuse', warnings: [], host: null, site: null, says: [error.message] }
  }
}

async function unlessInvalid(judge: () => Promise<JsonObject>): Promise<JsonObject> {
  try {
    return await judge()
  } catch (error) {
    if (!(error instanceof ConsentryError) || error.code !== 'FORM_SCHEMA_INVALID') throw error
    const field = error.data?.['field']
    return { outcome: 'schema-invalid', ...(typeof field === 'string' && { field }), message: error.message }
  }
}

function need(input: JsonObject, key: string): unknown {
  if (!Object.hasOwn(input, key)) throw usage(`"${key}" is missing`)
  return input[key]
}

function usage(message: string): ConsentryError {
  return new ConsentryError('USAGE', message)
}
