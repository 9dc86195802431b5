import { Validator } from '@cfworker/json-schema'
import { readValues } from '../../elicitation/index.ts'
import { isJsonObject, type JsonObject } from '../../protocol/index.ts'
import type { CallNeeds, Handler } from '../call.ts'
import type { ArgumentCheck } from '../contract.ts'
import { formOf } from './tools-list.ts'

export function checkArguments({ host, matchPattern }: Pick<CallNeeds, 'host' | 'matchPattern'>): Handler<'tools/check'> {
  return async (body) => {
    const tool = body.text('tool')
    const given = body.object('arguments')
    const found = (await host.listTools(body.text('server'))).find(({ name }) => name === tool)
    const schema = isJsonObject(found?.definition['inputSchema']) ? found.definition['inputSchema'] : {}
    const form = formOf(schema)
    if (form === undefined) return checkDeep(schema, given)
    const reading = await readValues(form, given, { matchPattern })
    return reading.ok ? { status: 'fits' } : { status: 'faulty', faults: reading.faults }
  }
}

/** An interpreter of JSON Schema, because nothing that a server sends is ever compiled; patterns, which could run for ever, are left to the server. */
function checkDeep(schema: JsonObject, given: JsonObject): ArgumentCheck {
  try {
    const { valid, errors } = new Validator(withoutPatterns(schema) as JsonObject, '2020-12', false).validate(given)
    if (valid) return { status: 'fits' }
    const faults = errors.slice(0, 50).map(({ instanceLocation, error, keyword }) => ({
      field: instanceLocation.replace(/^#\/?/, '') || 'arguments',
      problem: `schema-${keyword}`,
      message: error.slice(0, 300),
    }))
    return { status: 'faulty', faults }
  } catch {
    // A schema that is none says nothing about arguments.
    return { status: 'fits' }
  }
}

function withoutPatterns(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPatterns)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, member]) => !(key === 'pattern' && typeof member === 'string') && key !== 'patternProperties')
      .map(([key, member]) => [key, withoutPatterns(member)]),
  )
}
