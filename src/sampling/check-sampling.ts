import { ConsentryError } from '../errors.ts'
import type { JsonObject } from '../protocol/index.ts'
import { chooseModel, type ModelNeed, type ModelNeeds } from './choose-model.ts'
import { nameOf, type Model } from './model.ts'
import { parsePreferences } from './parse-preferences.ts'
import { parseSamplingRequest } from './parse-request.ts'
import { memberOf, optional, present, readBoolean, readList, readNumber, readObject, readOneOf, readString, required, type Read } from './read-fields.ts'

/**
 * Says whether a `sampling/createMessage` is valid: `{"params","capabilities"?}` in; `{"ok":true}` or `{"outcome":"invalid","path","message"}` out.
 * Without `capabilities`, `sampling.tools` counts as declared.
 *
 * @throws ConsentryError `USAGE` where the case itself cannot be read
 */
export async function checkSamplingMessages(input: JsonObject): Promise<JsonObject> {
  const params = needed(input, 'params')
  const tools = usage(() => {
    const sampling = optional(optional(input, 'capabilities', '', readObject) ?? { sampling: { tools: {} } }, 'sampling', 'capabilities', readObject)
    return sampling !== undefined && optional(sampling, 'tools', 'capabilities.sampling', readObject) !== undefined
  })
  return orInvalid(() => {
    parseSamplingRequest(params, { tools })
    return { ok: true }
  })
}

/**
 * Says which model would answer: `{"models","modelPreferences","request"}` in; `{"model","why"}` or `{"none":reason}` out.
 *
 * @throws ConsentryError `USAGE` where the case itself cannot be read
 */
export async function checkModelChoice(input: JsonObject): Promise<JsonObject> {
  for (const key of ['models', 'modelPreferences', 'request']) needed(input, key)
  const models = usage(() => required(input, 'models', '', readList(readModel)))
  const request = usage(() => required(input, 'request', '', readNeeds))
  return orInvalid(() => {
    const choice = chooseModel(models, required(input, 'modelPreferences', '', parsePreferences), request)
    return 'none' in choice ? { none: choice.none } : { model: nameOf(choice.model), why: choice.why }
  })
}

const readModel: Read<Model> = (value, path) => {
  const model = readObject(value, path)
  return present({
    provider: required(model, 'provider', path, readString),
    model: required(model, 'model', path, readString),
    cost: optional(model, 'cost', path, readCost),
    speed: optional(model, 'speed', path, readNumber),
    intelligence: optional(model, 'intelligence', path, readNumber),
    modalities: optional(model, 'modalities', path, readList(readString)),
    tools: optional(model, 'tools', path, readBoolean),
    contextTokens: optional(model, 'contextTokens', path, readNumber),
    local: optional(model, 'local', path, readBoolean),
  })
}

const readCost: Read<NonNullable<Model['cost']>> = (value, path) => {
  const cost = readObject(value, path)
  return present({ input: optional(cost, 'input', path, readNumber), output: optional(cost, 'output', path, readNumber) })
}

const readNeeds: Read<ModelNeeds> = (value, path) => {
  const request = readObject(value, path)
  return present({
    needs: optional(request, 'needs', path, readList(readOneOf<ModelNeed>(['image', 'audio', 'tools']))),
    inputTokens: required(request, 'inputTokens', path, readNumber),
    maxTokens: required(request, 'maxTokens', path, readNumber),
  })
}

function needed(input: JsonObject, key: string): unknown {
  const value = memberOf(input, key)
  if (value === undefined) throw new ConsentryError('USAGE', `The case has no "${key}"`, { data: { key } })
  return value
}

/** What is wrong with the case, not with what it asks about. */
function usage<Value>(read: () => Value): Value {
  try {
    return read()
  } catch (cause) {
    if (!(cause instanceof ConsentryError)) throw cause
    throw new ConsentryError('USAGE', cause.message, { cause })
  }
}

function orInvalid(check: () => JsonObject): JsonObject {
  try {
    return check()
  } catch (error) {
    if (!(error instanceof ConsentryError) || error.code !== 'SAMPLING_INVALID') throw error
    return { outcome: 'invalid', path: error.data?.['path'] as string, message: error.message }
  }
}
