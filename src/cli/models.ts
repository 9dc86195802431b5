import { ConsentryError } from '../errors.ts'
import { keyOf, sendsKeyInPlain } from '../console-api/model-entry.ts'
import { addModel, type Config, type ModelEntry } from '../policy/index.ts'
import { catalogueDate, createModels, findLocalServers, nameOf, type FoundServer, type Model } from '../sampling/index.ts'
import { exitCodes, type ExitCode } from './exit.ts'
import { findMissing } from './model-readiness.ts'
import { configPlaceOf, openConfig } from './open-config.ts'
import { hasTerminal, type Place } from './place.ts'
import { openStateFolder } from './state-folder.ts'
import { createPrompts } from './terminal/prompts.ts'
import { safeText } from './terminal/safe-text.ts'

export interface ModelsOptions {
  readonly json?: boolean | undefined
  readonly baseUrl?: string | undefined
}

/** `consentry models list`: the user's models in their order, with what is known of each, and of which day the prices are. */
export async function listModels({ json }: ModelsOptions, place: Place): Promise<ExitCode> {
  const config = await readConfig(place)
  const entries = new Map(config.models.map((entry) => [nameOf(entry), entry]))
  const models = createModels({ entries: config.models })
    .list()
    .map((model) => ({ ...model, ...warningsOf(entries.get(nameOf(model))) }))
  if (json) place.stdout.write(`${JSON.stringify(models)}\n`)
  else if (models.length === 0)
    place.stdout.write('No model is configured: you write answers yourself. consentry models detect looks for models on this computer.\n')
  else place.stdout.write(models.map(describe).join(''))
  return exitCodes.done
}

const NOTHING_FOUND = `Nothing answers where Ollama, LM Studio, llama.cpp and Docker have their models.
Start one of them and look again, or name a model yourself:
  consentry models add ollama:qwen3:4b                                  of a program on this computer
  consentry models add lab:mine --base-url http://127.0.0.1:8000/v1     of a server of your own
  consentry models add anthropic:claude-sonnet-5                        of a service, with its key in ANTHROPIC_API_KEY
Without any model you write answers yourself.
`

/** `consentry models detect`: looks on this computer, because somebody said so, and lets them pick what is added to their models. */
export async function detectModels({ json }: ModelsOptions, place: Place): Promise<ExitCode> {
  const found = await findLocalServers({ signal: place.interrupted })
  if (json) place.stdout.write(`${JSON.stringify(found)}\n`)
  else if (found.length === 0) place.stdout.write(NOTHING_FOUND)
  else if (hasTerminal(place)) await pickModels(found, place)
  else for (const one of namesOf(found)) place.stdout.write(`${safeText(one)}  (add it: consentry models add ${safeText(one)})\n`)
  return exitCodes.done
}

/** `consentry models add PROVIDER:MODEL`: puts a model at the end of the user's list. */
export async function addConfiguredModel(name: string, { baseUrl, json }: ModelsOptions, place: Place): Promise<ExitCode> {
  const colon = name.indexOf(':')
  if (colon < 1 || colon === name.length - 1) throw new ConsentryError('USAGE', 'a model is named PROVIDER:MODEL, like ollama:qwen3:4b')
  const entry = { provider: name.slice(0, colon), model: name.slice(colon + 1), ...(baseUrl !== undefined && { baseUrl }) }
  // Says what is wrong with it before it is written.
  createModels({ entries: [entry] })
  await addToConfig([entry], place)
  const missing = await findMissing(entry, place)
  if (json) place.stdout.write(`${JSON.stringify(entry)}\n`)
  else if (missing === undefined) place.stdout.write(`${safeText(name)} may answer model requests now, after you have seen each.\n`)
  else place.stdout.write(`${safeText(name)} is on your list. It may answer model requests, after you have seen each, but cannot yet.\n`)
  if (missing !== undefined) (json ? place.stderr : place.stdout).write(`${safeText(missing)}\n`)
  return exitCodes.done
}

async function pickModels(found: readonly FoundServer[], place: Place): Promise<void> {
  const prompts = await createPrompts({ input: place.stdin, output: place.stderr })
  const entries = found.flatMap(({ provider, models }) => models.map((model) => ({ provider, model })))
  const choices = entries.map((entry, index) => ({ value: String(index), label: safeText(nameOf(entry), { maximum: 120 }) }))
  const question = 'Which of these may answer model requests, after you have seen each? (space marks, Enter goes on)'
  const picked = (await prompts.pick(question, choices, { initial: [], signal: place.interrupted })) ?? []
  await addToConfig(
    picked.map((index) => entries[Number(index)]!),
    place,
  )
  prompts.say(picked.length === 0 ? 'Nothing was added.' : `${picked.length} added: consentry models list shows them.`)
}

async function addToConfig(entries: readonly Pick<ModelEntry, 'provider' | 'model' | 'baseUrl'>[], place: Place): Promise<void> {
  if (entries.length === 0) return
  const config = await openConfig(place)
  const file = { ...configPlaceOf(place), file: openStateFolder(place).configFile }
  await config.edit((text) => entries.reduce<string | undefined>((before, entry) => addModel(before, entry, file), text) ?? '').finally(() => config.close())
}

async function readConfig(place: Place): Promise<Config> {
  const config = await openConfig(place)
  config.close()
  return config.current
}

function namesOf(found: readonly FoundServer[]): readonly string[] {
  return found.flatMap(({ provider, models }) => models.map((model) => nameOf({ provider, model })))
}

/** What a person should know of the key of a model. */
interface KeyWarnings {
  /** It would go over a network without encryption. */
  readonly keyInPlain?: true
  /** It stands in the config as it is. */
  readonly keyInConfig?: true
}

function warningsOf(entry: ModelEntry | undefined): KeyWarnings {
  if (entry === undefined) return {}
  return { ...(sendsKeyInPlain(entry) && { keyInPlain: true }), ...(keyOf(entry).kind === 'text' && { keyInConfig: true }) }
}

function describe(model: Model & KeyWarnings): string {
  const { cost, priceAsOf, speed, intelligence, modalities = ['text'], tools, contextTokens, local, keyInPlain, keyInConfig } = model
  const known = cost?.input !== undefined && cost.output !== undefined
  const price = known ? `USD ${cost.input} in, ${cost.output} out per million tokens` : local === true ? 'free, on this computer' : 'price unknown'
  const age = known ? (priceAsOf === undefined ? ' (yours)' : ` (of ${catalogueDate})`) : ''
  const facts = [
    `${price}${age}`,
    modalities.join('+'),
    tools === true ? 'tools' : 'no tools',
    `context ${contextTokens ?? 'unknown'}`,
    `speed ${speed ?? 'unknown'}`,
    `intelligence ${intelligence ?? 'unknown'}`,
    ...(keyInPlain ? ['careful: its key goes over the network without encryption (http)'] : []),
    ...(keyInConfig ? ['careful: its key stands in the config in clear'] : []),
  ]
  return `${safeText(nameOf(model), { maximum: 200 })}  ${safeText(facts.join(' · '))}\n`
}
