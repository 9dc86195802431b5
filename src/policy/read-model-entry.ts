import { ConsentryError } from '../errors.ts'
import { modelApis, type KeySource, type ModelEntry } from './config.ts'
import type { JsoncPlace } from './jsonc-place.ts'
import { readWebAddress } from './read-server-entry.ts'

const keys = ['provider', 'model', 'api', 'baseUrl', 'apiKey', 'metadata', 'cost', 'speed', 'intelligence', 'modalities', 'tools', 'contextTokens', 'local']

/** Where the provider of an entry stands. */
const places = new WeakMap<ModelEntry, JsoncPlace>()

/** What is wrong with a model that was read, and can only be known where it is used; with file, line and column where it comes from a file. */
export function modelFault(entry: ModelEntry, message: string): ConsentryError {
  return places.get(entry)?.fault(message) ?? new ConsentryError('CONFIG_INVALID', message)
}

/** Reads one entry of `models`. */
export function readModelEntry(place: JsoncPlace): ModelEntry {
  const members = place.members(keys)
  const provider = members.get('provider')
  const model = members.get('model')
  if (provider === undefined || model === undefined) throw place.fault('a model needs "provider" and "model"')
  if (provider.text().includes(':')) throw provider.fault('"provider" must not contain a colon: it separates provider and model')
  const baseUrl = members.get('baseUrl')
  const apiKey = members.get('apiKey')
  const cost = members.get('cost')
  const entry: ModelEntry = {
    provider: provider.text(),
    model: model.text(),
    api: members.get('api')?.oneOf(modelApis),
    baseUrl: baseUrl && readModelAddress(baseUrl),
    apiKey: apiKey && readKeySource(apiKey),
    metadata: members
      .get('metadata')
      ?.elements()
      .map((key) => key.text()),
    cost: cost && readCost(cost),
    speed: members.get('speed')?.number({ least: 0 }),
    intelligence: members.get('intelligence')?.number({ least: 0, most: 1 }),
    modalities: members
      .get('modalities')
      ?.elements()
      .map((modality) => modality.oneOf(['text', 'image', 'audio'])),
    tools: members.get('tools')?.boolean(),
    contextTokens: members.get('contextTokens')?.number({ least: 1, whole: true }),
    local: members.get('local')?.boolean(),
  }
  places.set(entry, provider)
  return entry
}

/** Paths are put behind it, and it is told in messages. */
function readModelAddress(place: JsoncPlace): string {
  const address = readWebAddress(place)
  if (address.includes('#')) throw place.fault('must not have a part behind "#": what is asked would not reach the server')
  if (address.includes('?') && address.slice(address.indexOf('?')).includes('${'))
    throw place.fault('must not carry a key behind "?": use "apiKey" with ${NAME}')
  return address
}

function readKeySource(place: JsoncPlace): string | KeySource {
  if (typeof place.value === 'string') return place.text()
  const members = place.members(['keyring', 'command'])
  const [keyring, command] = [members.get('keyring'), members.get('command')]
  if ((keyring === undefined) === (command === undefined))
    throw place.fault(
      '"apiKey" is "${NAME}" for a variable of the environment, {"keyring": "NAME"} for the system\'s keyring, or {"command": ["PROGRAM", "ARG"]}',
    )
  if (keyring !== undefined) return { kind: 'keyring', name: keyring.text() }
  const [program, ...args] = command!.elements().map((part) => part.anyText())
  if (program === undefined || program === '') throw command!.fault('"command" needs the program that prints the key')
  return { kind: 'command', program, args }
}

function readCost(place: JsoncPlace): { readonly input: number; readonly output: number } {
  const members = place.members(['input', 'output'])
  const input = members.get('input')
  const output = members.get('output')
  if (input === undefined || output === undefined) throw place.fault('"cost" needs "input" and "output", in USD per million tokens')
  return { input: input.number({ least: 0 }), output: output.number({ least: 0 }) }
}
