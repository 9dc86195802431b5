import type { JsonObject, Phrase, SamplingRequest } from '../protocol/index.ts'
import { phrase } from './phrases.ts'
import type { ProviderTraits } from './provider-traits.ts'

/** How a request meets one model: what its provider carries, and which metadata the user lets pass. */
export interface CallTerms {
  readonly traits: ProviderTraits
  /** Without its provider. */
  readonly model: string
  readonly allowedMetadata: readonly string[]
}

/** The lesser things of a request as they go out, and in words what does not. */
export interface FittedParameters {
  readonly temperature: number | undefined
  readonly stopSequences: readonly string[] | undefined
  readonly metadata: Readonly<Record<string, string>> | undefined
  readonly leftOut: readonly Phrase[]
}

const LONGEST_METADATA = 512

/** Fits temperature, stop sequences and metadata to a provider. Nothing of them goes out changed, or stays, without a word. */
export function fitParameters(
  { temperature, stopSequences = [], metadata = {}, tools = [] }: SamplingRequest,
  { traits, model, allowedMetadata }: CallTerms,
): FittedParameters {
  const leftOut: Phrase[] = []
  const isFixed = traits.fixed?.test(model) ?? false

  const fitted = temperature === undefined || isFixed ? undefined : Math.min(Math.max(temperature, 0), traits.hottest)
  if (temperature !== undefined && isFixed) leftOut.push(phrase('temperature-left-out', 'temperature'))
  else if (fitted !== temperature)
    leftOut.push(phrase('temperature-fitted', `temperature ${temperature} (sent as ${fitted})`, { asked: temperature, sent: fitted }))

  const stops = stopSequences.filter((sequence) => sequence !== '')
  if (stops.length < stopSequences.length) leftOut.push(phrase('empty-stop-left-out', 'an empty stop sequence'))
  const sent = isFixed ? [] : stops.slice(0, traits.mostStops)
  if (sent.length < stops.length)
    leftOut.push(
      phrase('stops-left-out', `${stops.length - sent.length} of ${stops.length} stop sequences`, { left: stops.length - sent.length, of: stops.length }),
    )

  const passed = passMetadata(metadata, allowedMetadata, traits)
  const kept = Object.keys(metadata).filter((key) => !Object.hasOwn(passed, key)).length
  if (kept > 0) leftOut.push(phrase('metadata-left-out', 'metadata', { count: kept }))

  if (traits.simplifiesSchemas === true && tools.length > 0) leftOut.push(phrase('schemas-simplified', 'what its dialect of tool schemas does not know'))
  return {
    temperature: fitted,
    stopSequences: sent.length > 0 ? sent : undefined,
    metadata: Object.keys(passed).length > 0 ? passed : undefined,
    leftOut,
  }
}

/** Only short texts under keys that the user named: anything else could carry what nobody looked at. */
function passMetadata(metadata: JsonObject, allowed: readonly string[], { metadataKeys }: ProviderTraits): Readonly<Record<string, string>> {
  const entries = allowed.flatMap((key) => {
    const value = Object.hasOwn(metadata, key) ? metadata[key] : undefined
    const isTaken = metadataKeys === undefined || metadataKeys.includes(key)
    return isTaken && typeof value === 'string' && value.length <= LONGEST_METADATA ? [[key, value] as const] : []
  })
  return Object.fromEntries(entries)
}
